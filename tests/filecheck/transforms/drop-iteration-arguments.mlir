// RUN: xdsl-opt %s -p drop-iteration-arguments | filecheck %s

// An iteration argument that is yielded as it came, or is always the same, is the value from
// outside of the loop.
// CHECK-LABEL: func.func @unchanged(
// CHECK-NEXT:    %r = scf.for %i = %l to %u step %s iter_args(%z = %x) -> (f32) {
// CHECK-NEXT:      memref.store %x, %m[%i] : memref<4xf32>
// CHECK-NEXT:      %w = arith.addf %z, %x : f32
// CHECK-NEXT:      scf.yield %w : f32
// CHECK-NEXT:    } {some_attribute}
// CHECK-NEXT:    func.return %m, %x, %r, %x
func.func @unchanged(%m: memref<4xf32>, %x: f32, %l: index, %u: index, %s: index) -> (memref<4xf32>, f32, f32, f32) {
  %r:4 = scf.for %i = %l to %u step %s iter_args(%t = %m, %y = %x, %z = %x, %k = %x) -> (memref<4xf32>, f32, f32, f32) {
    memref.store %y, %t[%i] : memref<4xf32>
    %w = arith.addf %z, %k : f32
    scf.yield %t, %y, %w, %x : memref<4xf32>, f32, f32, f32
  } {some_attribute}
  func.return %r#0, %r#1, %r#2, %r#3 : memref<4xf32>, f32, f32, f32
}

// One whose value does not matter is dropped.
// CHECK-LABEL: func.func @unused(
// CHECK-NEXT:    scf.for %i = %l to %u step %s {
// CHECK-NEXT:      memref.store %x, %m[%i] : memref<4xf32>
// CHECK-NEXT:    }
func.func @unused(%m: memref<4xf32>, %x: f32, %y: f32, %l: index, %u: index, %s: index) {
  %r = scf.for %i = %l to %u step %s iter_args(%t = %x) -> (f32) {
    memref.store %x, %m[%i] : memref<4xf32>
    scf.yield %y : f32
  }
  func.return
}

// These change, or swap places.
// CHECK-LABEL: func.func @changed(
// CHECK:         iter_args(%t = %x, %v = %y, %w = %x) -> (f32, f32, f32)
func.func @changed(%x: f32, %y: f32, %l: index, %u: index, %s: index) -> (f32, f32, f32) {
  %r:3 = scf.for %i = %l to %u step %s iter_args(%t = %x, %v = %y, %w = %x) -> (f32, f32, f32) {
    scf.yield %v, %t, %y : f32, f32, f32
  }
  func.return %r#0, %r#1, %r#2 : f32, f32, f32
}

// What bufferization leaves in a loop.
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT:    scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        memref.store %x, %m[%j]
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %m
func.func @nested(%m: memref<4xf32>, %x: f32, %l: index, %u: index, %s: index) -> memref<4xf32> {
  %r = scf.for %i = %l to %u step %s iter_args(%t = %m) -> (memref<4xf32>) {
    %q = scf.for %j = %l to %u step %s iter_args(%v = %t) -> (memref<4xf32>) {
      memref.store %x, %v[%j] : memref<4xf32>
      scf.yield %v : memref<4xf32>
    }
    scf.yield %q : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}
