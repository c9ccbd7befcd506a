// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def layernorm_backward(x, g, b, dy):
//         f = lambda x, g, b: (
//             ((x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5))
//             * g
//             + b
//         )
//         y, vjp = jax.vjp(f, x, g, b)
//         return vjp(dy)
//
// XLA: 0 bytes copied, peak 5,144 bytes
// bufferize: 0 copies, 0 bytes copied, peak 8,448 bytes

#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map3 = affine_map<() -> ()>
#map4 = affine_map<(d0, d1, d2) -> ()>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map6 = affine_map<(d0, d1, d2) -> (d0)>
#map7 = affine_map<(d0, d1, d2) -> (d2)>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @f(%arg0: tensor<4x8x32xf32> {bufferization.writable = false}, %arg1: tensor<32xf32> {bufferization.writable = false}, %arg2: tensor<32xf32> {bufferization.writable = false}, %arg3: tensor<4x8x32xf32> {bufferization.writable = false}) -> (tensor<4x8x32xf32>, tensor<32xf32>, tensor<32xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 5.000000e-01 : f32
    %cst_1 = arith.constant 9.99999974E-6 : f32
    %cst_2 = arith.constant 0x7FC00000 : f32
    %cst_3 = arith.constant 2.000000e+00 : f32
    %cst_4 = arith.constant 3.200000e+01 : f32
    %cst_5 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<4x8xf32>
    %1 = linalg.fill ins(%cst_5 : f32) outs(%0 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<4x8x32xf32>) outs(%1 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8xf32>
    %expanded = tensor.expand_shape %2 [[0], [1, 2]] output_shape [4, 8, 1] : tensor<4x8xf32> into tensor<4x8x1xf32>
    %3 = tensor.empty() : tensor<4x8x1xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded : tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %in, %cst_4 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %5 = tensor.empty() : tensor<4x8x32xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<4x8x1xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x32xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %6 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.subf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.mulf %in, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7 : tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.mulf %in, %cst_3 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %10 = tensor.empty() : tensor<f32>
    %11 = linalg.generic {indexing_maps = [#map3], iterator_types = []} outs(%10 : tensor<f32>) {
    ^bb0(%out: f32):
      linalg.yield %cst_5 : f32
    } -> tensor<f32>
    %12 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%11 : tensor<f32>) outs(%10 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.subf %cst_4, %in : f32
      linalg.yield %60 : f32
    } -> tensor<f32>
    %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%8 : tensor<4x8x32xf32>) outs(%1 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8xf32>
    %expanded_6 = tensor.expand_shape %13 [[0], [1, 2]] output_shape [4, 8, 1] : tensor<4x8xf32> into tensor<4x8x1xf32>
    %14 = linalg.generic {indexing_maps = [#map4, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%12 : tensor<f32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_6, %14 : tensor<4x8x1xf32>, tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.divf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %16 = tensor.empty() : tensor<i1>
    %17 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%12 : tensor<f32>) outs(%16 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %60 = arith.cmpf ogt, %in, %cst_5 : f32
      linalg.yield %60 : i1
    } -> tensor<i1>
    %extracted = tensor.extract %17[] : tensor<i1>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.select %extracted, %in, %cst_2 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%18 : tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %in, %cst_1 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19 : tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = math.sqrt %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %cst_0, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %22 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<4x8x1xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x32xf32>
    %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%7, %22 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.divf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20 : tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.mulf %in, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%24 : tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %cst, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %26 = tensor.empty() : tensor<32xf32>
    %27 = linalg.fill ins(%cst_5 : f32) outs(%26 : tensor<32xf32>) -> tensor<32xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction"]} ins(%arg3 : tensor<4x8x32xf32>) outs(%27 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<32xf32>
    %expanded_7 = tensor.expand_shape %28 [[0, 1, 2]] output_shape [1, 1, 32] : tensor<32xf32> into tensor<1x1x32xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_7 : tensor<1x1x32xf32>) outs(%27 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<32xf32>
    %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%23, %arg3 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.mulf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction"]} ins(%30 : tensor<4x8x32xf32>) outs(%27 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<32xf32>
    %expanded_8 = tensor.expand_shape %31 [[0, 1, 2]] output_shape [1, 1, 32] : tensor<32xf32> into tensor<1x1x32xf32>
    %32 = linalg.generic {indexing_maps = [#map7, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x32xf32>
    %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg3, %32 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.mulf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %34 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction", "reduction"]} ins(%expanded_8 : tensor<1x1x32xf32>) outs(%27 : tensor<32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<32xf32>
    %35 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%25 : tensor<4x8x1xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x32xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %35 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.mulf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%36, %7 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.mulf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%37 : tensor<4x8x32xf32>) outs(%1 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8xf32>
    %39 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.negf %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8xf32>
    %expanded_9 = tensor.expand_shape %39 [[0], [1, 2]] output_shape [4, 8, 1] : tensor<4x8xf32> into tensor<4x8x1xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%33, %22 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.divf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_9, %21 : tensor<4x8x1xf32>, tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.mulf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%41 : tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.select %extracted, %in, %cst_5 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%42, %14 : tensor<4x8x1xf32>, tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.divf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%43 : tensor<4x8x1xf32>) outs(%1 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%44 : tensor<4x8xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x32xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%45, %9 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.mulf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46 : tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.negf %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %48 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%47 : tensor<4x8x32xf32>) outs(%1 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8xf32>
    %expanded_10 = tensor.expand_shape %48 [[0], [1, 2]] output_shape [4, 8, 1] : tensor<4x8xf32> into tensor<4x8x1xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_10 : tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %in, %cst_4 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%49 : tensor<4x8x1xf32>) outs(%1 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8xf32>
    %51 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%50 : tensor<4x8xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x32xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%46, %51 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.addf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%40 : tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.negf %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%53 : tensor<4x8x32xf32>) outs(%1 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8xf32>
    %expanded_11 = tensor.expand_shape %54 [[0], [1, 2]] output_shape [4, 8, 1] : tensor<4x8xf32> into tensor<4x8x1xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%52, %40 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.addf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<4x8x1xf32>) outs(%3 : tensor<4x8x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %in, %cst_4 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x1xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%56 : tensor<4x8x1xf32>) outs(%1 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<4x8xf32>
    %58 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%57 : tensor<4x8xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x32xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%55, %58 : tensor<4x8x32xf32>, tensor<4x8x32xf32>) outs(%5 : tensor<4x8x32xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %60 = arith.addf %in, %in_12 : f32
      linalg.yield %60 : f32
    } -> tensor<4x8x32xf32>
    return %59, %34, %29 : tensor<4x8x32xf32>, tensor<32xf32>, tensor<32xf32>
  }
}
