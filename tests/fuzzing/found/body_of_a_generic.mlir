// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: difference
// mlir-opt-freed: difference
func.func @f(%t: tensor<4xf32>, %o: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%o : tensor<4xf32>) {
  ^bb0(%a: f32):
    %r = tensor.extract %t[%c0] : tensor<4xf32>
    %s = arith.addf %r, %x : f32
    %u = tensor.insert %s into %t[%c0] : tensor<4xf32>
    %v = tensor.extract %u[%c0] : tensor<4xf32>
    linalg.yield %v : f32
  } -> tensor<4xf32>
  func.return %g : tensor<4xf32>
}
