// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def momentum_linear(w, m, x, y):
//         g = jax.grad(lambda w: ((x @ w - y) ** 2).mean())(w)
//         m = 0.9 * m + g
//         return w - 0.1 * m, m
//
// XLA: 0 bytes copied, peak 304 bytes
// bufferize: 0 copies, 0 bytes copied, peak 288 bytes

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<() -> ()>
#map2 = affine_map<(d0) -> ()>
module {
  func.func @f(%arg0: tensor<64xf32> {bufferize.aliasing_result = 0 : i32}, %arg1: tensor<64xf32> {bufferize.aliasing_result = 1 : i32}, %arg2: tensor<8x64xf32> {bufferization.writable = false}, %arg3: tensor<8xf32> {bufferization.writable = false}) -> (tensor<64xf32>, tensor<64xf32>) {
    %cst = arith.constant 1.250000e-01 : f32
    %cst_0 = arith.constant 1.000000e-01 : f32
    %cst_1 = arith.constant 0.899999976 : f32
    %cst_2 = arith.constant 2.000000e+00 : f32
    %cst_3 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<8xf32>
    %1 = linalg.fill ins(%cst_3 : f32) outs(%0 : tensor<8xf32>) -> tensor<8xf32>
    %2 = linalg.matvec ins(%arg2, %arg0 : tensor<8x64xf32>, tensor<64xf32>) outs(%1 : tensor<8xf32>) -> tensor<8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%2, %arg3 : tensor<8xf32>, tensor<8xf32>) outs(%0 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %16 = arith.subf %in, %in_4 : f32
      linalg.yield %16 : f32
    } -> tensor<8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%3 : tensor<8xf32>) outs(%0 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.mulf %in, %cst_2 : f32
      linalg.yield %16 : f32
    } -> tensor<8xf32>
    %5 = tensor.empty() : tensor<f32>
    %6 = linalg.generic {indexing_maps = [#map1], iterator_types = []} outs(%5 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %7 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel"]} ins(%6 : tensor<f32>) outs(%0 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%7, %4 : tensor<8xf32>, tensor<8xf32>) outs(%0 : tensor<8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %16 = arith.mulf %in, %in_4 : f32
      linalg.yield %16 : f32
    } -> tensor<8xf32>
    %9 = tensor.empty() : tensor<64xf32>
    %10 = linalg.fill ins(%cst_3 : f32) outs(%9 : tensor<64xf32>) -> tensor<64xf32>
    %11 = linalg.vecmat ins(%8, %arg2 : tensor<8xf32>, tensor<8x64xf32>) outs(%10 : tensor<64xf32>) -> tensor<64xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg1 : tensor<64xf32>) outs(%9 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.mulf %in, %cst_1 : f32
      linalg.yield %16 : f32
    } -> tensor<64xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%12, %11 : tensor<64xf32>, tensor<64xf32>) outs(%9 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %16 = arith.addf %in, %in_4 : f32
      linalg.yield %16 : f32
    } -> tensor<64xf32>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%13 : tensor<64xf32>) outs(%9 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.mulf %in, %cst_0 : f32
      linalg.yield %16 : f32
    } -> tensor<64xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%arg0, %14 : tensor<64xf32>, tensor<64xf32>) outs(%9 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %16 = arith.subf %in, %in_4 : f32
      linalg.yield %16 : f32
    } -> tensor<64xf32>
    return %15, %13 : tensor<64xf32>, tensor<64xf32>
  }
}
