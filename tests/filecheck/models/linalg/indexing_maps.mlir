// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Named ops keep their indexing maps and attributes.
// CHECK-LABEL: @transposed
// CHECK-NEXT: "linalg.matmul"(%a, %b, %o) <{operandSegmentSizes = array<i32: 2, 1>, indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}> ({
// CHECK-NEXT: ^bb0(%0: f32, %1: f32, %2: f32):
// CHECK-NEXT:   %3 = arith.mulf %0, %1 : f32
// CHECK-NEXT:   %4 = arith.addf %2, %3 : f32
// CHECK-NEXT:   linalg.yield %4 : f32
// CHECK-NEXT: }) {mark = "a"} : (memref<2x4xf32>, memref<3x4xf32>, memref<2x3xf32>) -> ()
func.func @transposed(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>, %o: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {mark = "a"} ins(%a, %b : tensor<2x4xf32>, tensor<3x4xf32>) outs(%o : tensor<2x3xf32>) -> tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}

// CHECK-LABEL: @batch
// CHECK-NEXT: "linalg.batch_matmul"(%a, %b, %o) <{operandSegmentSizes = array<i32: 2, 1>, indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]}> ({
// CHECK-NEXT: ^bb0(%0: f32, %1: f32, %2: f32):
// CHECK-NEXT:   %3 = arith.mulf %0, %1 : f32
// CHECK-NEXT:   %4 = arith.addf %2, %3 : f32
// CHECK-NEXT:   linalg.yield %4 : f32
// CHECK-NEXT: }) : (memref<2x4xf32>, memref<5x4x3xf32>, memref<5x2x3xf32>) -> ()
func.func @batch(%a: tensor<2x4xf32>, %b: tensor<5x4x3xf32>, %o: tensor<5x2x3xf32>) -> tensor<5x2x3xf32> {
  %r = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%a, %b : tensor<2x4xf32>, tensor<5x4x3xf32>) outs(%o : tensor<5x2x3xf32>) -> tensor<5x2x3xf32>
  func.return %r : tensor<5x2x3xf32>
}

// CHECK-LABEL: @without_strides
// CHECK-NEXT: linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>} ins(%i, %k : memref<1x8x8x3xf32>, memref<3x3x3x4xf32>) outs(%o : memref<1x6x6x4xf32>)
func.func @without_strides(%i: tensor<1x8x8x3xf32>, %k: tensor<3x3x3x4xf32>, %o: tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%i, %k : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%o : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  func.return %r : tensor<1x6x6x4xf32>
}

// CHECK-LABEL: @marked
// CHECK-NEXT: "linalg.transpose"(%a, %o) <{permutation = array<i64: 1, 0>}> ({
// CHECK-NEXT: ^bb0(%0: f32, %1: f32):
// CHECK-NEXT:   linalg.yield %0 : f32
// CHECK-NEXT: }) {mark} : (memref<2x4xf32>, memref<4x2xf32>) -> ()
// CHECK-NEXT: "linalg.add"(%a, %a, %a) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// CHECK-NEXT: ^bb0(%2: f32, %3: f32, %4: f32):
// CHECK-NEXT:   %5 = arith.addf %2, %3 : f32
// CHECK-NEXT:   linalg.yield %5 : f32
// CHECK-NEXT: }) {mark} : (memref<2x4xf32>, memref<2x4xf32>, memref<2x4xf32>) -> ()
func.func @marked(%a: tensor<2x4xf32>, %o: tensor<4x2xf32>) -> (tensor<4x2xf32>, tensor<2x4xf32>) {
  %r = linalg.transpose ins(%a : tensor<2x4xf32>) outs(%o : tensor<4x2xf32>) permutation = [1, 0] {mark}
  %s = linalg.add {mark} ins(%a, %a : tensor<2x4xf32>, tensor<2x4xf32>) outs(%a : tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %r, %s : tensor<4x2xf32>, tensor<2x4xf32>
}
