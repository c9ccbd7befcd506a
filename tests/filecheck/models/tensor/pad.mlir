// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @static(%t: memref<2x3xf32>, %f: f32) -> memref<5x4xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<5x4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%r : memref<5x4xf32>)
// CHECK-NEXT:    %0 = memref.subview %r[1, 0] [2, 3] [1, 1] : memref<5x4xf32> to memref<2x3xf32, strided<[4, 1], offset: 4>>
// CHECK-NEXT:    "memref.copy"(%t, %0) : (memref<2x3xf32>, memref<2x3xf32, strided<[4, 1], offset: 4>>) -> ()
// CHECK-NEXT:    func.return %r : memref<5x4xf32>
func.func @static(%t: tensor<2x3xf32>, %f: f32) -> tensor<5x4xf32> {
  %r = tensor.pad %t low[1, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<2x3xf32> to tensor<5x4xf32>
  func.return %r : tensor<5x4xf32>
}

// CHECK-LABEL: func.func @dynamic(%t: memref<?x3xf32>, %f: f32, %n: index) -> memref<?x4xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %t, %0 : memref<?x3xf32>
// CHECK-NEXT:    %2 = arith.constant 2 : index
// CHECK-NEXT:    %3 = arith.addi %n, %1 : index
// CHECK-NEXT:    %4 = arith.addi %3, %2 : index
// CHECK-NEXT:    %r = memref.alloc(%4) {alignment = 64 : i64} : memref<?x4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%r : memref<?x4xf32>)
// CHECK-NEXT:    %5 = arith.constant 0 : index
// CHECK-NEXT:    %6 = memref.dim %t, %5 : memref<?x3xf32>
// CHECK-NEXT:    %7 = memref.subview %r[%n, 0] [%6, 3] [1, 1] : memref<?x4xf32> to memref<?x3xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%t, %7) : (memref<?x3xf32>, memref<?x3xf32, strided<[4, 1], offset: ?>>) -> ()
// CHECK-NEXT:    func.return %r : memref<?x4xf32>
func.func @dynamic(%t: tensor<?x3xf32>, %f: f32, %n: index) -> tensor<?x4xf32> {
  %r = tensor.pad %t low[%n, 0] high[2, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?x3xf32> to tensor<?x4xf32>
  func.return %r : tensor<?x4xf32>
}

// The padding depends on the position.
// CHECK-LABEL: func.func @computed(%t: memref<4xindex>) -> memref<6xindex> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<6xindex>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%r : memref<6xindex>) {
// CHECK-NEXT:    ^bb0(%0: index):
// CHECK-NEXT:      %i = linalg.index 0 : index
// CHECK-NEXT:      %s = arith.addi %i, %i : index
// CHECK-NEXT:      linalg.yield %s : index
// CHECK-NEXT:    }
// CHECK-NEXT:    %1 = memref.subview %r[1] [4] [1] : memref<6xindex> to memref<4xindex, strided<[1], offset: 1>>
// CHECK-NEXT:    "memref.copy"(%t, %1) : (memref<4xindex>, memref<4xindex, strided<[1], offset: 1>>) -> ()
// CHECK-NEXT:    func.return %r : memref<6xindex>
func.func @computed(%t: tensor<4xindex>) -> tensor<6xindex> {
  %r = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    %s = arith.addi %i, %i : index
    tensor.yield %s : index
  } : tensor<4xindex> to tensor<6xindex>
  func.return %r : tensor<6xindex>
}
