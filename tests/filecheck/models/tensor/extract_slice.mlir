// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @static(%t: memref<8x8xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.subview %t[2, 1] [4, 3] [1, 2] : memref<8x8xf32> to memref<4x3xf32, strided<[8, 2], offset: 17>>
// CHECK-NEXT:    %x = memref.load %s[%i, %i] : memref<4x3xf32, strided<[8, 2], offset: 17>>
// CHECK-NEXT:    func.return %x : f32
func.func @static(%t: tensor<8x8xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[2, 1] [4, 3] [1, 2] : tensor<8x8xf32> to tensor<4x3xf32>
  %x = tensor.extract %s[%i, %i] : tensor<4x3xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @dynamic(%t: memref<?x8xi8>, %i: index, %n: index) -> i8 {
// CHECK-NEXT:    %s = memref.subview %t[%i, 1] [%n, 3] [2, %n] : memref<?x8xi8> to memref<?x3xi8, strided<[16, ?], offset: ?>>
// CHECK-NEXT:    %x = memref.load %s[%i, %i] : memref<?x3xi8, strided<[16, ?], offset: ?>>
// CHECK-NEXT:    func.return %x : i8
func.func @dynamic(%t: tensor<?x8xi8>, %i: index, %n: index) -> i8 {
  %s = tensor.extract_slice %t[%i, 1] [%n, 3] [2, %n] : tensor<?x8xi8> to tensor<?x3xi8>
  %x = tensor.extract %s[%i, %i] : tensor<?x3xi8>
  func.return %x : i8
}

// Unit dimensions may be dropped, whichever of them.
// CHECK-LABEL: func.func @rank_reducing(%t: memref<4x1x8xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.subview %t[%i, 0, 2] [1, 1, 4] [1, 1, 1] : memref<4x1x8xf32> to memref<1x4xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:    %x = memref.load %s[%i, %i] : memref<1x4xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @rank_reducing(%t: tensor<4x1x8xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[%i, 0, 2] [1, 1, 4] [1, 1, 1] : tensor<4x1x8xf32> to tensor<1x4xf32>
  %x = tensor.extract %s[%i, %i] : tensor<1x4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @to_rank_zero(%t: memref<4x8xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.subview %t[%i, %i] [1, 1] [1, 1] : memref<4x8xf32> to memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:    %x = memref.load %s[] : memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @to_rank_zero(%t: tensor<4x8xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[%i, %i] [1, 1] [1, 1] : tensor<4x8xf32> to tensor<f32>
  %x = tensor.extract %s[] : tensor<f32>
  func.return %x : f32
}

// A slice of a slice.
// CHECK-LABEL: func.func @layout(%t: memref<16xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.subview %t[2] [4] [3] : memref<16xf32> to memref<4xf32, strided<[3], offset: 2>>
// CHECK-NEXT:    %u = memref.subview %s[1] [2] [2] : memref<4xf32, strided<[3], offset: 2>> to memref<2xf32, strided<[6], offset: 5>>
// CHECK-NEXT:    %x = memref.load %u[%i] : memref<2xf32, strided<[6], offset: 5>>
// CHECK-NEXT:    func.return %x : f32
func.func @layout(%t: tensor<16xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[2] [4] [3] : tensor<16xf32> to tensor<4xf32>
  %u = tensor.extract_slice %s[1] [2] [2] : tensor<4xf32> to tensor<2xf32>
  %x = tensor.extract %u[%i] : tensor<2xf32>
  func.return %x : f32
}

// The slice is written, and the tensor read afterwards: only the slice is copied.
// CHECK-LABEL: func.func @out_of_place(%t: memref<64xf32>, %f: f32, %i: index) -> (memref<4xf32>, memref<64xf32>) {
// CHECK-NEXT:    %s = memref.subview %t[8] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: 8>>
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%s, %r) : (memref<4xf32, strided<[1], offset: 8>>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %r, %t : memref<4xf32>, memref<64xf32>
func.func @out_of_place(%t: tensor<64xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<64xf32>) {
  %s = tensor.extract_slice %t[8] [4] [1] : tensor<64xf32> to tensor<4xf32>
  %r = tensor.insert %f into %s[%i] : tensor<4xf32>
  func.return %r, %t : tensor<4xf32>, tensor<64xf32>
}

// Where %k is 0, the slice has one element twice, and a write of one changes both: a copy.
// CHECK-LABEL: func.func @steps_that_may_be_zero(
// CHECK:         %s = memref.subview %t[0] [2] [%k]
// CHECK-NEXT:    %[[copy:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// CHECK-NEXT:    "memref.copy"(%s, %[[copy]])
// CHECK-NEXT:    memref.store %f, %[[copy]][%i] : memref<2xf32>
func.func @steps_that_may_be_zero(%t: tensor<8xf32>, %f: f32, %k: index, %i: index) -> f32 {
  %s = tensor.extract_slice %t[0] [2] [%k] : tensor<8xf32> to tensor<2xf32>
  %r = tensor.insert %f into %s[%i] : tensor<2xf32>
  %x = tensor.extract %r[%k] : tensor<2xf32>
  func.return %x : f32
}
