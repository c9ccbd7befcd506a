// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// A dimension of size 1 takes no step, whatever its stride is.
// CHECK-LABEL: func.func @unit_dimensions(
// CHECK-NEXT:    %v = memref.collapse_shape %x {{[[]}}[0 : i64, 1 : i64]] : memref<4x1xf32, strided<[?, ?], offset: ?>> into memref<4xf32, strided<[?], offset: ?>>
// CHECK:         %w = memref.collapse_shape %y {{[[]}}[0 : i64], [1 : i64, 2 : i64]] : memref<2x?x1xf32, strided<[?, ?, ?], offset: ?>> into memref<2x?xf32, strided<[?, ?], offset: ?>>
func.func @unit_dimensions(%x: tensor<4x1xf32>, %y: tensor<2x?x1xf32>, %i: index) -> (f32, f32) {
  %v = tensor.collapse_shape %x [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>
  %a = tensor.extract %v[%i] : tensor<4xf32>
  %w = tensor.collapse_shape %y [[0], [1, 2]] : tensor<2x?x1xf32> into tensor<2x?xf32>
  %b = tensor.extract %w[%i, %i] : tensor<2x?xf32>
  func.return %a, %b : f32, f32
}
