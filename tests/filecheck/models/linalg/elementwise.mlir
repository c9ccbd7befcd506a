// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Each element is computed from those at the same position, so that an input may be the init.
// CHECK-LABEL: func.func @unary(%a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      "linalg.elementwise"(%a, %a) <{operandSegmentSizes = array<i32: 1, 1>, kind = #linalg.elementwise_kind<exp>, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}> ({
// CHECK-NEXT:      ^bb0(%0: f32, %1: f32):
// CHECK-NEXT:        %2 = math.exp %0 : f32
// CHECK-NEXT:        linalg.yield %2 : f32
// CHECK-NEXT:      }) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return %a : memref<4xf32>
func.func @unary(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<exp>
    ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @ternary(%c: memref<4xi1>, %a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      "linalg.elementwise"(%c, %a, %b, %b) <{operandSegmentSizes = array<i32: 3, 1>, kind = #linalg.elementwise_kind<select>, indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>]}> ({
// CHECK-NEXT:      ^bb0(%0: i1, %1: f32, %2: f32, %3: f32):
// CHECK-NEXT:        %4 = arith.select %0, %1, %2 : f32
// CHECK-NEXT:        linalg.yield %4 : f32
// CHECK-NEXT:      }) : (memref<4xi1>, memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return %b : memref<4xf32>
func.func @ternary(%c: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<select>
    ins(%c, %a, %b : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// What another input's map is does not matter.
// CHECK-LABEL: func.func @broadcast(%a: memref<4x4xf32>, %v: memref<4xf32>) -> memref<4x4xf32> {
// CHECK-NEXT:      "linalg.elementwise"(%a, %v, %a) <{operandSegmentSizes = array<i32: 2, 1>, kind = #linalg.elementwise_kind<add>, indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]}> ({
// CHECK-NEXT:      ^bb0(%0: f32, %1: f32, %2: f32):
// CHECK-NEXT:        %3 = arith.addf %0, %1 : f32
// CHECK-NEXT:        linalg.yield %3 : f32
// CHECK-NEXT:      }) : (memref<4x4xf32>, memref<4xf32>, memref<4x4xf32>) -> ()
// CHECK-NEXT:      func.return %a : memref<4x4xf32>
func.func @broadcast(%a: tensor<4x4xf32>, %v: tensor<4xf32>) -> tensor<4x4xf32> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add>
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>]
    ins(%a, %v : tensor<4x4xf32>, tensor<4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// Elements at other positions are read after they would be overwritten.
// CHECK-LABEL: func.func @transposed(%a: memref<4x4xf32>) -> memref<4x4xf32> {
// CHECK-NEXT:      %r = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:      "linalg.elementwise"(%a, %r) <{operandSegmentSizes = array<i32: 1, 1>, kind = #linalg.elementwise_kind<exp>, indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]}> ({
// CHECK-NEXT:      ^bb0(%0: f32, %1: f32):
// CHECK-NEXT:        %2 = math.exp %0 : f32
// CHECK-NEXT:        linalg.yield %2 : f32
// CHECK-NEXT:      }) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
// CHECK-NEXT:      func.return %r : memref<4x4xf32>
func.func @transposed(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<exp>
    indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]
    ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}
