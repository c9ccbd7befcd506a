// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries dialect-filter=func,tensor}' --verify-diagnostics --split-input-file | filecheck %s

// CHECK-LABEL: func.func @in_place(
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      func.return %t
func.func @in_place(%t: tensor<4xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// -----

// CHECK: 'func.return' has to copy operand #0 to a donated argument, or out of one, and copies stay on tensors
// CHECK: hint: add bufferization to the option dialect-filter
func.func @other_memory(%t: tensor<4xf32> {bufferize.aliasing_result = 0 : i64}, %u: tensor<4xf32>) -> tensor<4xf32> {
  func.return %u : tensor<4xf32>
}
