// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%a: memref<2x?xf32>, %o: memref<2x?xf32>) -> memref<2x?xf32> {
// CHECK-NEXT:    "linalg.softmax"(%a, %o) <{dimension = 1 : i64}> : (memref<2x?xf32>, memref<2x?xf32>) -> ()
// CHECK-NEXT:    func.return %o : memref<2x?xf32>
func.func @in_place(%a: tensor<2x?xf32>, %o: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %r = "linalg.softmax"(%a, %o) <{dimension = 1 : i64}> : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %r : tensor<2x?xf32>
}

// It needs all of its input for each element, and nothing of its init.
// CHECK-LABEL: func.func @same(%o: memref<2x?xf32>) -> memref<2x?xf32> {
// CHECK-NEXT:    %0 = arith.constant 1 : index
// CHECK-NEXT:    %1 = memref.dim %o, %0 : memref<2x?xf32>
// CHECK-NEXT:    %r = memref.alloc(%1) {alignment = 64 : i64} : memref<2x?xf32>
// CHECK-NEXT:    "linalg.softmax"(%o, %r) <{dimension = 1 : i64}> : (memref<2x?xf32>, memref<2x?xf32>) -> ()
// CHECK-NEXT:    func.return %r : memref<2x?xf32>
func.func @same(%o: tensor<2x?xf32>) -> tensor<2x?xf32> {
  %r = "linalg.softmax"(%o, %o) <{dimension = 1 : i64}> : (tensor<2x?xf32>, tensor<2x?xf32>) -> tensor<2x?xf32>
  func.return %r : tensor<2x?xf32>
}
