// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s

// Loops whose tiles overlap in some way work on a copy of %t.

// The inner loop reads what its last iteration has written.
// CHECK-LABEL: func.func @again
// CHECK:         } {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
// CHECK-NEXT:    func.return
func.func @again(%t: tensor<64xf32>) -> tensor<64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> (tensor<64xf32>) {
    %s = scf.for %j = %c0 to %c8 step %c1 iter_args(%b = %a) -> (tensor<64xf32>) {
      %x = tensor.extract_slice %t[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
      %o = tensor.extract_slice %b[%i] [8] [1] : tensor<64xf32> to tensor<8xf32>
      %e = linalg.exp ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
      %n = tensor.insert_slice %e into %b[%i] [8] [1] : tensor<8xf32> into tensor<64xf32>
      scf.yield %n : tensor<64xf32>
    }
    scf.yield %s : tensor<64xf32>
  }
  func.return %r : tensor<64xf32>
}

// An op that is not elementwise reads elements that it has written.
// CHECK-LABEL: func.func @matmul
// CHECK:         } {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
// CHECK-NEXT:    func.return
func.func @matmul(%t: tensor<64x8xf32>, %w: tensor<8x8xf32>) -> tensor<64x8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> (tensor<64x8xf32>) {
    %x = tensor.extract_slice %t[%i, 0] [8, 8] [1, 1] : tensor<64x8xf32> to tensor<8x8xf32>
    %o = tensor.extract_slice %a[%i, 0] [8, 8] [1, 1] : tensor<64x8xf32> to tensor<8x8xf32>
    %e = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o : tensor<8x8xf32>) -> tensor<8x8xf32>
    %n = tensor.insert_slice %e into %a[%i, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<64x8xf32>
    scf.yield %n : tensor<64x8xf32>
  }
  func.return %r : tensor<64x8xf32>
}

// An elementwise op reads another tile than it writes, with elements in common.
// CHECK-LABEL: func.func @overlapping
// CHECK:         } {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
// CHECK-NEXT:    func.return
func.func @overlapping(%t: tensor<72xf32>) -> tensor<72xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> (tensor<72xf32>) {
    %q = arith.addi %i, %c4 : index
    %x = tensor.extract_slice %t[%q] [8] [1] : tensor<72xf32> to tensor<8xf32>
    %o = tensor.extract_slice %a[%i] [8] [1] : tensor<72xf32> to tensor<8xf32>
    %e = linalg.exp ins(%x : tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
    %n = tensor.insert_slice %e into %a[%i] [8] [1] : tensor<8xf32> into tensor<72xf32>
    scf.yield %n : tensor<72xf32>
  }
  func.return %r : tensor<72xf32>
}

// No later iteration of the outer loop reads what one writes, but threads of the inner loop do.
// CHECK-LABEL: func.func @threads
// CHECK:         } {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
// CHECK-NEXT:    func.return
func.func @threads(%t: tensor<72xf32>) -> tensor<72xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%a = %t) -> (tensor<72xf32>) {
    %q = arith.addi %i, %c4 : index
    %p = tensor.extract_slice %t[%q] [8] [1] : tensor<72xf32> to tensor<8xf32>
    %d = tensor.extract_slice %a[%i] [8] [1] : tensor<72xf32> to tensor<8xf32>
    %s = scf.forall (%j) = (0) to (8) step (2) shared_outs(%b = %d) -> (tensor<8xf32>) {
      %x = tensor.extract_slice %p[%j] [2] [1] : tensor<8xf32> to tensor<2xf32>
      %o = tensor.extract_slice %b[%j] [2] [1] : tensor<8xf32> to tensor<2xf32>
      %e = linalg.exp ins(%x : tensor<2xf32>) outs(%o : tensor<2xf32>) -> tensor<2xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %e into %b[%j] [2] [1] : tensor<2xf32> into tensor<8xf32>
      }
    }
    %n = tensor.insert_slice %s into %a[%i] [8] [1] : tensor<8xf32> into tensor<72xf32>
    scf.yield %n : tensor<72xf32>
  }
  func.return %r : tensor<72xf32>
}
