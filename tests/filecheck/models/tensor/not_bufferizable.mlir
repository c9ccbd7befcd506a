// RUN: not xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' 2>&1 | filecheck %s
// RUN: sed 1,/^}/d %s | not xdsl-opt -p bufferize 2>&1 | filecheck %s --check-prefix=SCATTER

// Signed integers cannot be cast by arith.
// CHECK: error: 'tensor.bitcast' cannot cast each element of tensor<4xsi32> to one of tensor<4xui32>
// CHECK: hint: cast ranked tensors of floats and signless integers of one width
func.func @signs(%t: tensor<4xsi32>) -> tensor<4xui32> {
  %r = tensor.bitcast %t : tensor<4xsi32> to tensor<4xui32>
  func.return %r : tensor<4xui32>
}

// Scatter has no model, and is not a misspelt cast.
// SCATTER: error: 'tensor.scatter' is not bufferizable
// SCATTER: hint: lower it to ops that are, register a model for it, or leave it on tensors
func.func @scatter(%t: tensor<4xf32>, %u: tensor<2x1xf32>, %i: tensor<2x1xindex>) -> tensor<4xf32> {
  %r = tensor.scatter %u into %t[%i] scatter_dims([0]) unique : (tensor<2x1xf32>, tensor<4xf32>, tensor<2x1xindex>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
