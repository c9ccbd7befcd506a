// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @tensor_destination(%s: memref<?xf32>, %d: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:    "memref.copy"(%s, %d) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    func.return %d : memref<?xf32>
func.func @tensor_destination(%s: tensor<?xf32>, %d: tensor<?xf32>) -> tensor<?xf32> {
  %r = bufferization.materialize_in_destination %s in %d : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @memref_destination(%s: memref<4xf32>, %d: memref<4xf32, strided<[2], offset: ?>>) {
// CHECK-NEXT:    "memref.copy"(%s, %d) : (memref<4xf32>, memref<4xf32, strided<[2], offset: ?>>) -> ()
// CHECK-NEXT:    func.return
func.func @memref_destination(%s: tensor<4xf32>, %d: memref<4xf32, strided<[2], offset: ?>>) {
  bufferization.materialize_in_destination %s in restrict writable %d : (tensor<4xf32>, memref<4xf32, strided<[2], offset: ?>>) -> ()
  func.return
}

// CHECK-LABEL: func.func @rank_zero(%s: memref<f32>, %d: memref<f32>) -> memref<f32> {
// CHECK-NEXT:    "memref.copy"(%s, %d) : (memref<f32>, memref<f32>) -> ()
// CHECK-NEXT:    func.return %d : memref<f32>
func.func @rank_zero(%s: tensor<f32>, %d: tensor<f32>) -> tensor<f32> {
  %r = bufferization.materialize_in_destination %s in %d : (tensor<f32>, tensor<f32>) -> tensor<f32>
  func.return %r : tensor<f32>
}
