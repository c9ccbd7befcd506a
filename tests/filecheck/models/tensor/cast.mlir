// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @forget_size(%t: memref<4x?xf32>) -> memref<?x?xf32> {
// CHECK-NEXT:    %r = "memref.cast"(%t) : (memref<4x?xf32>) -> memref<?x?xf32>
// CHECK-NEXT:    func.return %r : memref<?x?xf32>
func.func @forget_size(%t: tensor<4x?xf32>) -> tensor<?x?xf32> {
  %r = tensor.cast %t : tensor<4x?xf32> to tensor<?x?xf32>
  func.return %r : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @claim_size(%t: memref<?xi8>) -> memref<4xi8> {
// CHECK-NEXT:    %r = "memref.cast"(%t) : (memref<?xi8>) -> memref<4xi8>
// CHECK-NEXT:    func.return %r : memref<4xi8>
func.func @claim_size(%t: tensor<?xi8>) -> tensor<4xi8> {
  %r = tensor.cast %t : tensor<?xi8> to tensor<4xi8>
  func.return %r : tensor<4xi8>
}

// The layout stays as it is.
// CHECK-LABEL: func.func @layout(%t: memref<9xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.subview %t[1] [4] [2] : memref<9xf32> to memref<4xf32, strided<[2], offset: 1>>
// CHECK-NEXT:    %c = "memref.cast"(%s) : (memref<4xf32, strided<[2], offset: 1>>) -> memref<?xf32, strided<[2], offset: 1>>
// CHECK-NEXT:    %x = memref.load %c[%i] : memref<?xf32, strided<[2], offset: 1>>
// CHECK-NEXT:    func.return %x : f32
func.func @layout(%t: tensor<9xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[1] [4] [2] : tensor<9xf32> to tensor<4xf32>
  %c = tensor.cast %s : tensor<4xf32> to tensor<?xf32>
  %x = tensor.extract %c[%i] : tensor<?xf32>
  func.return %x : f32
}

// %t is read after the write: what is cast is a copy.
// CHECK-LABEL: func.func @out_of_place(%t: memref<4xf32>, %f: f32, %i: index) -> (memref<?xf32>, f32) {
// CHECK-NEXT:    %c = "memref.cast"(%t) : (memref<4xf32>) -> memref<?xf32>
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %c, %0 : memref<?xf32>
// CHECK-NEXT:    %r = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%c, %r) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%i] : memref<?xf32>
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %r, %x : memref<?xf32>, f32
func.func @out_of_place(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<?xf32>, f32) {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %r = tensor.insert %f into %c[%i] : tensor<?xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %r, %x : tensor<?xf32>, f32
}

// From and to a tensor of unknown rank.
// CHECK-LABEL: func.func @unranked(%t: memref<4xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %c = "memref.cast"(%t) : (memref<4xf32>) -> memref<*xf32>
// CHECK-NEXT:    %d = "memref.cast"(%c) : (memref<*xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %x = memref.load %d[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @unranked(%t: tensor<4xf32>, %i: index) -> f32 {
  %c = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  %d = tensor.cast %c : tensor<*xf32> to tensor<4xf32>
  %x = tensor.extract %d[%i] : tensor<4xf32>
  func.return %x : f32
}
