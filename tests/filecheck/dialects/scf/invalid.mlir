// RUN: xdsl-opt %s --verify-diagnostics --parsing-diagnostics --split-input-file | filecheck %s

%n = "test.op"() : () -> index
scf.forall (%i, %j) = (0) to (%n, 8) step (1, 1) {
}
// CHECK: the lower bound has 1 elements, but the upper bound 2

// -----

%n = "test.op"() : () -> index
"scf.forall"(%n) <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 1, 0, 0>}> ({
^bb0(%i: index):
  "scf.forall.in_parallel"() ({
  ^bb0:
  }) : () -> ()
}) : (index) -> ()
// CHECK: (1) does not match the number of dynamic position markers (0) in the upper bound

// -----

"scf.forall"() <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
  "scf.forall.in_parallel"() ({
  ^bb0:
  }) : () -> ()
}) : () -> ()
// CHECK: the body must have 1 arguments, one for each induction variable and one for each output, but has 0

// -----

"scf.forall"() <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
^bb0(%i: i32):
  "scf.forall.in_parallel"() ({
  ^bb0:
  }) : () -> ()
}) : () -> ()
// CHECK: induction variables must be of type index

// -----

%t = "test.op"() : () -> tensor<8xf32>
%r = "scf.forall"(%t) <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 0, 0, 1>}> ({
^bb0(%i: index, %o: tensor<9xf32>):
  "scf.forall.in_parallel"() ({
  ^bb0:
  }) : () -> ()
}) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: output #0 is of type tensor<8xf32>, but the body's argument for it of type tensor<9xf32>

// -----

%t = "test.op"() : () -> tensor<8xf32>
%r = "scf.forall"(%t) <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 0, 0, 1>}> ({
^bb0(%i: index, %o: tensor<8xf32>):
  "scf.forall.in_parallel"() ({
  ^bb0:
  }) : () -> ()
}) : (tensor<8xf32>) -> tensor<9xf32>
// CHECK: results must have the types of the outputs

// -----

%m = "test.op"() : () -> memref<8xf32>
%r = scf.forall (%i) in (4) shared_outs(%o = %m) -> memref<8xf32> {
}
// CHECK: memref<8xf32> should be of base attribute tensor

// -----

scf.forall (%i) in (4) {
} {mapping = [1, 2]}
// CHECK: the mapping must have 1 elements, one for each induction variable, but has 2

// -----

scf.forall (%i) in (4) {
} {mapping = 1}
// CHECK: the mapping must be an array

// -----

scf.forall (%i) in (4) {
  scf.forall.in_parallel {
    %c = arith.constant 1 : index
  }
}
// CHECK: may only have ops that update an output of the loop, but has arith.constant

// -----

scf.forall.in_parallel {
}
// CHECK: 'scf.forall.in_parallel' expects parent op 'scf.forall'
