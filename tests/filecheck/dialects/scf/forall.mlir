// RUN: XDSL_ROUNDTRIP

// CHECK-LABEL: func.func @forall(
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = "scf.forall"(%n, %t) <{staticLowerBound = array<i64: 0, 0>, staticUpperBound = array<i64: -9223372036854775808, 8>, staticStep = array<i64: 1, 1>, mapping = ["x", "y"], operandSegmentSizes = array<i32: 0, 1, 0, 1>}> ({
// CHECK-NEXT:    ^bb0(%i: index, %j: index, %o: tensor<?x8xf32>):
// CHECK-NEXT:      %e = tensor.extract_slice %o[%i, 0] [4, 8] [1, 1] : tensor<?x8xf32> to tensor<4x8xf32>
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:        "tensor.parallel_insert_slice"(%e, %o, %i) <{static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 4, 8>, static_strides = array<i64: 1, 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4x8xf32>, tensor<?x8xf32>, index) -> ()
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) : (index, tensor<?x8xf32>) -> tensor<?x8xf32>
// CHECK-NEXT:    %s, %u = "scf.forall"(%c0, %n, %r, %v) <{staticLowerBound = array<i64: -9223372036854775808>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 2>, operandSegmentSizes = array<i32: 1, 1, 0, 2>}> ({
// CHECK-NEXT:    ^bb0(%k: index, %p: tensor<?x8xf32>, %q: tensor<8xf32>):
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:      ^bb0:
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) {note} : (index, index, tensor<?x8xf32>, tensor<8xf32>) -> (tensor<?x8xf32>, tensor<8xf32>)
// CHECK-NEXT:    "scf.forall"(%n) <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: -9223372036854775808>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 1, 0, 0>}> ({
// CHECK-NEXT:    ^bb0(%l: index):
// CHECK-NEXT:      "test.op"(%l) : (index) -> ()
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:      ^bb0:
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) : (index) -> ()
// CHECK-NEXT:    "scf.forall"() <{staticLowerBound = array<i64>, staticUpperBound = array<i64>, staticStep = array<i64>, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:      ^bb0:
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) : () -> ()
// CHECK-NEXT:    func.return
func.func @forall(%t: tensor<?x8xf32>, %v: tensor<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %r = scf.forall (%i, %j) = (0, 0) to (%n, 8) step (1, 1) shared_outs(%o = %t) -> tensor<?x8xf32> {
    %e = tensor.extract_slice %o[%i, 0] [4, 8] [1, 1] : tensor<?x8xf32> to tensor<4x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<?x8xf32>
    }
  } {mapping = ["x", "y"]}
  %s, %u = scf.forall (%k) = (%c0) to (%n) step (2) shared_outs(%p = %r, %q = %v) -> (tensor<?x8xf32>, tensor<8xf32>) {
  } {note}
  scf.forall (%l) in (%n) {
    "test.op"(%l) : (index) -> ()
    scf.forall.in_parallel {
    }
  }
  scf.forall () in () {
  }
  func.return
}

// What a parallel run says of itself is not lost.
// CHECK-LABEL: func.func @in_parallel(
// CHECK-NEXT:    "scf.forall"() <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
// CHECK-NEXT:    ^bb0(%i: index):
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:      ^bb0:
// CHECK-NEXT:      }) {note} : () -> ()
// CHECK-NEXT:    }) : () -> ()
func.func @in_parallel() {
  scf.forall (%i) in (4) {
    scf.forall.in_parallel {} {note}
  }
  func.return
}
