// RUN: xdsl-opt %s -p canonicalize | filecheck %s

// A region that yields nothing is not inlined, nor what it ends with erased.
// CHECK-LABEL: func.func @not_yielded
// CHECK-NEXT:    %r = scf.execute_region -> (i32) {
// CHECK-NEXT:      "test.termop"() : () -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : i32
func.func @not_yielded() -> i32 {
  %r = scf.execute_region -> i32 {
    "test.termop"() : () -> ()
  }
  func.return %r : i32
}

// CHECK-LABEL: func.func @nothing_to_yield
// CHECK-NEXT:    scf.execute_region {
// CHECK-NEXT:      "test.termop"() : () -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @nothing_to_yield() {
  scf.execute_region {
    "test.termop"() : () -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @yielded
// CHECK-NEXT:    func.return %x : i32
func.func @yielded(%x: i32) -> i32 {
  %r = scf.execute_region -> i32 {
    scf.yield %x : i32
  }
  func.return %r : i32
}
