// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s

// One attempt computes %b again for the slice and so removes the loop, which nothing uses then, with
// the concatenation in it: that is not replaced by insertions any more.
// CHECK-LABEL: func.func @removed_with_loop(
// CHECK:         func.return
func.func @removed_with_loop(%t: tensor<8xf32>, %i: index, %f: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %a = scf.for %j = %i to %i step %i iter_args(%h = %t) -> (tensor<8xf32>) {
    %unused = tensor.concat dim(0) %e, %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    scf.yield %h : tensor<8xf32>
  }
  %b = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %c = tensor.expand_shape %b [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %d = tensor.extract_slice %c[1, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
  %r = tensor.insert_slice %d into %b[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %r : tensor<8xf32>
}
