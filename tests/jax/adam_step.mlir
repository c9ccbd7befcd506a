// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def adamlike(params, grads, m, v, t):
//         out = []
//         for p, g, a, b in zip(params, grads, m, v):
//             a = 0.9 * a + 0.1 * g
//             b = 0.999 * b + 0.001 * g * g
//             out.append((p - 0.01 * a / (jnp.sqrt(b) + 1e-8), a, b))
//         return out
//
//
//     def adam_step(w1, w2, m1, m2, v1, v2, x, y):
//         loss = lambda p: (((jnp.tanh(x @ p[0])) @ p[1] - y) ** 2).mean()
//         g = jax.grad(loss)((w1, w2))
//         r = adamlike((w1, w2), g, (m1, m2), (v1, v2), 1)
//         return r[0][0], r[1][0], r[0][1], r[1][1], r[0][2], r[1][2]
//
// XLA: 2,560 bytes copied, peak 14,896 bytes
// bufferize: 0 copies, 0 bytes copied, peak 12,288 bytes

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<() -> ()>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<(d0, d1) -> (d1, d0)>
module {
  func.func @f(%arg0: tensor<32x64xf32> {bufferize.aliasing_result = 0 : i32}, %arg1: tensor<64x10xf32> {bufferize.aliasing_result = 1 : i32}, %arg2: tensor<32x64xf32> {bufferize.aliasing_result = 2 : i32}, %arg3: tensor<64x10xf32> {bufferize.aliasing_result = 3 : i32}, %arg4: tensor<32x64xf32> {bufferize.aliasing_result = 4 : i32}, %arg5: tensor<64x10xf32> {bufferize.aliasing_result = 5 : i32}, %arg6: tensor<16x32xf32> {bufferization.writable = false}, %arg7: tensor<16x10xf32> {bufferization.writable = false}) -> (tensor<32x64xf32>, tensor<64x10xf32>, tensor<32x64xf32>, tensor<64x10xf32>, tensor<32x64xf32>, tensor<64x10xf32>) {
    %cst = arith.constant 6.250000e-03 : f32
    %cst_0 = arith.constant 9.99999993E-9 : f32
    %cst_1 = arith.constant 0.00999999977 : f32
    %cst_2 = arith.constant 1.000000e-03 : f32
    %cst_3 = arith.constant 9.990000e-01 : f32
    %cst_4 = arith.constant 1.000000e-01 : f32
    %cst_5 = arith.constant 0.899999976 : f32
    %cst_6 = arith.constant 2.000000e+00 : f32
    %cst_7 = arith.constant 1.000000e+00 : f32
    %cst_8 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x64xf32>
    %1 = linalg.fill ins(%cst_8 : f32) outs(%0 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %2 = linalg.matmul ins(%arg6, %arg0 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<16x64xf32>) outs(%0 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = math.tanh %in : f32
      linalg.yield %57 : f32
    } -> tensor<16x64xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<16x64xf32>) outs(%0 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.subf %cst_7, %in : f32
      linalg.yield %57 : f32
    } -> tensor<16x64xf32>
    %5 = tensor.empty() : tensor<16x10xf32>
    %6 = linalg.fill ins(%cst_8 : f32) outs(%5 : tensor<16x10xf32>) -> tensor<16x10xf32>
    %7 = linalg.matmul ins(%3, %arg1 : tensor<16x64xf32>, tensor<64x10xf32>) outs(%6 : tensor<16x10xf32>) -> tensor<16x10xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %arg7 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%5 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.subf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<16x10xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%8 : tensor<16x10xf32>) outs(%5 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_6 : f32
      linalg.yield %57 : f32
    } -> tensor<16x10xf32>
    %10 = tensor.empty() : tensor<f32>
    %11 = linalg.generic {indexing_maps = [#map1], iterator_types = []} outs(%10 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst : f32
    } -> tensor<f32>
    %12 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%11 : tensor<f32>) outs(%5 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<16x10xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%12, %9 : tensor<16x10xf32>, tensor<16x10xf32>) outs(%5 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.mulf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<16x10xf32>
    %14 = tensor.empty() : tensor<10x16xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%13 : tensor<16x10xf32>) outs(%14 : tensor<10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x16xf32>
    %16 = tensor.empty() : tensor<10x64xf32>
    %17 = linalg.fill ins(%cst_8 : f32) outs(%16 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %18 = linalg.matmul ins(%15, %3 : tensor<10x16xf32>, tensor<16x64xf32>) outs(%17 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %19 = tensor.empty() : tensor<64x10xf32>
    %20 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<10x64xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x10xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<64x10xf32>) outs(%16 : tensor<10x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x64xf32>
    %22 = linalg.matmul ins(%13, %21 : tensor<16x10xf32>, tensor<10x64xf32>) outs(%1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %4 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%0 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.mulf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<16x64xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%23, %3 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%0 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.mulf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<16x64xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%23, %24 : tensor<16x64xf32>, tensor<16x64xf32>) outs(%0 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.addf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<16x64xf32>
    %26 = tensor.empty() : tensor<64x16xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<16x64xf32>) outs(%26 : tensor<64x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x16xf32>
    %28 = tensor.empty() : tensor<64x32xf32>
    %29 = linalg.fill ins(%cst_8 : f32) outs(%28 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %30 = linalg.matmul ins(%27, %arg6 : tensor<64x16xf32>, tensor<16x32xf32>) outs(%29 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %31 = tensor.empty() : tensor<32x64xf32>
    %32 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<64x32xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x64xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_5 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_4 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%33, %34 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.addf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_3 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%32 : tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_2 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%37, %32 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.mulf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%36, %38 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.addf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%35 : tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_1 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = math.sqrt %in : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.addf %in, %cst_0 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%40, %42 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.divf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %43 : tensor<32x64xf32>, tensor<32x64xf32>) outs(%31 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.subf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<32x64xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_5 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_4 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%45, %46 : tensor<64x10xf32>, tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.addf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_3 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%20 : tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_2 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%49, %20 : tensor<64x10xf32>, tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.mulf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%48, %50 : tensor<64x10xf32>, tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.addf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.mulf %in, %cst_1 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%51 : tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = math.sqrt %in : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%53 : tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %57 = arith.addf %in, %cst_0 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%52, %54 : tensor<64x10xf32>, tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.divf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1, %55 : tensor<64x10xf32>, tensor<64x10xf32>) outs(%19 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %in_9: f32, %out: f32):
      %57 = arith.subf %in, %in_9 : f32
      linalg.yield %57 : f32
    } -> tensor<64x10xf32>
    return %44, %56, %35, %47, %39, %51 : tensor<32x64xf32>, tensor<64x10xf32>, tensor<32x64xf32>, tensor<64x10xf32>, tensor<32x64xf32>, tensor<64x10xf32>
  }
}
