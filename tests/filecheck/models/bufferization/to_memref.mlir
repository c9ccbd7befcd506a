// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s

// The former name of bufferization.to_buffer: all the same.
// CHECK-LABEL: func.func @written(%b: memref<4xf32>, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:    %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%b, %m) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %x = memref.load %b[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %m, %x : memref<4xf32>, f32
func.func @written(%b: memref<4xf32>, %i: index) -> (memref<4xf32>, f32) {
  %t = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
  %m = bufferization.to_memref %t : tensor<4xf32> to memref<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %m, %x : memref<4xf32>, f32
}

// CHECK-LABEL: func.func @read_only(%b: memref<4xf32>, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:    %x = memref.load %b[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %b, %x : memref<4xf32>, f32
func.func @read_only(%b: memref<4xf32>, %i: index) -> (memref<4xf32>, f32) {
  %t = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
  %m = bufferization.to_memref %t read_only : tensor<4xf32> to memref<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %m, %x : memref<4xf32>, f32
}
