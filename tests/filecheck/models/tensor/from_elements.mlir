// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @from_elements(%a: f32, %b: f32, %c: f32, %d: f32) -> memref<2x2xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<2x2xf32>
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = arith.constant 1 : index
// CHECK-NEXT:    memref.store %a, %r[%0, %0] : memref<2x2xf32>
// CHECK-NEXT:    memref.store %b, %r[%0, %1] : memref<2x2xf32>
// CHECK-NEXT:    memref.store %c, %r[%1, %0] : memref<2x2xf32>
// CHECK-NEXT:    memref.store %d, %r[%1, %1] : memref<2x2xf32>
// CHECK-NEXT:    func.return %r : memref<2x2xf32>
func.func @from_elements(%a: f32, %b: f32, %c: f32, %d: f32) -> tensor<2x2xf32> {
  %r = tensor.from_elements %a, %b, %c, %d : tensor<2x2xf32>
  func.return %r : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @rank_zero(%a: i8) -> memref<i8> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<i8>
// CHECK-NEXT:    memref.store %a, %r[] : memref<i8>
// CHECK-NEXT:    func.return %r : memref<i8>
func.func @rank_zero(%a: i8) -> tensor<i8> {
  %r = tensor.from_elements %a : tensor<i8>
  func.return %r : tensor<i8>
}
