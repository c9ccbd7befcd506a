// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @extract(%t: memref<?x4xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %x = memref.load %t[%i, %i] : memref<?x4xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @extract(%t: tensor<?x4xf32>, %i: index) -> f32 {
  %x = tensor.extract %t[%i, %i] : tensor<?x4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @rank_zero(%t: memref<i1>) -> i1 {
// CHECK-NEXT:    %x = memref.load %t[] : memref<i1>
// CHECK-NEXT:    func.return %x : i1
func.func @rank_zero(%t: tensor<i1>) -> i1 {
  %x = tensor.extract %t[] : tensor<i1>
  func.return %x : i1
}
