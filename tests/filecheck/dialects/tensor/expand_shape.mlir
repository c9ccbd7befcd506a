// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @expand_shape(%t: tensor<?x8xf32>, %z: tensor<f32>, %n: index) {
// CHECK-NEXT:    %0 = tensor.expand_shape %t {{[[]}}[0 : i64, 1 : i64], [2 : i64, 3 : i64]] output_shape [%n, 3, 2, 4] {note = 1 : i32} : tensor<?x8xf32> into tensor<?x3x2x4xf32>
// CHECK-NEXT:    %1 = tensor.expand_shape %z [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
// CHECK-NEXT:    %2 = tensor.expand_shape %z [] output_shape [] : tensor<f32> into tensor<f32>
// CHECK-GENERIC: %0 = "tensor.expand_shape"(%t, %n) <{reassociation = {{[[]}}[0 : i64, 1 : i64], [2 : i64, 3 : i64]], static_output_shape = array<i64: -9223372036854775808, 3, 2, 4>}> {note = 1 : i32} : (tensor<?x8xf32>, index) -> tensor<?x3x2x4xf32>
func.func @expand_shape(%t: tensor<?x8xf32>, %z: tensor<f32>, %n: index) {
  %0 = tensor.expand_shape %t [[0, 1], [2, 3]] output_shape [%n, 3, 2, 4] {note = 1 : i32} : tensor<?x8xf32> into tensor<?x3x2x4xf32>
  %1 = tensor.expand_shape %z [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %2 = tensor.expand_shape %z [] output_shape [] : tensor<f32> into tensor<f32>
  func.return
}
