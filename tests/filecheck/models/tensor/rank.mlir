// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @rank(%t: memref<?x4xf32>) -> index {
// CHECK-NEXT:    %r = "memref.rank"(%t) : (memref<?x4xf32>) -> index
// CHECK-NEXT:    func.return %r : index
func.func @rank(%t: tensor<?x4xf32>) -> index {
  %r = "tensor.rank"(%t) : (tensor<?x4xf32>) -> index
  func.return %r : index
}

// CHECK-LABEL: func.func @unranked(%t: memref<*xf32>, %i: index) -> (index, index) {
// CHECK-NEXT:    %r = "memref.rank"(%t) : (memref<*xf32>) -> index
// CHECK-NEXT:    %d = memref.dim %t, %i : memref<*xf32>
// CHECK-NEXT:    func.return %r, %d : index, index
func.func @unranked(%t: tensor<*xf32>, %i: index) -> (index, index) {
  %r = tensor.rank %t : tensor<*xf32>
  %d = tensor.dim %t, %i : tensor<*xf32>
  func.return %r, %d : index, index
}
