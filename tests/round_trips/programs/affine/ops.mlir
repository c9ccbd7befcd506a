func.func @f(%n: index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%n)[%n]
  return
}
// -----
func.func @f(%n: index) {
  %0 = affine.min affine_map<(d0) -> (d0, 4)>(%n)
  return
}
// -----
func.func @f() {
  affine.for %i = 0 to 4 {
  }
  return
}
// -----
func.func @f(%n: index) {
  affine.for %i = 0 to %n step 2 {
  }
  return
}
// -----
func.func @f(%f: f32) {
  %0 = affine.for %i = 0 to 4 iter_args(%a = %f) -> (f32) {
    affine.yield %a : f32
  }
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%j] {a = 1}
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.apply affine_map<() -> (3)>()
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.apply affine_map<()[s0] -> (s0 * 2)>()[%i]
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.load %m[%i + 1, symbol(%j) * 2] {a = 1} : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.load %m[0, 1] : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.load %m[%i, %i] : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.load %m[(%i + %i - %j * 2 - 4) mod 3, %i - %j + 3] : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.load %m[-%i + 7 floordiv 2, symbol(%j) + %i] : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.load %m[((%i floordiv 2) mod 4) * symbol(%j), %i - symbol(%j) ceildiv 3] : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.load %m[%i, symbol(%j) floordiv 2] : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  affine.store %f, %m[%i, %i + symbol(%j)] {a = 1} : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.min affine_map<(d0)[s0] -> (d0, s0)>(%i)[%j] {a = 1}
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.max affine_map<(d0)[s0] -> (d0, s0)>(%i)[%j] {a = 1}
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.max affine_map<()[s0] -> (3, s0)>()[%i]
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.vector_load %m[%i + 1, %j floordiv 2] {a = 1} : memref<4x8xf32>, vector<8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  affine.vector_store %v, %m[%i, 3] {a = 1} : memref<4x8xf32>, vector<8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  affine.prefetch %m[%i, %j + 5], read, locality<3>, data {a = 1} : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  affine.prefetch %m[%i, %j - 5], write, locality<0>, instr : memref<4x8xf32>
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  affine.parallel (%x, %y) = (0, %i) to (10, symbol(%j)) { affine.yield } {a = 1}
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  affine.parallel () = () to () { }
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.parallel (%x) = (max(0, %i)) to (min(10, %j + 4)) step (2) reduce ("addf") -> f32 { affine.yield %f : f32 }
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %k = arith.constant 1 : i32
  %0:2 = affine.parallel (%x) = (0) to (%i) reduce ("muli", "addi") -> (i32, i32) { affine.yield %k, %k : i32, i32 }
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  affine.parallel (%x, %y) = (max(%i, %j + %i, symbol(%i)), %i) to (min(%i, %i + symbol(%j)), %i) step (1, 3) { "test.op"(%x) : (index) -> () }
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 0)>(%i)[%j] { "test.op"() : () -> () } else { affine.yield } {a = 1}
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  affine.if affine_set<(d0) : (d0 >= 0)>(%i) { }
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.if affine_set<(d0) : (d0 >= 0)>(%i) -> f32 { affine.yield %f : f32 } else { affine.yield %f : f32 }
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0:2 = affine.if affine_set<()[s0] : (s0 >= 0)>()[%i] -> (f32, index) { affine.yield %f, %i : f32, index } else { affine.yield %f, %j : f32, index }
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0:2 = affine.delinearize_index %i into (%j, 4) {a = 1} : index, index
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0:2 = affine.delinearize_index %i into (4) : index, index
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.linearize_index disjoint [%i, %j] by (%i, 5) {a = 1} : index
  return
}
// -----
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index, %f: f32, %v: vector<8xf32>) {
  %0 = affine.linearize_index [%i, %j] by (5) : index
  return
}
