// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// The size of a buffer does not change when it is written: no copy.
// CHECK-LABEL: func.func @dim(%t: memref<?x4xf32>, %f: f32, %i: index) -> (memref<?x4xf32>, index) {
// CHECK-NEXT:    memref.store %f, %t[%i, %i] : memref<?x4xf32>
// CHECK-NEXT:    %d = memref.dim %t, %i : memref<?x4xf32>
// CHECK-NEXT:    func.return %t, %d : memref<?x4xf32>, index
func.func @dim(%t: tensor<?x4xf32>, %f: f32, %i: index) -> (tensor<?x4xf32>, index) {
  %r = tensor.insert %f into %t[%i, %i] : tensor<?x4xf32>
  %d = tensor.dim %t, %i : tensor<?x4xf32>
  func.return %r, %d : tensor<?x4xf32>, index
}
