// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' | filecheck %s

// A buffer that a caller passes may be written, and has any layout.
// CHECK-LABEL: func.func @in_place(%t: memref<?xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    memref.store %f, %t[%i] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %t : memref<?xf32, strided<[?], offset: ?>>
func.func @in_place(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @not_writable(%t: memref<?xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<?xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %t, %0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %r = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%i] : memref<?xf32>
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @not_writable(%t: tensor<?xf32> {bufferization.writable = false}, %f: f32, %i: index) -> tensor<?xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// Other attributes of arguments stay.
// CHECK-LABEL: func.func @attributes(%t: memref<4xf32, strided<[?], offset: ?>> {test.attribute = 1 : i32}) {
// CHECK-NEXT:    func.return
func.func @attributes(%t: tensor<4xf32> {bufferization.writable = true, test.attribute = 1 : i32}) {
  func.return
}

// CHECK-LABEL: func.func @no_tensors(%f: f32) -> f32 {
// CHECK-NEXT:    func.return %f : f32
func.func @no_tensors(%f: f32) -> f32 {
  func.return %f : f32
}
