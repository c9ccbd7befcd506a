// RUN: xdsl-opt %s | filecheck %s

// Attributes stay, in generic form: xDSL's custom form has no place for them.
// CHECK-LABEL: func.func @attributes(
// CHECK-NEXT: %0 = "affine.apply"(%i, %j) <{map = affine_map<(d0)[s0] -> ((d0 + s0))>}> {a = 1 : i64} : (index, index) -> index
// CHECK-NEXT: %1 = "affine.load"(%m, %i, %j) <{map = affine_map<(d0)[s0] -> ((d0 + 1), (s0 * 2))>}> {a = 2 : i64} : (memref<4x8xf32>, index, index) -> f32
// CHECK-NEXT: "affine.store"(%1, %m, %i, %j) <{map = affine_map<(d0)[s0] -> (d0, (d0 + (s0 * -1)))>}> {a = 3 : i64} : (f32, memref<4x8xf32>, index, index) -> ()
// CHECK-NEXT: %2 = "affine.min"(%i) <{map = affine_map<(d0) -> (d0, 4)>}> {a = 4 : i64} : (index) -> index
func.func @attributes(%m: memref<4x8xf32>, %i: index, %j: index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%j] {a = 1}
  %1 = affine.load %m[%i + 1, symbol(%j) * 2] {a = 2} : memref<4x8xf32>
  affine.store %1, %m[%i, %i - symbol(%j)] {a = 3} : memref<4x8xf32>
  %2 = affine.min affine_map<(d0) -> (d0, 4)>(%i) {a = 4}
  func.return
}

// Values are dimensions unless they are called symbols, which xDSL does not read.
// CHECK-LABEL: func.func @symbols(
// CHECK-NEXT: %0 = affine.apply affine_map<(d0)[s0] -> ((d0 + s0))> (%i)[%j]
// CHECK-NEXT: %1 = "affine.load"(%m, %i, %j) <{map = affine_map<(d0)[s0] -> ((d0 + 1), (s0 * 2))>}> : (memref<4x8xf32>, index, index) -> f32
// CHECK-NEXT: "affine.store"(%1, %m, %i, %j) <{map = affine_map<(d0)[s0] -> (d0, (d0 + (s0 * -1)))>}> : (f32, memref<4x8xf32>, index, index) -> ()
// CHECK-NEXT: %2 = affine.min affine_map<(d0) -> (d0, 4)> (%i)
func.func @symbols(%m: memref<4x8xf32>, %i: index, %j: index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%i)[%j]
  %1 = affine.load %m[%i + 1, symbol(%j) * 2] : memref<4x8xf32>
  affine.store %1, %m[%i, %i - symbol(%j)] : memref<4x8xf32>
  %2 = affine.min affine_map<(d0) -> (d0, 4)>(%i)
  func.return
}
