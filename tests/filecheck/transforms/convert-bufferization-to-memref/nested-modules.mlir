// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries},convert-bufferization-to-memref' | filecheck %s
// RUN: xdsl-opt %s -p bufferize | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{arena=static},bufferize' | filecheck %s

// Modules within the module stay on tensors, with the ops that connect these to memrefs.

// CHECK: func.func @g(%t: memref<8xf32
func.func @g(%t: tensor<8xf32>, %i: index, %x: f32) -> f32 {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  %y = tensor.extract %r[%i] : tensor<8xf32>
  func.return %y : f32
}
// CHECK: func.func @h(%t: tensor<8xf32>, %i: index)
// CHECK-NEXT: bufferization.alloc_tensor() copy(%t)
// CHECK-NEXT: bufferization.to_buffer
// CHECK-NEXT: memref.load
// CHECK-NEXT: bufferization.to_tensor
builtin.module @inner {
  func.func @h(%t: tensor<8xf32>, %i: index) -> (f32, f32) {
    %c = bufferization.alloc_tensor() copy(%t) : tensor<8xf32>
    %m = bufferization.to_buffer %c : tensor<8xf32> to memref<8xf32>
    %x = memref.load %m[%i] : memref<8xf32>
    %u = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
    %y = tensor.extract %u[%i] : tensor<8xf32>
    func.return %x, %y : f32, f32
  }
}
