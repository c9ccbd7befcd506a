// xDSL makes no loops of linalg.fill before 0.71.
// REQUIRES: xdsl-0.71
// RUN: xdsl-opt %s -p canonicalize,convert-linalg-to-loops | filecheck %s

// Once the conversions have folded, the op on memrefs becomes a loop.
// CHECK-LABEL: func.func @fill(%m: memref<4xf32>, %f: f32) {
// CHECK:         scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} {
// CHECK-NEXT:      memref.store %f, %m[%{{.*}}] : memref<4xf32>
func.func @fill(%m: memref<4xf32>, %f: f32) {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
  func.return
}
