// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// The elements change their type, so the result needs a buffer of its own.
// CHECK-LABEL: func.func @dynamic(%t: memref<?xi32>) -> memref<?xindex> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %t, %0 : memref<?xi32>
// CHECK-NEXT:    %r = memref.alloc(%1) {alignment = 64 : i64} : memref<?xindex>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : memref<?xi32>) outs(%r : memref<?xindex>) {
// CHECK-NEXT:    ^bb0(%2: i32, %3: index):
// CHECK-NEXT:      %4 = "arith.index_castui"(%2) : (i32) -> index
// CHECK-NEXT:      linalg.yield %4 : index
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xindex>
func.func @dynamic(%t: tensor<?xi32>) -> tensor<?xindex> {
  %r = "arith.index_castui"(%t) : (tensor<?xi32>) -> tensor<?xindex>
  func.return %r : tensor<?xindex>
}

// CHECK-LABEL: func.func @static(%t: memref<2x3xindex>) -> memref<2x3xi64> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<2x3xi64>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%t : memref<2x3xindex>) outs(%r : memref<2x3xi64>) {
// CHECK-NEXT:    ^bb0(%0: index, %1: i64):
// CHECK-NEXT:      %2 = "arith.index_castui"(%0) : (index) -> i64
// CHECK-NEXT:      linalg.yield %2 : i64
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<2x3xi64>
func.func @static(%t: tensor<2x3xindex>) -> tensor<2x3xi64> {
  %r = "arith.index_castui"(%t) : (tensor<2x3xindex>) -> tensor<2x3xi64>
  func.return %r : tensor<2x3xi64>
}

// CHECK-LABEL: func.func @rank_zero(%t: memref<i32>) -> memref<index> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<index>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%t : memref<i32>) outs(%r : memref<index>) {
// CHECK-NEXT:    ^bb0(%0: i32, %1: index):
// CHECK-NEXT:      %2 = "arith.index_castui"(%0) : (i32) -> index
// CHECK-NEXT:      linalg.yield %2 : index
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<index>
func.func @rank_zero(%t: tensor<i32>) -> tensor<index> {
  %r = "arith.index_castui"(%t) : (tensor<i32>) -> tensor<index>
  func.return %r : tensor<index>
}
