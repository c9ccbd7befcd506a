// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s

// Whoever bufferizes the function may choose the layout that is asked for: it takes no copy.

// CHECK-LABEL: func.func @argument(
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %m = bufferization.to_buffer %t read_only : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %x = memref.load %0[%i]
// CHECK-NEXT:    %y = memref.load %m[%i]
func.func @argument(%t: tensor<?xf32>, %i: index) -> (f32, f32) {
  %m = bufferization.to_buffer %t read_only : tensor<?xf32> to memref<?xf32>
  %x = tensor.extract %t[%i] : tensor<?xf32>
  %y = memref.load %m[%i] : memref<?xf32>
  func.return %x, %y : f32, f32
}

// CHECK-LABEL: func.func @materialized(
// CHECK-NOT:     memref.alloc
// CHECK:         bufferization.to_buffer %t read_only : tensor<5xf32> to memref<5xf32>
func.func @materialized(%t: tensor<5xf32>, %m: memref<5xf32>, %i: index) -> f32 {
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<5xf32>, memref<5xf32>) -> ()
  %b = bufferization.to_buffer %t read_only : tensor<5xf32> to memref<5xf32>
  %x = memref.load %b[%i] : memref<5xf32>
  func.return %x : f32
}

// What was inserted into a copy of the tensor is not seen through the other buffer.
// CHECK-LABEL: func.func @written(
// CHECK:         memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func @written(%t: tensor<?xf32> {bufferization.writable = true}, %i: index, %f: f32) -> (f32, f32, f32) {
  %m = bufferization.to_buffer %t read_only : tensor<?xf32> to memref<?xf32>
  %u = tensor.insert %f into %t[%i] : tensor<?xf32>
  %x = tensor.extract %t[%i] : tensor<?xf32>
  %y = tensor.extract %u[%i] : tensor<?xf32>
  %z = memref.load %m[%i] : memref<?xf32>
  func.return %x, %y, %z : f32, f32, f32
}
