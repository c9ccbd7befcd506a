// RUN: xdsl-opt %s -p 'bufferize{no-analysis-func-filter=f}' | filecheck %s

// Each write copies here. The fill is computed again, and so the loop is removed, with the copy of the
// tensor that it yields.
// CHECK-LABEL: func.func @f(
// CHECK-NOT: scf.for
// CHECK: linalg.fill
// CHECK-NOT: scf.for
// CHECK: func.return
func.func @f(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: index, %x: f32) -> tensor<4xf32> {
  %a = scf.for %j = %i to %i step %i iter_args(%h = %t) -> (tensor<4xf32>) {
    %b = tensor.insert %x into %h[%i] : tensor<4xf32>
    %c = tensor.insert %x into %b[%i] : tensor<4xf32>
    scf.yield %c : tensor<4xf32>
  }
  %z = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (0)>], iterator_types = ["reduction"]} ins(%u : tensor<4xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%v: f32, %s: f32):
    linalg.yield %s : f32
  } -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
