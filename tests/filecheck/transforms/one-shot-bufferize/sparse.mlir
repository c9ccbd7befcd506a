// RUN: not xdsl-opt %s --allow-unregistered-dialect -p 'one-shot-bufferize' 2>&1 | filecheck %s --check-prefix=ERROR
// RUN: xdsl-opt %s --allow-unregistered-dialect -p 'one-shot-bufferize{test-analysis-only}' | filecheck %s
// RUN: xdsl-opt %s --allow-unregistered-dialect -p 'one-shot-bufferize{dialect-filter=tensor}' | filecheck %s --check-prefix=FILTER

// A memref cannot hold a sparse tensor. The analysis is for those that lower it afterwards,
// with loops that may visit its elements in another order than those of the others.

// ERROR: error: 'linalg.generic' has a sparse tensor, which no memref can hold: tensor<8xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>
// ERROR: hint: lower sparse tensors before

// CHECK:      linalg.generic
// CHECK-SAME:   __inplace_operands_attr__ = ["true", "true", "false"]

// FILTER: linalg.generic {{.*}} tensor<8xf32, #sparse_tensor.encoding
func.func @sparse(%a: tensor<8xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>, %x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %b = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a, %b : tensor<8xf32, #sparse_tensor.encoding<{ map = (d0) -> (d0 : compressed) }>>, tensor<8xf32>) outs(%b : tensor<8xf32>) {
  ^bb0(%s: f32, %y: f32, %z: f32):
    %t = arith.addf %s, %y : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
