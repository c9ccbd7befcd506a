// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%t: memref<2x?x4xf32>) -> memref<2x?xf32> {
// CHECK-NEXT:    %r = memref.collapse_shape %t {{[[]}}[0 : i64], [1 : i64, 2 : i64]] : memref<2x?x4xf32> into memref<2x?xf32>
// CHECK-NEXT:    func.return %r : memref<2x?xf32>
func.func @in_place(%t: tensor<2x?x4xf32>) -> tensor<2x?xf32> {
  %r = "tensor.collapse_shape"(%t) <{reassociation = [[0 : i64], [1 : i64, 2 : i64]]}> : (tensor<2x?x4xf32>) -> tensor<2x?xf32>
  func.return %r : tensor<2x?xf32>
}

// CHECK-LABEL: func.func @rank_zero(%t: memref<1x1xf32>) -> memref<f32> {
// CHECK-NEXT:    %r = memref.collapse_shape %t [] : memref<1x1xf32> into memref<f32>
// CHECK-NEXT:    func.return %r : memref<f32>
func.func @rank_zero(%t: tensor<1x1xf32>) -> tensor<f32> {
  %r = "tensor.collapse_shape"(%t) <{reassociation = []}> : (tensor<1x1xf32>) -> tensor<f32>
  func.return %r : tensor<f32>
}

// The rows of the slice do not lie one after the other: it takes a copy.
// CHECK-LABEL: func.func @not_contiguous(%t: memref<4x8xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.subview %t[0, 0] [4, 6] [1, 1] : memref<4x8xf32> to memref<4x6xf32, strided<[8, 1]>>
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4x6xf32>
// CHECK-NEXT:    "memref.copy"(%s, %0) : (memref<4x6xf32, strided<[8, 1]>>, memref<4x6xf32>) -> ()
// CHECK-NEXT:    %r = memref.collapse_shape %0 {{[[]}}[0 : i64, 1 : i64]] : memref<4x6xf32> into memref<24xf32>
// CHECK-NEXT:    %x = memref.load %r[%i] : memref<24xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @not_contiguous(%t: tensor<4x8xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[0, 0] [4, 6] [1, 1] : tensor<4x8xf32> to tensor<4x6xf32>
  %r = "tensor.collapse_shape"(%s) <{reassociation = [[0 : i64, 1 : i64]]}> : (tensor<4x6xf32>) -> tensor<24xf32>
  %x = tensor.extract %r[%i] : tensor<24xf32>
  func.return %x : f32
}

// All rows are taken as a whole, so they can be collapsed where they are.
// CHECK-LABEL: func.func @contiguous_slice(%t: memref<4x8xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.subview %t[1, 0] [2, 8] [1, 1] : memref<4x8xf32> to memref<2x8xf32, strided<[8, 1], offset: 8>>
// CHECK-NEXT:    %r = memref.collapse_shape %s {{[[]}}[0 : i64, 1 : i64]] : memref<2x8xf32, strided<[8, 1], offset: 8>> into memref<16xf32, strided<[1], offset: 8>>
// CHECK-NEXT:    %x = memref.load %r[%i] : memref<16xf32, strided<[1], offset: 8>>
// CHECK-NEXT:    func.return %x : f32
func.func @contiguous_slice(%t: tensor<4x8xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %r = "tensor.collapse_shape"(%s) <{reassociation = [[0 : i64, 1 : i64]]}> : (tensor<2x8xf32>) -> tensor<16xf32>
  %x = tensor.extract %r[%i] : tensor<16xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @out_of_place(%t: memref<2x2xf32>, %f: f32, %i: index) -> (memref<4xf32>, memref<2x2xf32>) {
// CHECK-NEXT:    %c = memref.collapse_shape %t {{[[]}}[0 : i64, 1 : i64]] : memref<2x2xf32> into memref<4xf32>
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%c, %r) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %r, %t : memref<4xf32>, memref<2x2xf32>
func.func @out_of_place(%t: tensor<2x2xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<2x2xf32>) {
  %c = "tensor.collapse_shape"(%t) <{reassociation = [[0 : i64, 1 : i64]]}> : (tensor<2x2xf32>) -> tensor<4xf32>
  %r = tensor.insert %f into %c[%i] : tensor<4xf32>
  func.return %r, %t : tensor<4xf32>, tensor<2x2xf32>
}
