func.func @f(%m: memref<?x4xf32>, %s: memref<2x4xf32>) {
  memref.copy %s, %m : memref<2x4xf32> to memref<?x4xf32>
  return
}
// -----
func.func @f(%u: memref<*xf32>) {
  memref.copy %u, %u : memref<*xf32> to memref<*xf32>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>, %d: memref<2x4xf32, 1>) {
  memref.copy %s, %d {a} : memref<2x4xf32> to memref<2x4xf32, 1>
  return
}
// -----
func.func @f() {
  %0 = memref.alloc() : memref<2x4xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = memref.alloc(%n) {alignment = 64 : i64} : memref<?x4xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = memref.alloc(%n)[%n] : memref<?x4xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>
  return
}
// -----
func.func @f() {
  %0 = memref.alloca() : memref<2x4xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = memref.alloca(%n) {alignment = 8} : memref<?x4xf32>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>) {
  memref.dealloc %s : memref<2x4xf32>
  return
}
// -----
func.func @f(%u: memref<*xf32>) {
  memref.dealloc %u : memref<*xf32>
  return
}
// -----
func.func @f(%one: memref<4xf32>) {
  %0 = memref.realloc %one : memref<4xf32> to memref<8xf32>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>, %n: index) {
  %0 = memref.load %s[%n, %n] : memref<2x4xf32>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>, %n: index) {
  %0 = memref.load %s[%n, %n] {nontemporal = true} : memref<2x4xf32>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>, %n: index, %f: f32) {
  memref.store %f, %s[%n, %n] : memref<2x4xf32>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>, %n: index, %f: f32) {
  memref.store %f, %s[%n, %n] {nontemporal = true} : memref<2x4xf32>
  return
}
// -----
func.func @f(%f: f32, %zero: memref<f32>) {
  memref.store %f, %zero[] : memref<f32>
  return
}
// -----
func.func @f(%m: memref<?x4xf32>, %n: index) {
  %0 = memref.dim %m, %n : memref<?x4xf32>
  return
}
// -----
func.func @f(%u: memref<*xf32>, %n: index) {
  %0 = memref.dim %u, %n : memref<*xf32>
  return
}
// -----
func.func @f(%u: memref<*xf32>) {
  %0 = memref.rank %u : memref<*xf32>
  return
}
// -----
func.func @f(%m: memref<?x4xf32>) {
  %0 = memref.rank %m : memref<?x4xf32>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>) {
  %0 = memref.cast %s : memref<2x4xf32> to memref<?x4xf32>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>) {
  %0 = memref.cast %s : memref<2x4xf32> to memref<*xf32>
  return
}
// -----
func.func @f(%u: memref<*xf32>) {
  %0 = memref.cast %u : memref<*xf32> to memref<2x4xf32>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>) {
  %0 = memref.memory_space_cast %s : memref<2x4xf32> to memref<2x4xf32, 1>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>) {
  %0 = memref.subview %s[0, 1] [2, 2] [1, 1] : memref<2x4xf32> to memref<2x2xf32, strided<[4, 1], offset: 1>>
  return
}
// -----
func.func @f(%m: memref<?x4xf32>, %n: index) {
  %0 = memref.subview %m[%n, 0] [%n, 4] [%n, 1] : memref<?x4xf32> to memref<?x4xf32, strided<[?, 1], offset: ?>>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>) {
  %0 = memref.subview %s[0, 0] [1, 4] [1, 1] : memref<2x4xf32> to memref<4xf32, strided<[1]>>
  return
}
// -----
func.func @f(%m: memref<?x4xf32>, %n: index) {
  %0 = memref.reinterpret_cast %m to offset: [0], sizes: [%n, 4], strides: [4, 1] : memref<?x4xf32> to memref<?x4xf32, strided<[4, 1]>>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>, %sh: memref<2xindex>) {
  %0 = memref.reshape %s(%sh) : (memref<2x4xf32>, memref<2xindex>) -> memref<?x?xf32>
  return
}
// -----
func.func @f(%one: memref<4xf32>) {
  %0 = memref.expand_shape %one [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  return
}
// -----
func.func @f(%n: index, %dyn: memref<?xf32>) {
  %0 = memref.expand_shape %dyn [[0, 1]] output_shape [%n, 2] : memref<?xf32> into memref<?x2xf32>
  return
}
// -----
func.func @f(%s: memref<2x4xf32>) {
  %0 = memref.collapse_shape %s [[0, 1]] : memref<2x4xf32> into memref<8xf32>
  return
}
// -----
func.func @f(%zero1: memref<1x1xf32>) {
  %0 = memref.collapse_shape %zero1 [] : memref<1x1xf32> into memref<f32>
  return
}
// -----
func.func @f(%n: index, %b: memref<64xi8>) {
  %0 = memref.view %b[%n][] : memref<64xi8> to memref<2x4xf32>
  return
}
// -----
func.func @f(%n: index, %b: memref<64xi8>) {
  %0 = memref.view %b[%n][%n] : memref<64xi8> to memref<?x4xf32>
  return
}
// -----
func.func @f(%m: memref<?x4xf32>) {
  %base, %off, %sz:2, %st:2 = memref.extract_strided_metadata %m : memref<?x4xf32> -> memref<f32>, index, index, index, index, index
  return
}
// -----
func.func @f(%s: memref<2x4xf32>) {
  %0 = memref.extract_aligned_pointer_as_index %s : memref<2x4xf32> -> index
  return
}
// -----
func.func @f(%s: memref<2x4xf32>) {
  %0 = memref.assume_alignment %s, 16 : memref<2x4xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %mi: memref<4xi32>, %i: index, %f: f32, %n: i32) {
  %0 = memref.atomic_rmw addf %f, %m[%i, %i] {a = 1} : (f32, memref<4x8xf32>) -> f32
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %mi: memref<4xi32>, %i: index, %f: f32, %n: i32) {
  %0 = memref.atomic_rmw minu %n, %mi[%i] : (i32, memref<4xi32>) -> i32
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %mi: memref<4xi32>, %i: index, %f: f32, %n: i32) {
  %0 = memref.transpose %m (i, j) -> (j, i) {a = 1} : memref<4x8xf32> to memref<8x4xf32, strided<[1, 8]>>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %mi: memref<4xi32>, %i: index, %f: f32, %n: i32) {
  %0 = memref.transpose %m (i, j) -> (j, i) : memref<4x8xf32> to memref<8x4xf32, affine_map<(d0, d1) -> (d1 * 8 + d0)>>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %mi: memref<4xi32>, %i: index, %f: f32, %n: i32) {
  memref.prefetch %m[%i, %i], read, locality<3>, data : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %mi: memref<4xi32>, %i: index, %f: f32, %n: i32) {
  memref.prefetch %m[%i, %i], write, locality<0>, instr : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %mi: memref<4xi32>, %i: index, %f: f32, %n: i32) {
  memref.alloca_scope { "test.op"() : () -> () }
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %mi: memref<4xi32>, %i: index, %f: f32, %n: i32) {
  %0 = memref.alloca_scope -> f32 { memref.alloca_scope.return %f : f32 } {a = 1}
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %mi: memref<4xi32>, %i: index, %f: f32, %n: i32) {
  %0:2 = memref.alloca_scope -> (f32, f32) { memref.alloca_scope.return {b = 1} %f, %f : f32, f32 }
  return
}
// -----
func.func @rmw(%m: memref<10xf32>, %i: index) -> f32 {
  %x = memref.generic_atomic_rmw %m[%i] : memref<10xf32> {
  ^bb0(%c: f32):
    %k = arith.constant 1.0 : f32
    %n = arith.addf %k, %c : f32
    memref.atomic_yield %n : f32
  }
  return %x : f32
}
// -----
func.func @d(%a: memref<?xf32>, %b: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
  %1, %2 = memref.distinct_objects %a, %b : memref<?xf32>, memref<?xf32>
  return %1, %2 : memref<?xf32>, memref<?xf32>
}
// -----
func.func @f(%m: memref<4x?xi32>, %i: index, %x: i32) -> i32 {
  %0 = memref.generic_atomic_rmw %m[%i, %i] : memref<4x?xi32> {
  ^bb0(%c: i32):
    %n = arith.maxsi %x, %c : i32
    memref.atomic_yield %n : i32
  } {my.attr}
  return %0 : i32
}
// -----
func.func @f(%u: memref<*xf32>, %n: index) {
  %0 = memref.reinterpret_cast %u to offset: [%n], sizes: [4], strides: [1] {my = 1} : memref<*xf32> to memref<4xf32, strided<[1], offset: ?>>
  return
}
// -----
func.func @f(%u: memref<*xf32, 1>) {
  %0 = memref.reinterpret_cast %u to offset: [0], sizes: [], strides: [] : memref<*xf32, 1> to memref<f32, 1>
  return
}
// -----
func.func @f(%m: memref<?xf32>) {
  %0 = memref.reinterpret_cast %m to offset: [3], sizes: [4], strides: [2] : memref<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  return
}
// -----
func.func @f(%u: memref<*xf32>) {
  %0 = memref.memory_space_cast %u : memref<*xf32> to memref<*xf32, 1>
  return
}
// -----
func.func @f(%m: memref<*xf32, "near">) {
  %0 = memref.memory_space_cast %m : memref<*xf32, "near"> to memref<*xf32>
  return
}
// -----
func.func @f(%m: memref<?xf32, strided<[2]>>) {
  %0 = memref.memory_space_cast %m : memref<?xf32, strided<[2]>> to memref<?xf32, strided<[2]>, 1>
  return
}
