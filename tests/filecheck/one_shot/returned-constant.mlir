// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s

// A function that returns memory that must not be written says so to its callers.

func.func @constant() -> tensor<4xf32> {
  %cst = arith.constant dense<1.0> : tensor<4xf32>
  %slice = tensor.extract_slice %cst[0] [4] [1] : tensor<4xf32> to tensor<4xf32>
  func.return %slice : tensor<4xf32>
}

// CHECK-LABEL: func.func @write_result
func.func @write_result(%i: index, %f: f32) -> tensor<4xf32> {
  %t = func.call @constant() : () -> tensor<4xf32>
  // CHECK: tensor.insert
  // CHECK-SAME: __inplace_operands_attr__ = ["none", "false", "none"]
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
