// RUN: xdsl-opt %s --print-op-generic --split-input-file --parsing-diagnostics | filecheck %s

// Divisions bind as tightly as products, from left to right; a minus sign binds tighter.
// CHECK-LABEL: sym_name = "precedence"
// CHECK: affine_map<(d0, d1) -> (((((d0 * 3) + 3) + ((((d1 * -2) mod 4) floordiv 2) ceildiv 3)) + -2), ((d0 * -1) + 4))>
func.func @precedence(%m: memref<4x8xf32>, %i: index, %j: index) {
  %0 = affine.load %m[(%i + 1) * 3 + 2 * -%j mod 4 floordiv 2 ceildiv 3 - 2, -(%i - 4)] : memref<4x8xf32>
  func.return
}

// Each value is one dimension, or one symbol, also if it is one of several results.
// CHECK-LABEL: sym_name = "values"
// CHECK: "affine.load"(%m, %k, %k_1, %i) <{map = affine_map<(d0, d1)[s0] -> (((d0 + d1) + d0), ((d1 * s0) + 16))>}>
// CHECK: "affine.load"(%m, %i, %k, %k_1) <{map = affine_map<(d0)[s0, s1] -> ((d0 floordiv s0), (d0 mod (s0 * s1)))>}>
func.func @values(%m: memref<4x8xf32>, %i: index) {
  %k:2 = "test.op"() : () -> (index, index)
  %0 = affine.load %m[%k#0 + %k#1 + %k#0, %k#1 * symbol(%i) + 0x10] : memref<4x8xf32>
  %1 = affine.load %m[%i floordiv symbol(%k#0), %i mod (symbol(%k#0) * symbol(%k#1))] : memref<4x8xf32>
  func.return
}

// -----

// CHECK: d0 * d1 is not affine
func.func @product(%m: memref<4xf32>, %i: index, %j: index) {
  %0 = affine.load %m[%i * %j] : memref<4xf32>
  func.return
}

// -----

// CHECK: Expected primary expression
func.func @no_operand(%m: memref<4xf32>, %i: index) {
  %0 = affine.load %m[%i +] : memref<4xf32>
  func.return
}

// -----

// CHECK: Expected closing parenthesis
func.func @no_parenthesis(%m: memref<4xf32>, %i: index) {
  %0 = affine.load %m[(%i + 1] : memref<4xf32>
  func.return
}
