// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @reshape(
// CHECK-NEXT:    %0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
// CHECK-NEXT:    %1 = tensor.reshape %u(%s) {note = 1 : i32} : (tensor<*xf32>, tensor<2xindex>) -> tensor<2x3xf32>
// CHECK-NEXT:    %2 = tensor.reshape %t(%d) : (tensor<?xf32>, tensor<?xi32>) -> tensor<*xf32>
// CHECK-NEXT:    %3 = tensor.reshape %c(%s) : (tensor<12xf32>, tensor<2xindex>) -> tensor<3x4xf32>
// CHECK-GENERIC: %0 = "tensor.reshape"(%t, %s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
func.func @reshape(%t: tensor<?xf32>, %u: tensor<*xf32>, %c: tensor<12xf32>, %s: tensor<2xindex>, %d: tensor<?xi32>) {
  %0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  %1 = tensor.reshape %u(%s) {note = 1 : i32} : (tensor<*xf32>, tensor<2xindex>) -> tensor<2x3xf32>
  %2 = tensor.reshape %t(%d) : (tensor<?xf32>, tensor<?xi32>) -> tensor<*xf32>
  %3 = tensor.reshape %c(%s) : (tensor<12xf32>, tensor<2xindex>) -> tensor<3x4xf32>
  func.return
}
