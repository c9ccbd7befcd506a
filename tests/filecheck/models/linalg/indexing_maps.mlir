// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Named ops keep their indexing maps and attributes.
// CHECK-LABEL: @transposed
// CHECK-NEXT: linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {mark = "a"} ins(%a, %b : memref<2x4xf32>, memref<3x4xf32>) outs(%o : memref<2x3xf32>)
func.func @transposed(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {mark = "a"} ins(%a, %b : tensor<2x4xf32>, tensor<3x4xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}

// CHECK-LABEL: @batch
// CHECK-NEXT: linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%a, %b : memref<2x4xf32>, memref<5x4x3xf32>) outs(%o : memref<5x2x3xf32>)
func.func @batch(%a: tensor<2x4xf32>, %b: tensor<5x4x3xf32>, %o: tensor<5x2x3xf32>) -> tensor<5x2x3xf32> {
  %r = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%a, %b : tensor<2x4xf32>, tensor<5x4x3xf32>) outs(%o : tensor<5x2x3xf32>) -> tensor<5x2x3xf32>
  func.return %r : tensor<5x2x3xf32>
}

// CHECK-LABEL: @without_strides
// CHECK-NEXT: linalg.conv_2d_nhwc_hwcf ins(%i, %k : memref<1x8x8x3xf32>, memref<3x3x3x4xf32>) outs(%o : memref<1x6x6x4xf32>)
func.func @without_strides(%i: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>, %o: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%o : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  func.return %r : tensor<1x6x6x4xf32>
}

// CHECK-LABEL: @marked
// CHECK-NEXT: linalg.transpose ins(%a:memref<2x4xf32>) outs(%o:memref<4x2xf32>) permutation = [1, 0] {mark}
// CHECK-NEXT: linalg.add {mark} ins(%a, %a : memref<2x4xf32>, memref<2x4xf32>) outs(%a : memref<2x4xf32>)
func.func @marked(%a: tensor<2x4xf32>, %o: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>) {
  %r = linalg.transpose ins(%a : tensor<2x4xf32>) outs(%o : tensor<4x2xf32>) permutation = [1, 0] {mark}
  %s = linalg.add {mark} ins(%a, %a : tensor<2x4xf32>, tensor<2x4xf32>) outs(%a : tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %r, %s : tensor<4x2xf32>, tensor<2x4xf32>
}
