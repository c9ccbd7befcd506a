// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// A named op writes its init, as linalg.generic does.
// CHECK-LABEL: func.func @add(%a: memref<?xi32>, %b: memref<?xi32>, %o: memref<?xi32>) -> memref<?xi32> {
// CHECK-NEXT:    linalg.add ins(%a, %b : memref<?xi32>, memref<?xi32>) outs(%o : memref<?xi32>)
// CHECK-NEXT:    func.return %o : memref<?xi32>
func.func @add(%a: tensor<?xi32>, %b: tensor<?xi32>, %o: tensor<?xi32>) -> tensor<?xi32> {
  %r = linalg.add ins(%a, %b : tensor<?xi32>, tensor<?xi32>) outs(%o : tensor<?xi32>) -> tensor<?xi32>
  func.return %r : tensor<?xi32>
}

// Element by element, in one of its inputs.
// CHECK-LABEL: func.func @add_into_input(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
// CHECK-NEXT:    func.return %a : memref<4xf32>
func.func @add_into_input(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// A product cannot be computed into one of its factors.
// CHECK-LABEL: func.func @matmul_into_input(%a: memref<4x4xf32>, %b: memref<4x4xf32>) -> memref<4x4xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:    "memref.copy"(%a, %r) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
// CHECK-NEXT:    linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%r : memref<4x4xf32>)
// CHECK-NEXT:    func.return %r : memref<4x4xf32>
func.func @matmul_into_input(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// It adds to its init, which is read later, so that the contents are copied.
// CHECK-LABEL: func.func @matmul_reads_init(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %o: memref<?x?xf32>) -> (memref<?x?xf32>, memref<?x?xf32>) {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %o, %0 : memref<?x?xf32>
// CHECK-NEXT:    %2 = arith.constant 1 : index
// CHECK-NEXT:    %3 = memref.dim %o, %2 : memref<?x?xf32>
// CHECK-NEXT:    %r = memref.alloc(%1, %3) {alignment = 64 : i64} : memref<?x?xf32>
// CHECK-NEXT:    "memref.copy"(%o, %r) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
// CHECK-NEXT:    linalg.matmul ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%r : memref<?x?xf32>)
// CHECK-NEXT:    func.return %r, %o : memref<?x?xf32>, memref<?x?xf32>
func.func @matmul_reads_init(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %r, %o : tensor<?x?xf32>, tensor<?x?xf32>
}

// CHECK-LABEL: func.func @add_does_not_read_init(%a: memref<?xf32>, %o: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %o, %0 : memref<?xf32>
// CHECK-NEXT:    %r = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    linalg.add ins(%a, %a : memref<?xf32>, memref<?xf32>) outs(%r : memref<?xf32>)
// CHECK-NEXT:    func.return %r, %o : memref<?xf32>, memref<?xf32>
func.func @add_does_not_read_init(%a: tensor<?xf32>, %o: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = linalg.add ins(%a, %a : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  func.return %r, %o : tensor<?xf32>, tensor<?xf32>
}
