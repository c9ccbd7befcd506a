// RUN: xdsl-opt %s | xdsl-opt | filecheck %s

// The block and the attributes stay.
// CHECK: scf.execute_region {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: } {a = 1 : i64}
func.func @f() {
  scf.execute_region {
    scf.yield
  } {a = 1}
  func.return
}
