// RUN: xdsl-opt %s | filecheck %s
// RUN: xdsl-opt %s --print-op-generic | filecheck %s --check-prefix GENERIC

// Attributes stay, and values are dimensions unless they are called symbols.
// CHECK: affine.apply affine_map<(d0)[s0] -> ((d0 + s0))> (%i)[%j] {a = 1 : i64}
// CHECK-NEXT: affine.load %m[%i + 1, symbol(%j) * 2] {a = 2 : i64} : memref<4x8xf32>
// CHECK-NEXT: affine.store %{{.*}}, %m[%i, %i - symbol(%j)] {a = 3 : i64} : memref<4x8xf32>
// CHECK-NEXT: affine.min affine_map<(d0) -> (d0, 4)> (%i) {a = 4 : i64}
// CHECK-NEXT: affine.vector_load %m[%i, 0] {a = 5 : i64} : memref<4x8xf32>, vector<8xf32>
// CHECK-NEXT: affine.vector_store %{{.*}}, %m[%i, %j] {a = 6 : i64} : memref<4x8xf32>, vector<8xf32>
// GENERIC: "affine.load"(%m, %i, %j) <{map = affine_map<(d0)[s0] -> ((d0 + 1), (s0 * 2))>}>
func.func @f(%m: memref<4x8xf32>, %i: index, %j: index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%j] {a = 1}
  %1 = affine.load %m[%i + 1, symbol(%j) * 2] {a = 2} : memref<4x8xf32>
  affine.store %1, %m[%i, %i - symbol(%j)] {a = 3} : memref<4x8xf32>
  %2 = affine.min affine_map<(d0) -> (d0, 4)>(%i) {a = 4}
  %3 = affine.vector_load %m[%i, 0] {a = 5} : memref<4x8xf32>, vector<8xf32>
  affine.vector_store %3, %m[%i, %j] {a = 6} : memref<4x8xf32>, vector<8xf32>
  func.return
}
