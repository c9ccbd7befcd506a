// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation | filecheck %s

// The buffer of a tensor belongs to whoever has the tensor, like an argument to the caller.

// CHECK-LABEL: func.func @to_buffer(
// CHECK-NOT:     bufferization.dealloc
func.func @to_buffer(%t: tensor<4xf32>, %i: index) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %x = memref.load %m[%i] : memref<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @returned(
// CHECK-NEXT:    %m = bufferization.to_buffer %t
// CHECK-NEXT:    %0 = bufferization.clone %m
// CHECK-NEXT:    func.return %0
func.func @returned(%t: tensor<4xf32>) -> memref<4xf32> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  func.return %m : memref<4xf32>
}
