// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// The dimensions are known to consist of whole tiles.
// CHECK-LABEL: func.func @whole_tiles(%s: memref<12x16xf32>, %d: memref<2x3x8x4xf32>) -> memref<2x3x8x4xf32> {
// CHECK-NEXT:    %0 = memref.expand_shape %s {{[[]}}[0 : i64, 1 : i64], [2 : i64, 3 : i64]] output_shape [3, 4, 2, 8] : memref<12x16xf32> into memref<3x4x2x8xf32>
// CHECK-NEXT:    linalg.transpose ins(%0:memref<3x4x2x8xf32>) outs(%d:memref<2x3x8x4xf32>) permutation = [2, 0, 3, 1]
// CHECK-NEXT:    func.return %d : memref<2x3x8x4xf32>
func.func @whole_tiles(%s: tensor<12x16xf32>, %d: tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32> {
  %r = "linalg.pack"(%s, %d) <{inner_dims_pos = array<i64: 1, 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64: 8, 4>}> : (tensor<12x16xf32>, tensor<2x3x8x4xf32>) -> tensor<2x3x8x4xf32>
  func.return %r : tensor<2x3x8x4xf32>
}

// The last tile is not full.
// CHECK-LABEL: func.func @padding(%s: memref<?x15xf32>, %d: memref<?x2x8xf32>, %p: f32) -> memref<?x2x8xf32> {
// CHECK-NEXT:    %0 = arith.constant 8 : index
// CHECK-NEXT:    %1 = arith.constant 15 : index
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%d : memref<?x2x8xf32>) {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      %3 = linalg.index 0 : index
// CHECK-NEXT:      %4 = linalg.index 1 : index
// CHECK-NEXT:      %5 = linalg.index 2 : index
// CHECK-NEXT:      %6 = arith.muli %4, %0 : index
// CHECK-NEXT:      %7 = arith.addi %6, %5 : index
// CHECK-NEXT:      %8 = arith.cmpi ult, %7, %1 : index
// CHECK-NEXT:      %9 = scf.if %8 -> (f32) {
// CHECK-NEXT:        %10 = memref.load %s[%3, %7] : memref<?x15xf32>
// CHECK-NEXT:        scf.yield %10 : f32
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %p : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      linalg.yield %9 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %d : memref<?x2x8xf32>
func.func @padding(%s: tensor<?x15xf32>, %d: tensor<?x2x8xf32>, %p: f32) -> tensor<?x2x8xf32> {
  %r = "linalg.pack"(%s, %d, %p) <{inner_dims_pos = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0>, static_inner_tiles = array<i64: 8>}> : (tensor<?x15xf32>, tensor<?x2x8xf32>, f32) -> tensor<?x2x8xf32>
  func.return %r : tensor<?x2x8xf32>
}

// Without padding all tiles have to be full.
// CHECK-LABEL: func.func @dynamic_tile(%s: memref<?xf32>, %d: memref<?x?xf32>, %n: index) -> memref<?x?xf32> {
// CHECK-NEXT:    %0 = arith.constant 1 : index
// CHECK-NEXT:    %1 = memref.dim %d, %0 : memref<?x?xf32>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%d : memref<?x?xf32>) {
// CHECK-NEXT:    ^bb0(%2: f32):
// CHECK-NEXT:      %3 = linalg.index 0 : index
// CHECK-NEXT:      %4 = linalg.index 1 : index
// CHECK-NEXT:      %5 = arith.muli %3, %1 : index
// CHECK-NEXT:      %6 = arith.addi %5, %4 : index
// CHECK-NEXT:      %7 = memref.load %s[%6] : memref<?xf32>
// CHECK-NEXT:      linalg.yield %7 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %d : memref<?x?xf32>
func.func @dynamic_tile(%s: tensor<?xf32>, %d: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %r = "linalg.pack"(%s, %d, %n) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 1>, static_inner_tiles = array<i64: -9223372036854775808>}> : (tensor<?xf32>, tensor<?x?xf32>, index) -> tensor<?x?xf32>
  func.return %r : tensor<?x?xf32>
}

// The destination is not read.
// CHECK-LABEL: func.func @out_of_place(%s: memref<8xf32>, %d: memref<2x4xf32>) -> (memref<2x4xf32>, memref<2x4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<2x4xf32>
// CHECK-NEXT:    %0 = memref.expand_shape %s {{[[]}}[0 : i64, 1 : i64]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
// CHECK-NEXT:    linalg.transpose ins(%0:memref<2x4xf32>) outs(%r:memref<2x4xf32>) permutation = [0, 1]
// CHECK-NEXT:    func.return %r, %d : memref<2x4xf32>, memref<2x4xf32>
func.func @out_of_place(%s: tensor<8xf32>, %d: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %r = "linalg.pack"(%s, %d) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_inner_tiles = array<i64: 4>}> : (tensor<8xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %r, %d : tensor<2x4xf32>, tensor<2x4xf32>
}

// Only the order of the dimensions changes.
// CHECK-LABEL: func.func @no_tiles(%s: memref<8x4xf32>, %d: memref<4x8xf32>) -> memref<4x8xf32> {
// CHECK-NEXT:    linalg.transpose ins(%s:memref<8x4xf32>) outs(%d:memref<4x8xf32>) permutation = [1, 0]
// CHECK-NEXT:    func.return %d : memref<4x8xf32>
func.func @no_tiles(%s: tensor<8x4xf32>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %r = "linalg.pack"(%s, %d) <{inner_dims_pos = array<i64>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, outer_dims_perm = array<i64: 1, 0>, static_inner_tiles = array<i64>}> : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// Not element by element, so source and destination are never in the same memory.
// CHECK-LABEL: func.func @same(%t: memref<1x8xf32>) -> memref<1x8xf32> {
// CHECK-NEXT:    %r = memref.collapse_shape %t {{[[]}}[0 : i64, 1 : i64]] : memref<1x8xf32> into memref<8xf32>
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%r, %0) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    %1 = memref.expand_shape %0 {{[[]}}[0 : i64, 1 : i64]] output_shape [1, 8] : memref<8xf32> into memref<1x8xf32>
// CHECK-NEXT:    linalg.transpose ins(%1:memref<1x8xf32>) outs(%t:memref<1x8xf32>) permutation = [0, 1]
// CHECK-NEXT:    func.return %t : memref<1x8xf32>
func.func @same(%t: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %r = tensor.collapse_shape %t [[0 : i64, 1 : i64]] : tensor<1x8xf32> into tensor<8xf32>
  %1 = "linalg.pack"(%r, %t) <{inner_dims_pos = array<i64: 0>, operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_inner_tiles = array<i64: 8>}> : (tensor<8xf32>, tensor<1x8xf32>) -> tensor<1x8xf32>
  func.return %1 : tensor<1x8xf32>
}
