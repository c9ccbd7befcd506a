// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' | filecheck %s

// A result has the layout of the buffer that is returned.
// CHECK-LABEL: func.func @argument(%t: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    func.return %t : memref<4xf32, strided<[?], offset: ?>>
func.func @argument(%t: tensor<4xf32>) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}

// CHECK-LABEL: func.func @new_buffer(%n: index) -> memref<?xf32> {
// CHECK-NEXT:    %t = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    func.return %t : memref<?xf32>
func.func @new_buffer(%n: index) -> tensor<?xf32> {
  %t = tensor.empty(%n) : tensor<?xf32>
  func.return %t : tensor<?xf32>
}

// CHECK-LABEL: func.func @slice() -> memref<2xf32, strided<[3], offset: 1>> {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    %s = memref.subview %t[1] [2] [3] : memref<8xf32> to memref<2xf32, strided<[3], offset: 1>>
// CHECK-NEXT:    func.return %s : memref<2xf32, strided<[3], offset: 1>>
func.func @slice() -> tensor<2xf32> {
  %t = tensor.empty() : tensor<8xf32>
  %s = tensor.extract_slice %t[1] [2] [3] : tensor<8xf32> to tensor<2xf32>
  func.return %s : tensor<2xf32>
}

// The shape stays as the tensor program tells it.
// CHECK-LABEL: func.func @cast() -> memref<?xf32> {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    %c = "memref.cast"(%t) : (memref<8xf32>) -> memref<?xf32>
// CHECK-NEXT:    func.return %c : memref<?xf32>
func.func @cast() -> tensor<?xf32> {
  %t = tensor.empty() : tensor<8xf32>
  %c = tensor.cast %t : tensor<8xf32> to tensor<?xf32>
  func.return %c : tensor<?xf32>
}

// CHECK-LABEL: func.func @several(%f: f32, %t: memref<f32, strided<[], offset: ?>>) -> (f32, memref<f32, strided<[], offset: ?>>, memref<i8>) {
// CHECK-NEXT:    %e = memref.alloc() {alignment = 64 : i64} : memref<i8>
// CHECK-NEXT:    func.return %f, %t, %e : f32, memref<f32, strided<[], offset: ?>>, memref<i8>
func.func @several(%f: f32, %t: tensor<f32>) -> (f32, tensor<f32>, tensor<i8>) {
  %e = tensor.empty() : tensor<i8>
  func.return %f, %t, %e : f32, tensor<f32>, tensor<i8>
}
