// RUN: not xdsl-opt %s -p one-shot-bufferize 2>&1 | filecheck %s

// xDSL does not verify that values are defined in front of their uses.
// CHECK: 'tensor.insert_slice' uses a tensor before it is defined
// CHECK: it is defined: {{.*}}order.mlir:9:8
func.func @used_before_defined(%t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = tensor.insert_slice %f into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<16xf32>
}
