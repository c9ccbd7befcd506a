// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s

// The slice is taken from %t and inserted into what may be another name of it. If the casts
// are in place, it is inserted where it is already; if not, into other memory. Neither
// destroys anything, so that all is in place.

// CHECK-LABEL: func.func @subset
func.func @subset(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  // CHECK: tensor.cast
  // CHECK-SAME: __inplace_operands_attr__ = ["true"]
  %c = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  // CHECK: tensor.cast
  // CHECK-SAME: __inplace_operands_attr__ = ["true"]
  %d = tensor.cast %c : tensor<?xf32> to tensor<8xf32>
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  // CHECK: linalg.fill
  // CHECK-SAME: __inplace_operands_attr__ = ["none", "true"]
  %b = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  // CHECK: tensor.insert_slice
  // CHECK-SAME: __inplace_operands_attr__ = ["true", "true"]
  %r = tensor.insert_slice %b into %d[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %r : tensor<8xf32>
}
