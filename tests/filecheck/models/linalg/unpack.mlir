// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// The dimensions are known to consist of whole tiles.
// CHECK-LABEL: func.func @whole_tiles(%s: memref<2x3x8x4xf32>, %d: memref<12x16xf32>) -> memref<12x16xf32> {
// CHECK-NEXT:    %0 = memref.expand_shape %d {{[[]}}[0 : i64, 1 : i64], [2 : i64, 3 : i64]] output_shape [3, 4, 2, 8] : memref<12x16xf32> into memref<3x4x2x8xf32>
// CHECK-NEXT:    linalg.transpose ins(%s:memref<2x3x8x4xf32>) outs(%0:memref<3x4x2x8xf32>) permutation = [1, 3, 0, 2]
// CHECK-NEXT:    func.return %d : memref<12x16xf32>
func.func @whole_tiles(%s: tensor<2x3x8x4xf32>, %d: tensor<12x16xf32>) -> tensor<12x16xf32> {
  %r = "linalg.unpack"(%s, %d) <{inner_dims_pos = array<i64: 1, 0>, outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64: 8, 4>}> : (tensor<2x3x8x4xf32>, tensor<12x16xf32>) -> tensor<12x16xf32>
  func.return %r : tensor<12x16xf32>
}

// What does not fit the destination is left out.
// CHECK-LABEL: func.func @partial_tiles(%s: memref<?x2x8xf32>, %d: memref<?x15xf32>) -> memref<?x15xf32> {
// CHECK-NEXT:    %0 = arith.constant 8 : index
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%d : memref<?x15xf32>) {
// CHECK-NEXT:    ^bb0(%1: f32):
// CHECK-NEXT:      %2 = linalg.index 0 : index
// CHECK-NEXT:      %3 = linalg.index 1 : index
// CHECK-NEXT:      %4 = arith.divui %3, %0 : index
// CHECK-NEXT:      %5 = arith.remui %3, %0 : index
// CHECK-NEXT:      %6 = memref.load %s[%2, %4, %5] : memref<?x2x8xf32>
// CHECK-NEXT:      linalg.yield %6 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %d : memref<?x15xf32>
func.func @partial_tiles(%s: tensor<?x2x8xf32>, %d: tensor<?x15xf32>) -> tensor<?x15xf32> {
  %r = "linalg.unpack"(%s, %d) <{inner_dims_pos = array<i64: 1>, static_inner_tiles = array<i64: 8>}> : (tensor<?x2x8xf32>, tensor<?x15xf32>) -> tensor<?x15xf32>
  func.return %r : tensor<?x15xf32>
}

// The destination is not read.
// CHECK-LABEL: func.func @out_of_place(%s: memref<2x4xf32>, %d: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    %0 = memref.expand_shape %r {{[[]}}[0 : i64, 1 : i64]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
// CHECK-NEXT:    linalg.transpose ins(%s:memref<2x4xf32>) outs(%0:memref<2x4xf32>) permutation = [0, 1]
// CHECK-NEXT:    func.return %r, %d : memref<8xf32>, memref<8xf32>
func.func @out_of_place(%s: tensor<2x4xf32>, %d: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = "linalg.unpack"(%s, %d) <{inner_dims_pos = array<i64: 0>, static_inner_tiles = array<i64: 4>}> : (tensor<2x4xf32>, tensor<8xf32>) -> tensor<8xf32>
  func.return %r, %d : tensor<8xf32>, tensor<8xf32>
}
