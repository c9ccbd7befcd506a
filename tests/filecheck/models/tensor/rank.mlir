// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @rank(%t: memref<?x4xf32>) -> index {
// CHECK-NEXT:    %r = "memref.rank"(%t) : (memref<?x4xf32>) -> index
// CHECK-NEXT:    func.return %r : index
func.func @rank(%t: tensor<?x4xf32>) -> index {
  %r = "tensor.rank"(%t) : (tensor<?x4xf32>) -> index
  func.return %r : index
}
