// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%a: memref<?x4xf32>, %o: memref<4x?xf32>) -> memref<4x?xf32> {
// CHECK-NEXT:    linalg.transpose ins(%a:memref<?x4xf32>) outs(%o:memref<4x?xf32>) permutation = [1, 0]
// CHECK-NEXT:    func.return %o : memref<4x?xf32>
func.func @in_place(%a: tensor<?x4xf32>, %o: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %r = linalg.transpose ins(%a : tensor<?x4xf32>) outs(%o : tensor<4x?xf32>) permutation = [1, 0]
  func.return %r : tensor<4x?xf32>
}

// A matrix cannot be transposed onto itself.
// CHECK-LABEL: func.func @out_of_place(%a: memref<4x4xf32>) -> memref<4x4xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:    linalg.transpose ins(%a:memref<4x4xf32>) outs(%r:memref<4x4xf32>) permutation = [1, 0]
// CHECK-NEXT:    func.return %r : memref<4x4xf32>
func.func @out_of_place(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.transpose ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) permutation = [1, 0]
  func.return %r : tensor<4x4xf32>
}
