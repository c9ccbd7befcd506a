// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def kmeans(c, x):
//         def step(i, c):
//             d = ((x[:, None] - c[None]) ** 2).sum(-1)
//             m = (d == d.min(1, keepdims=True)).astype(jnp.float32)
//             return (m.T @ x) / (m.sum(0)[:, None] + 1e-6)
//
//         return lax.fori_loop(0, 5, step, c)
//
// XLA: 4 bytes copied, peak 2,392 bytes
// bufferize: 0 copies, 0 bytes copied, peak 2,820 bytes

#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d0)>
#map7 = affine_map<(d0, d1) -> (d1, d0)>
#map8 = affine_map<(d0, d1) -> (d0, 0)>
module {
  func.func @f(%arg0: tensor<8x4xf32> {bufferize.aliasing_result = 0 : i32}, %arg1: tensor<64x4xf32> {bufferization.writable = false}) -> tensor<8x4xf32> {
    %cst = arith.constant 9.99999997E-7 : f32
    %cst_0 = arith.constant 0x7F800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %c0_i32 = arith.constant 0 : i32
    %c5_i32 = arith.constant 5 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg2 = %c0_i32 to %c5_i32 step %c1_i32 iter_args(%arg3 = %cst_2, %arg4 = %arg0) -> (tensor<i32>, tensor<8x4xf32>)  : i32 {
      %1 = tensor.empty() : tensor<i32>
      %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%1 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %30 = arith.addi %in, %c1_i32 : i32
        linalg.yield %30 : i32
      } -> tensor<i32>
      %3 = tensor.empty() : tensor<64x8x4xf32>
      %4 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<64x4xf32>) outs(%3 : tensor<64x8x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<64x8x4xf32>
      %5 = linalg.generic {indexing_maps = [#map3, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg4 : tensor<8x4xf32>) outs(%3 : tensor<64x8x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<64x8x4xf32>
      %6 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4, %5 : tensor<64x8x4xf32>, tensor<64x8x4xf32>) outs(%3 : tensor<64x8x4xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %30 = arith.subf %in, %in_3 : f32
        linalg.yield %30 : f32
      } -> tensor<64x8x4xf32>
      %7 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<64x8x4xf32>) outs(%3 : tensor<64x8x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        %30 = arith.mulf %in, %in : f32
        linalg.yield %30 : f32
      } -> tensor<64x8x4xf32>
      %8 = tensor.empty() : tensor<64x8xf32>
      %9 = linalg.fill ins(%cst_1 : f32) outs(%8 : tensor<64x8xf32>) -> tensor<64x8xf32>
      %10 = linalg.generic {indexing_maps = [#map2, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%7 : tensor<64x8x4xf32>) outs(%9 : tensor<64x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %30 = arith.addf %out, %in : f32
        linalg.yield %30 : f32
      } -> tensor<64x8xf32>
      %11 = tensor.empty() : tensor<64xf32>
      %12 = linalg.fill ins(%cst_0 : f32) outs(%11 : tensor<64xf32>) -> tensor<64xf32>
      %13 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction"]} ins(%10 : tensor<64x8xf32>) outs(%12 : tensor<64xf32>) {
      ^bb0(%in: f32, %out: f32):
        %30 = arith.minimumf %out, %in : f32
        linalg.yield %30 : f32
      } -> tensor<64xf32>
      %14 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<64xf32>) outs(%8 : tensor<64x8xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<64x8xf32>
      %15 = tensor.empty() : tensor<64x8xi1>
      %16 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%10, %14 : tensor<64x8xf32>, tensor<64x8xf32>) outs(%15 : tensor<64x8xi1>) {
      ^bb0(%in: f32, %in_3: f32, %out: i1):
        %30 = arith.cmpf oeq, %in, %in_3 : f32
        linalg.yield %30 : i1
      } -> tensor<64x8xi1>
      %17 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<64x8xi1>) outs(%8 : tensor<64x8xf32>) {
      ^bb0(%in: i1, %out: f32):
        %30 = arith.uitofp %in : i1 to f32
        linalg.yield %30 : f32
      } -> tensor<64x8xf32>
      %18 = tensor.empty() : tensor<8x64xf32>
      %19 = linalg.generic {indexing_maps = [#map7, #map5], iterator_types = ["parallel", "parallel"]} ins(%17 : tensor<64x8xf32>) outs(%18 : tensor<8x64xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x64xf32>
      %20 = tensor.empty() : tensor<8x4xf32>
      %21 = linalg.fill ins(%cst_1 : f32) outs(%20 : tensor<8x4xf32>) -> tensor<8x4xf32>
      %22 = linalg.matmul ins(%19, %arg1 : tensor<8x64xf32>, tensor<64x4xf32>) outs(%21 : tensor<8x4xf32>) -> tensor<8x4xf32>
      %23 = tensor.empty() : tensor<8xf32>
      %24 = linalg.fill ins(%cst_1 : f32) outs(%23 : tensor<8xf32>) -> tensor<8xf32>
      %25 = linalg.generic {indexing_maps = [#map7, #map6], iterator_types = ["parallel", "reduction"]} ins(%17 : tensor<64x8xf32>) outs(%24 : tensor<8xf32>) {
      ^bb0(%in: f32, %out: f32):
        %30 = arith.addf %out, %in : f32
        linalg.yield %30 : f32
      } -> tensor<8xf32>
      %expanded = tensor.expand_shape %25 [[0, 1]] output_shape [8, 1] : tensor<8xf32> into tensor<8x1xf32>
      %26 = tensor.empty() : tensor<8x1xf32>
      %27 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%expanded : tensor<8x1xf32>) outs(%26 : tensor<8x1xf32>) {
      ^bb0(%in: f32, %out: f32):
        %30 = arith.addf %in, %cst : f32
        linalg.yield %30 : f32
      } -> tensor<8x1xf32>
      %28 = linalg.generic {indexing_maps = [#map8, #map5], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<8x1xf32>) outs(%20 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<8x4xf32>
      %29 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%22, %28 : tensor<8x4xf32>, tensor<8x4xf32>) outs(%20 : tensor<8x4xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %30 = arith.divf %in, %in_3 : f32
        linalg.yield %30 : f32
      } -> tensor<8x4xf32>
      scf.yield %2, %29 : tensor<i32>, tensor<8x4xf32>
    }
    return %0#1 : tensor<8x4xf32>
  }
}
