// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries},canonicalize' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | xdsl-opt -p bufferization-lower-deallocations,canonicalize | filecheck %s
// REQUIRES: xdsl-0.64

// Allocations that the pass made are canonicalized like those that were read.

// CHECK-LABEL: func.func @only_written(
// CHECK-NEXT:    func.return
func.func @only_written(%f: f32, %i: index) {
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %f, %m[%i] : memref<4xf32>
  func.return
}
