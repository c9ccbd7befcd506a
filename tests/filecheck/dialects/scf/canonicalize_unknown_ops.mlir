// RUN: xdsl-opt %s --allow-unregistered-dialect -p canonicalize | filecheck %s

// An op that no dialect defines stays in its loop, also where it would dominate nothing.
// CHECK-LABEL: func.func @unknown_op(
// CHECK:         scf.for
// CHECK-NEXT:      "foo.bar"(%i) : (index) -> ()
// CHECK-NEXT:    }
func.func @unknown_op(%n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    "foo.bar"(%i) : (index) -> ()
    scf.yield
  }
  func.return
}

// Constants still leave it.
// CHECK-LABEL: func.func @constant(
// CHECK:         %c = arith.constant 1.000000e+00 : f32
// CHECK-NEXT:    scf.for
func.func @constant(%n: index, %m: memref<4xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %c = arith.constant 1.0 : f32
    memref.store %c, %m[%i] : memref<4xf32>
    scf.yield
  }
  func.return
}
