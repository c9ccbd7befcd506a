// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Each element is computed from those at the same position, so that an input may be the init.
// CHECK-LABEL: func.func @unary(%a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%a : memref<4xf32>) outs(%a : memref<4xf32>)
// CHECK-NEXT:      func.return %a : memref<4xf32>
func.func @unary(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<exp>
    ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @ternary(%c: memref<4xi1>, %a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%c, %a, %b : memref<4xi1>, memref<4xf32>, memref<4xf32>) outs(%b : memref<4xf32>)
// CHECK-NEXT:      func.return %b : memref<4xf32>
func.func @ternary(%c: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<select>
    ins(%c, %a, %b : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// What another input's map is does not matter.
// CHECK-LABEL: func.func @broadcast(%a: memref<4x4xf32>, %v: memref<4xf32>) -> memref<4x4xf32> {
// CHECK-NEXT:      linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%a, %v : memref<4x4xf32>, memref<4xf32>) outs(%a : memref<4x4xf32>)
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
// CHECK-NEXT:      linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%a : memref<4x4xf32>) outs(%r : memref<4x4xf32>)
// CHECK-NEXT:      func.return %r : memref<4x4xf32>
func.func @transposed(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.elementwise kind=#linalg.elementwise_kind<exp>
    indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>]
    ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}
