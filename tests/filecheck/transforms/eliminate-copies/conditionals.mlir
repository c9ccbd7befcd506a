// RUN: xdsl-opt %s -p bufferize | filecheck %s

// Each conditional overwrites what the one before yields, or keeps it: one allocation, where mlir-opt
// makes four.
// CHECK-LABEL: func.func @chain(
// CHECK: %e = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
func.func @chain(%c0: i1, %c1: i1, %k: index, %t: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r0 = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r1 = scf.if %c0 -> (tensor<8xf32>) {
    %e0 = tensor.empty() : tensor<8xf32>
    %y0 = linalg.exp ins(%r0 : tensor<8xf32>) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y0 : tensor<8xf32>
  } else {
    scf.yield %r0 : tensor<8xf32>
  }
  %r2 = scf.index_switch %k -> tensor<8xf32>
  case 0 {
    %p = scf.if %c1 -> (tensor<8xf32>) {
      %e1 = tensor.empty() : tensor<8xf32>
      %y1 = linalg.exp ins(%r1 : tensor<8xf32>) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %y1 : tensor<8xf32>
    } else {
      scf.yield %r1 : tensor<8xf32>
    }
    scf.yield %p : tensor<8xf32>
  }
  default {
    %e2 = tensor.empty() : tensor<8xf32>
    %y2 = linalg.exp ins(%r1 : tensor<8xf32>) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y2 : tensor<8xf32>
  }
  func.return %r2 : tensor<8xf32>
}

// What is needed behind the conditional is kept.
// CHECK-LABEL: func.func @used(
// CHECK: memref.alloc
// CHECK: scf.if
// CHECK: memref.alloc
func.func @used(%c0: i1, %t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %r0 = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r1 = scf.if %c0 -> (tensor<8xf32>) {
    %e0 = tensor.empty() : tensor<8xf32>
    %y0 = linalg.exp ins(%r0 : tensor<8xf32>) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y0 : tensor<8xf32>
  } else {
    scf.yield %r0 : tensor<8xf32>
  }
  func.return %r0, %r1 : tensor<8xf32>, tensor<8xf32>
}

// So is what a view of it reads there.
// CHECK-LABEL: func.func @view(
// CHECK: scf.if
// CHECK: memref.alloc
func.func @view(%c0: i1, %t: tensor<8xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r0 = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %v = tensor.extract_slice %r0[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r1 = scf.if %c0 -> (tensor<8xf32>) {
    %e0 = tensor.empty() : tensor<8xf32>
    %y0 = linalg.exp ins(%r0 : tensor<8xf32>) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %y0 : tensor<8xf32>
  } else {
    scf.yield %r0 : tensor<8xf32>
  }
  %w = tensor.extract_slice %r1[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %f = tensor.empty() : tensor<4xf32>
  %s = linalg.add ins(%v, %w : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  func.return %s : tensor<4xf32>
}

// A loop overwrites in each iteration what the next one reads.
// CHECK-LABEL: func.func @loop(
// CHECK: scf.for
// CHECK: scf.if
// CHECK: memref.alloc
func.func @loop(%c0: i1, %t: tensor<8xf32>, %n: index, %i: index) -> f32 {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %r0 = linalg.exp ins(%t : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %l = scf.for %k = %i to %n step %c1 iter_args(%a = %zero) -> (f32) {
    %r1 = scf.if %c0 -> (tensor<8xf32>) {
      %e0 = tensor.empty() : tensor<8xf32>
      %y0 = linalg.exp ins(%r0 : tensor<8xf32>) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %y0 : tensor<8xf32>
    } else {
      scf.yield %r0 : tensor<8xf32>
    }
    %v = tensor.extract %r1[%i] : tensor<8xf32>
    %s = arith.addf %a, %v : f32
    scf.yield %s : f32
  }
  func.return %l : f32
}
