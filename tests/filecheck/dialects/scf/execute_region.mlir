// RUN: xdsl-opt %s | xdsl-opt | filecheck %s

// The block and the attributes stay, these in generic form: xDSL loses them in custom form.
// CHECK: "scf.execute_region"() ({
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }) {a = 1 : i64} : () -> ()
// CHECK: scf.execute_region {
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
func.func @f() {
  scf.execute_region {
    scf.yield
  } {a = 1}
  scf.execute_region {
    scf.yield
  }
  func.return
}
