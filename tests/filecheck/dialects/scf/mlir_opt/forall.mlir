// REQUIRES: mlir-opt-22
//
// What either tool prints, in custom or generic syntax, the other one reads as the same
// program.
//
// RUN: %mlir-opt %s > %t.expected.mlir
// RUN: xdsl-opt --allow-unregistered-dialect %s | %mlir-opt > %t.custom
// RUN: diff %t.expected.mlir %t.custom
// RUN: xdsl-opt --allow-unregistered-dialect %s --print-op-generic | %mlir-opt > %t.generic
// RUN: diff %t.expected.mlir %t.generic
// RUN: xdsl-opt --allow-unregistered-dialect %t.expected.mlir | %mlir-opt > %t.from_custom
// RUN: diff %t.expected.mlir %t.from_custom
// RUN: %mlir-opt %s --mlir-print-op-generic | xdsl-opt --allow-unregistered-dialect | %mlir-opt > %t.from_generic
// RUN: diff %t.expected.mlir %t.from_generic

func.func @forall(%t: tensor<?x8xf32>, %v: tensor<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %r = scf.forall (%i, %j) = (0, 0) to (%n, 8) step (1, 1) shared_outs(%o = %t) -> tensor<?x8xf32> {
    %e = tensor.extract_slice %o[%i, 0] [4, 8] [1, 1] : tensor<?x8xf32> to tensor<4x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[%i, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<?x8xf32>
    }
  } {mapping = [#gpu.thread<x>, #gpu.thread<y>]}
  %s:2 = scf.forall (%k) = (%c0) to (%n) step (2) shared_outs(%p = %r, %q = %v) -> (tensor<?x8xf32>, tensor<8xf32>) {
  } {note = 1 : i32}
  scf.forall (%l) = (-3) to (%n) step (1) {
    "test.op"(%l) : (index) -> ()
    scf.forall.in_parallel {
    }
  }
  scf.forall () in () {
  }
  func.return
}
