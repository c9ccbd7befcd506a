// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s

// The elements of a slice may be in front of its offset.
// CHECK-LABEL: func.func @backwards(%t: tensor<8xf32> {bufferization.access = "read-write"}, %f: f32) -> (tensor<8xf32>, f32) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %a = tensor.extract_slice %t[3] [4] [-1] {__inplace_operands_attr__ = ["false"]} : tensor<8xf32> to tensor<4xf32>
// CHECK-NEXT:      %b = tensor.extract_slice %t[0] [3] [1] {__inplace_operands_attr__ = ["true"]} : tensor<8xf32> to tensor<3xf32>
// CHECK-NEXT:      %u = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%b : tensor<3xf32>) -> tensor<3xf32>
// CHECK-NEXT:      %r = tensor.insert_slice %u into %t[0] [3] [1] {__inplace_operands_attr__ = ["true", "true"]} : tensor<3xf32> into tensor<8xf32>
// CHECK-NEXT:      %x = tensor.extract %a[%c0] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true", "none"], __equivalent_func_args__ = [0 : i64, -1 : i64]} %r, %x : tensor<8xf32>, f32
// CHECK-NEXT:    }
func.func @backwards(%t: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %a = tensor.extract_slice %t[3] [4] [-1] : tensor<8xf32> to tensor<4xf32>
  %b = tensor.extract_slice %t[0] [3] [1] : tensor<8xf32> to tensor<3xf32>
  %u = linalg.fill ins(%f : f32) outs(%b : tensor<3xf32>) -> tensor<3xf32>
  %r = tensor.insert_slice %u into %t[0] [3] [1] : tensor<3xf32> into tensor<8xf32>
  %x = tensor.extract %a[%c0] : tensor<4xf32>
  func.return %r, %x : tensor<8xf32>, f32
}

// With a stride of zero it is one element.
// CHECK-LABEL: func.func @one_element(
// CHECK:         tensor.insert_slice {{.*}} {__inplace_operands_attr__ = ["true", "true"]}
func.func @one_element(%t: tensor<8xf32>, %e: tensor<4xf32>) -> tensor<8xf32> {
  %a = tensor.extract_slice %t[4] [4] [0] : tensor<8xf32> to tensor<4xf32>
  %u = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %u into %t[0] [4] [0] : tensor<4xf32> into tensor<8xf32>
  func.return %r : tensor<8xf32>
}
