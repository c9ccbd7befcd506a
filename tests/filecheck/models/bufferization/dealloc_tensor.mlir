// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @dealloc_tensor(%f: f32, %i: index) -> f32 {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    memref.store %f, %t[%i] : memref<4xf32>
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:    memref.dealloc %t : memref<4xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @dealloc_tensor(%f: f32, %i: index) -> f32 {
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %r[%i] : tensor<4xf32>
  bufferization.dealloc_tensor %r : tensor<4xf32>
  func.return %x : f32
}
