// xDSL has no ops on vectors of affine before 0.70.
// REQUIRES: xdsl-0.70
// RUN: xdsl-opt %s | filecheck %s

// Attributes stay, in generic form: xDSL's custom form has no place for them.
// CHECK-LABEL: func.func @attributes(
// CHECK-NEXT: %0 = "affine.vector_load"(%m, %i) <{map = affine_map<(d0) -> (d0, 0)>}> {a = 5 : i64} : (memref<4x8xf32>, index) -> vector<8xf32>
// CHECK-NEXT: "affine.vector_store"(%0, %m, %i, %j) <{map = affine_map<(d0, d1) -> (d0, d1)>}> {a = 6 : i64} : (vector<8xf32>, memref<4x8xf32>, index, index) -> ()
func.func @attributes(%m: memref<4x8xf32>, %i: index, %j: index) {
  %0 = affine.vector_load %m[%i, 0] {a = 5} : memref<4x8xf32>, vector<8xf32>
  affine.vector_store %0, %m[%i, %j] {a = 6} : memref<4x8xf32>, vector<8xf32>
  func.return
}

// Values are dimensions unless they are called symbols.
// CHECK-LABEL: func.func @dimensions(
// CHECK-NEXT: %0 = affine.vector_load %m[%i, 0] : memref<4x8xf32>, vector<8xf32>
// CHECK-NEXT: affine.vector_store %0, %m[%i + 4, %j * 2 - %i] : memref<4x8xf32>, vector<8xf32>
func.func @dimensions(%m: memref<4x8xf32>, %i: index, %j: index) {
  %0 = affine.vector_load %m[%i, 0] : memref<4x8xf32>, vector<8xf32>
  affine.vector_store %0, %m[%i + 4, %j * 2 - %i] : memref<4x8xf32>, vector<8xf32>
  func.return
}
