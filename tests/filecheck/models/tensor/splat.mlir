// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @static(%f: f32) -> memref<2x3xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<2x3xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%r : memref<2x3xf32>)
// CHECK-NEXT:    func.return %r : memref<2x3xf32>
func.func @static(%f: f32) -> tensor<2x3xf32> {
  %r = tensor.splat %f : tensor<2x3xf32>
  func.return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @dynamic(%f: i8, %n: index) -> memref<?x3xi8> {
// CHECK-NEXT:    %r = memref.alloc(%n) {alignment = 64 : i64} : memref<?x3xi8>
// CHECK-NEXT:    linalg.fill ins(%f : i8) outs(%r : memref<?x3xi8>)
// CHECK-NEXT:    func.return %r : memref<?x3xi8>
func.func @dynamic(%f: i8, %n: index) -> tensor<?x3xi8> {
  %r = tensor.splat %f[%n] : tensor<?x3xi8>
  func.return %r : tensor<?x3xi8>
}

// Elements of type index cannot be filled with: xDSL's linalg.fill knows numbers only.
// CHECK-LABEL: func.func @index(%i: index) -> memref<4xindex> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xindex>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%r : memref<4xindex>) {
// CHECK-NEXT:    ^bb0(%0: index):
// CHECK-NEXT:      linalg.yield %i : index
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<4xindex>
func.func @index(%i: index) -> tensor<4xindex> {
  %r = tensor.splat %i : tensor<4xindex>
  func.return %r : tensor<4xindex>
}
