// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @static(%a: memref<2x3xf32>, %b: memref<4x3xf32>) -> memref<6x3xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<6x3xf32>
// CHECK-NEXT:    %0 = memref.subview %r[0, 0] [2, 3] [1, 1] : memref<6x3xf32> to memref<2x3xf32, strided<[3, 1]>>
// CHECK-NEXT:    "memref.copy"(%a, %0) : (memref<2x3xf32>, memref<2x3xf32, strided<[3, 1]>>) -> ()
// CHECK-NEXT:    %1 = memref.subview %r[2, 0] [4, 3] [1, 1] : memref<6x3xf32> to memref<4x3xf32, strided<[3, 1], offset: 6>>
// CHECK-NEXT:    "memref.copy"(%b, %1) : (memref<4x3xf32>, memref<4x3xf32, strided<[3, 1], offset: 6>>) -> ()
// CHECK-NEXT:    func.return %r : memref<6x3xf32>
func.func @static(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> tensor<6x3xf32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<6x3xf32>
  func.return %r : tensor<6x3xf32>
}

// CHECK-LABEL: func.func @dynamic(%a: memref<?x3xi8>, %b: memref<?x4xi8>) -> memref<?x7xi8> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %a, %0 : memref<?x3xi8>
// CHECK-NEXT:    %2 = arith.constant 0 : index
// CHECK-NEXT:    %3 = memref.dim %b, %2 : memref<?x4xi8>
// CHECK-NEXT:    %r = memref.alloc(%1) {alignment = 64 : i64} : memref<?x7xi8>
// CHECK-NEXT:    %4 = arith.constant 0 : index
// CHECK-NEXT:    %5 = memref.dim %a, %4 : memref<?x3xi8>
// CHECK-NEXT:    %6 = memref.subview %r[0, 0] [%5, 3] [1, 1] : memref<?x7xi8> to memref<?x3xi8, strided<[7, 1]>>
// CHECK-NEXT:    "memref.copy"(%a, %6) : (memref<?x3xi8>, memref<?x3xi8, strided<[7, 1]>>) -> ()
// CHECK-NEXT:    %7 = arith.constant 0 : index
// CHECK-NEXT:    %8 = memref.dim %b, %7 : memref<?x4xi8>
// CHECK-NEXT:    %9 = memref.subview %r[0, 3] [%8, 4] [1, 1] : memref<?x7xi8> to memref<?x4xi8, strided<[7, 1], offset: 3>>
// CHECK-NEXT:    "memref.copy"(%b, %9) : (memref<?x4xi8>, memref<?x4xi8, strided<[7, 1], offset: 3>>) -> ()
// CHECK-NEXT:    func.return %r : memref<?x7xi8>
func.func @dynamic(%a: tensor<?x3xi8>, %b: tensor<?x4xi8>) -> tensor<?x7xi8> {
  %r = tensor.concat dim(1) %a, %b : (tensor<?x3xi8>, tensor<?x4xi8>) -> tensor<?x7xi8>
  func.return %r : tensor<?x7xi8>
}

// CHECK-LABEL: func.func @dynamic_sum(%a: memref<?xf32>, %b: memref<4xf32>, %c: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %a, %0 : memref<?xf32>
// CHECK-NEXT:    %2 = arith.constant 0 : index
// CHECK-NEXT:    %3 = memref.dim %c, %2 : memref<?xf32>
// CHECK-NEXT:    %4 = arith.constant 4 : index
// CHECK-NEXT:    %5 = arith.addi %1, %3 : index
// CHECK-NEXT:    %6 = arith.addi %5, %4 : index
// CHECK-NEXT:    %r = memref.alloc(%6) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    %7 = arith.constant 0 : index
// CHECK-NEXT:    %8 = memref.dim %a, %7 : memref<?xf32>
// CHECK-NEXT:    %9 = memref.subview %r[0] [%8] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:    "memref.copy"(%a, %9) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:    %10 = memref.subview %r[%1] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%b, %10) : (memref<4xf32>, memref<4xf32, strided<[1], offset: ?>>) -> ()
// CHECK-NEXT:    %11 = arith.constant 4 : index
// CHECK-NEXT:    %12 = arith.addi %1, %11 : index
// CHECK-NEXT:    %13 = arith.constant 0 : index
// CHECK-NEXT:    %14 = memref.dim %c, %13 : memref<?xf32>
// CHECK-NEXT:    %15 = memref.subview %r[%12] [%14] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%c, %15) : (memref<?xf32>, memref<?xf32, strided<[1], offset: ?>>) -> ()
// CHECK-NEXT:    %16 = arith.addi %12, %3 : index
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @dynamic_sum(%a: tensor<?xf32>, %b: tensor<4xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %r = tensor.concat dim(0) %a, %b, %c : (tensor<?xf32>, tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}
