// RUN: xdsl-opt %s -p bufferize | filecheck %s

// mlir-opt copies twice. Both results are computed in the middle of their pads.
// CHECK-NOT: memref.copy

// %x and %s are padded: both can be computed in their pads only if %s is not computed in %x.
func.func @residual(%a: tensor<8x8xf32>, %w: tensor<3x3xf32>) -> tensor<10x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %x = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<10x10xf32>
  %g = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%g : tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = linalg.generic {
    indexing_maps = [affine_map<(a, b, c, d) -> (a + c, b + d)>, affine_map<(a, b, c, d) -> (c, d)>,
                     affine_map<(a, b, c, d) -> (a, b)>],
    iterator_types = ["parallel", "parallel", "reduction", "reduction"]
  } ins(%p, %w : tensor<10x10xf32>, tensor<3x3xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%q: f32, %r: f32, %o: f32):
    %m = arith.mulf %q, %r : f32
    %n = arith.addf %o, %m : f32
    linalg.yield %n : f32
  } -> tensor<8x8xf32>
  %h = tensor.empty() : tensor<8x8xf32>
  %s = linalg.add ins(%x, %c : tensor<8x8xf32>, tensor<8x8xf32>) outs(%h : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = tensor.pad %s low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<8x8xf32> to tensor<10x10xf32>
  func.return %t : tensor<10x10xf32>
}
