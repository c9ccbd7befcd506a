// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @static(%t: memref<8xf32>) -> memref<2x4xf32> {
// CHECK-NEXT:    %r = memref.expand_shape %t {{[[]}}[0 : i64, 1 : i64]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
// CHECK-NEXT:    func.return %r : memref<2x4xf32>
func.func @static(%t: tensor<8xf32>) -> tensor<2x4xf32> {
  %r = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @dynamic(%t: memref<?x3xf32>, %n: index) -> memref<?x4x3xf32> {
// CHECK-NEXT:    %r = memref.expand_shape %t {{[[]}}[0 : i64, 1 : i64], [2 : i64]] output_shape [%n, 4, 3] : memref<?x3xf32> into memref<?x4x3xf32>
// CHECK-NEXT:    func.return %r : memref<?x4x3xf32>
func.func @dynamic(%t: tensor<?x3xf32>, %n: index) -> tensor<?x4x3xf32> {
  %r = tensor.expand_shape %t [[0, 1], [2]] output_shape [%n, 4, 3] : tensor<?x3xf32> into tensor<?x4x3xf32>
  func.return %r : tensor<?x4x3xf32>
}

// CHECK-LABEL: func.func @layout(%t: memref<8x8xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.subview %t[0, 2] [8, 4] [1, 1] : memref<8x8xf32> to memref<8x4xf32, strided<[8, 1], offset: 2>>
// CHECK-NEXT:    %r = memref.expand_shape %s {{[[]}}[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 4, 4] : memref<8x4xf32, strided<[8, 1], offset: 2>> into memref<2x4x4xf32, strided<[32, 8, 1], offset: 2>>
// CHECK-NEXT:    %x = memref.load %r[%i, %i, %i] : memref<2x4x4xf32, strided<[32, 8, 1], offset: 2>>
// CHECK-NEXT:    func.return %x : f32
func.func @layout(%t: tensor<8x8xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[0, 2] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
  %r = tensor.expand_shape %s [[0, 1], [2]] output_shape [2, 4, 4] : tensor<8x4xf32> into tensor<2x4x4xf32>
  %x = tensor.extract %r[%i, %i, %i] : tensor<2x4x4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @out_of_place(%t: memref<8xf32>, %f: f32, %i: index) -> (memref<2x4xf32>, memref<8xf32>) {
// CHECK-NEXT:    %e = memref.expand_shape %t {{[[]}}[0 : i64, 1 : i64]] output_shape [2, 4] : memref<8xf32> into memref<2x4xf32>
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<2x4xf32>
// CHECK-NEXT:    "memref.copy"(%e, %r) : (memref<2x4xf32>, memref<2x4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%i, %i] : memref<2x4xf32>
// CHECK-NEXT:    func.return %r, %t : memref<2x4xf32>, memref<8xf32>
func.func @out_of_place(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<2x4xf32>, tensor<8xf32>) {
  %e = tensor.expand_shape %t [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %r = tensor.insert %f into %e[%i, %i] : tensor<2x4xf32>
  func.return %r, %t : tensor<2x4xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @from_rank_zero(%t: memref<f32>, %i: index) -> (memref<1x1xf32>, f32) {
// CHECK-NEXT:    %r = memref.expand_shape %t [] output_shape [1, 1] : memref<f32> into memref<1x1xf32>
// CHECK-NEXT:    %x = memref.load %r[%i, %i] : memref<1x1xf32>
// CHECK-NEXT:    func.return %r, %x : memref<1x1xf32>, f32
func.func @from_rank_zero(%t: tensor<f32>, %i: index) -> (tensor<1x1xf32>, f32) {
  %r = tensor.expand_shape %t [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  %x = tensor.extract %r[%i, %i] : tensor<1x1xf32>
  func.return %r, %x : tensor<1x1xf32>, f32
}

// Of the one element of a slice.
// CHECK-LABEL: func.func @from_element(%t: memref<8xf32>, %i: index) -> memref<1x1xf32> {
// CHECK-NEXT:    %s = memref.subview %t[%i] [1] [1] : memref<8xf32> to memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:    %r = memref.expand_shape %s [] output_shape [1, 1] : memref<f32, strided<[], offset: ?>> into memref<1x1xf32, strided<[1, 1], offset: ?>>
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<1x1xf32>
// CHECK-NEXT:    "memref.copy"(%r, %0) : (memref<1x1xf32, strided<[1, 1], offset: ?>>, memref<1x1xf32>) -> ()
// CHECK-NEXT:    func.return %0 : memref<1x1xf32>
func.func @from_element(%t: tensor<8xf32>, %i: index) -> tensor<1x1xf32> {
  %s = tensor.extract_slice %t[%i] [1] [1] : tensor<8xf32> to tensor<f32>
  %r = tensor.expand_shape %s [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  func.return %r : tensor<1x1xf32>
}
