// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def cnn_pool_step(x, w, d):
//         def loss(p):
//             y = lax.conv_general_dilated(
//                 x, p[0], (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
//             )
//             y = jax.nn.relu(y).reshape(1, 8, 2, 8, 2, 8).mean((2, 4)).reshape(1, 512)
//             return jax.nn.logsumexp(y @ p[1])
//
//         l, g = jax.value_and_grad(loss)((w, d))
//         return x * 0.99, w - 0.1 * g[0], d - 0.1 * g[1]
//
// XLA: 56,160 bytes copied, peak 34,840 bytes
// bufferize: 1 copies, 3,072 bytes copied, peak 24,616 bytes

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d4, d2, d5, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> ()>
#map5 = affine_map<() -> ()>
#map6 = affine_map<(d0, d1) -> (d0)>
#map7 = affine_map<(d0, d1) -> (d1)>
#map8 = affine_map<(d0, d1) -> (d1, d0)>
#map9 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d3, d5)>
#map10 = affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d3, d1, d2, d0)>
#map12 = affine_map<(d0, d1, d2, d3) -> (d2, d0, d1, d3)>
module {
  func.func @f(%arg0: tensor<1x16x16x3xf32> {bufferize.aliasing_result = 0 : i32}, %arg1: tensor<3x3x3x8xf32> {bufferize.aliasing_result = 1 : i32}, %arg2: tensor<512x10xf32> {bufferize.aliasing_result = 2 : i32}) -> (tensor<1x16x16x3xf32>, tensor<3x3x3x8xf32>, tensor<512x10xf32>) {
    %cst = arith.constant 1.000000e-01 : f32
    %cst_0 = arith.constant 9.900000e-01 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0x7F800000 : f32
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant 4.000000e+00 : f32
    %cst_5 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x16x16x8xf32>
    %1 = linalg.fill ins(%cst_5 : f32) outs(%0 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %padded = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_5 : f32
    } : tensor<1x16x16x3xf32> to tensor<1x18x18x3xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg1 : tensor<1x18x18x3xf32>, tensor<3x3x3x8xf32>) outs(%1 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x16x16x8xf32>) outs(%0 : tensor<1x16x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.maximumf %in, %cst_5 : f32
      linalg.yield %60 : f32
    } -> tensor<1x16x16x8xf32>
    %4 = tensor.empty() : tensor<1x16x16x8xi1>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x16x16x8xf32>) outs(%4 : tensor<1x16x16x8xi1>) {
    ^bb0(%in: f32, %out: i1):
      %60 = arith.cmpf ogt, %in, %cst_5 : f32
      linalg.yield %60 : i1
    } -> tensor<1x16x16x8xi1>
    %expanded = tensor.expand_shape %3 [[0], [1, 2], [3, 4], [5]] output_shape [1, 8, 2, 8, 2, 8] : tensor<1x16x16x8xf32> into tensor<1x8x2x8x2x8xf32>
    %6 = tensor.empty() : tensor<1x8x8x8xf32>
    %7 = linalg.fill ins(%cst_5 : f32) outs(%6 : tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
    %8 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%expanded : tensor<1x8x2x8x2x8xf32>) outs(%7 : tensor<1x8x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<1x8x8x8xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x8x8x8xf32>) outs(%6 : tensor<1x8x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %in, %cst_4 : f32
      linalg.yield %60 : f32
    } -> tensor<1x8x8x8xf32>
    %collapsed = tensor.collapse_shape %9 [[0, 1, 2, 3]] : tensor<1x8x8x8xf32> into tensor<512xf32>
    %10 = tensor.empty() : tensor<10xf32>
    %11 = linalg.fill ins(%cst_5 : f32) outs(%10 : tensor<10xf32>) -> tensor<10xf32>
    %12 = linalg.vecmat ins(%collapsed, %arg2 : tensor<512xf32>, tensor<512x10xf32>) outs(%11 : tensor<10xf32>) -> tensor<10xf32>
    %expanded_6 = tensor.expand_shape %12 [[0, 1]] output_shape [1, 10] : tensor<10xf32> into tensor<1x10xf32>
    %13 = tensor.empty() : tensor<f32>
    %14 = linalg.fill ins(%cst_3 : f32) outs(%13 : tensor<f32>) -> tensor<f32>
    %15 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction", "reduction"]} ins(%expanded_6 : tensor<1x10xf32>) outs(%14 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.maximumf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<f32>
    %16 = tensor.empty() : tensor<i1>
    %17 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%15 : tensor<f32>) outs(%16 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %60 = math.absf %in : f32
      %61 = arith.cmpf one, %60, %cst_2 : f32
      linalg.yield %61 : i1
    } -> tensor<i1>
    %18 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = []} ins(%17, %15 : tensor<i1>, tensor<f32>) outs(%13 : tensor<f32>) {
    ^bb0(%in: i1, %in_13: f32, %out: f32):
      %60 = arith.select %in, %in_13, %cst_5 : f32
      linalg.yield %60 : f32
    } -> tensor<f32>
    %19 = tensor.empty() : tensor<1x10xf32>
    %20 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<f32>) outs(%19 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x10xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%expanded_6, %20 : tensor<1x10xf32>, tensor<1x10xf32>) outs(%19 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %60 = arith.subf %in, %in_13 : f32
      linalg.yield %60 : f32
    } -> tensor<1x10xf32>
    %22 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%21 : tensor<1x10xf32>) outs(%19 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = math.exp %in : f32
      linalg.yield %60 : f32
    } -> tensor<1x10xf32>
    %23 = linalg.fill ins(%cst_5 : f32) outs(%13 : tensor<f32>) -> tensor<f32>
    %24 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["reduction", "reduction"]} ins(%22 : tensor<1x10xf32>) outs(%23 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.addf %out, %in : f32
      linalg.yield %60 : f32
    } -> tensor<f32>
    %25 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%24 : tensor<f32>) outs(%13 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = math.absf %in : f32
      linalg.yield %60 : f32
    } -> tensor<f32>
    %26 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%24 : tensor<f32>) outs(%16 : tensor<i1>) {
    ^bb0(%in: f32, %out: i1):
      %60 = arith.cmpf oge, %in, %cst_5 : f32
      linalg.yield %60 : i1
    } -> tensor<i1>
    %27 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%25 : tensor<f32>) outs(%13 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %cst_1, %in : f32
      linalg.yield %60 : f32
    } -> tensor<f32>
    %28 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = []} ins(%26, %27 : tensor<i1>, tensor<f32>) outs(%13 : tensor<f32>) {
    ^bb0(%in: i1, %in_13: f32, %out: f32):
      %60 = arith.select %in, %cst_5, %in_13 : f32
      linalg.yield %60 : f32
    } -> tensor<f32>
    %29 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = []} ins(%26, %27 : tensor<i1>, tensor<f32>) outs(%13 : tensor<f32>) {
    ^bb0(%in: i1, %in_13: f32, %out: f32):
      %60 = arith.select %in, %in_13, %cst_5 : f32
      linalg.yield %60 : f32
    } -> tensor<f32>
    %30 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%28 : tensor<f32>) outs(%13 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.negf %in : f32
      linalg.yield %60 : f32
    } -> tensor<f32>
    %31 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = []} ins(%29, %30 : tensor<f32>, tensor<f32>) outs(%13 : tensor<f32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %60 = arith.addf %in, %in_13 : f32
      linalg.yield %60 : f32
    } -> tensor<f32>
    %32 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<f32>) outs(%19 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x10xf32>
    %33 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%32, %22 : tensor<1x10xf32>, tensor<1x10xf32>) outs(%19 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %60 = arith.mulf %in, %in_13 : f32
      linalg.yield %60 : f32
    } -> tensor<1x10xf32>
    %collapsed_7 = tensor.collapse_shape %33 [[0, 1]] : tensor<1x10xf32> into tensor<10xf32>
    %34 = tensor.empty() : tensor<10x512xf32>
    %35 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed_7 : tensor<10xf32>) outs(%34 : tensor<10x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x512xf32>
    %36 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<512xf32>) outs(%34 : tensor<10x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x512xf32>
    %37 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%35, %36 : tensor<10x512xf32>, tensor<10x512xf32>) outs(%34 : tensor<10x512xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %60 = arith.mulf %in, %in_13 : f32
      linalg.yield %60 : f32
    } -> tensor<10x512xf32>
    %38 = tensor.empty() : tensor<512x10xf32>
    %39 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<10x512xf32>) outs(%38 : tensor<512x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<512x10xf32>
    %40 = linalg.generic {indexing_maps = [#map8, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<512x10xf32>) outs(%34 : tensor<10x512xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x512xf32>
    %41 = tensor.empty() : tensor<512xf32>
    %42 = linalg.fill ins(%cst_5 : f32) outs(%41 : tensor<512xf32>) -> tensor<512xf32>
    %43 = linalg.vecmat ins(%collapsed_7, %40 : tensor<10xf32>, tensor<10x512xf32>) outs(%42 : tensor<512xf32>) -> tensor<512xf32>
    %expanded_8 = tensor.expand_shape %43 [[0, 1, 2, 3]] output_shape [1, 8, 8, 8] : tensor<512xf32> into tensor<1x8x8x8xf32>
    %44 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_8 : tensor<1x8x8x8xf32>) outs(%6 : tensor<1x8x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.divf %in, %cst_4 : f32
      linalg.yield %60 : f32
    } -> tensor<1x8x8x8xf32>
    %45 = tensor.empty() : tensor<1x8x2x8x2x8xf32>
    %46 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%44 : tensor<1x8x8x8xf32>) outs(%45 : tensor<1x8x2x8x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x2x8x2x8xf32>
    %collapsed_9 = tensor.collapse_shape %46 [[0], [1, 2], [3, 4], [5]] : tensor<1x8x2x8x2x8xf32> into tensor<1x16x16x8xf32>
    %47 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5, %collapsed_9 : tensor<1x16x16x8xi1>, tensor<1x16x16x8xf32>) outs(%0 : tensor<1x16x16x8xf32>) {
    ^bb0(%in: i1, %in_13: f32, %out: f32):
      %60 = arith.select %in, %in_13, %cst_5 : f32
      linalg.yield %60 : f32
    } -> tensor<1x16x16x8xf32>
    %48 = tensor.empty() : tensor<3x16x16x1xf32>
    %49 = linalg.generic {indexing_maps = [#map11, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x16x16x3xf32>) outs(%48 : tensor<3x16x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x16x16x1xf32>
    %collapsed_10 = tensor.collapse_shape %47 [[0, 1, 2, 3]] : tensor<1x16x16x8xf32> into tensor<2048xf32>
    %expanded_11 = tensor.expand_shape %collapsed_10 [[0, 1, 2, 3]] output_shape [16, 16, 1, 8] : tensor<2048xf32> into tensor<16x16x1x8xf32>
    %50 = tensor.empty() : tensor<3x3x3x8xf32>
    %51 = linalg.fill ins(%cst_5 : f32) outs(%50 : tensor<3x3x3x8xf32>) -> tensor<3x3x3x8xf32>
    %padded_12 = tensor.pad %49 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst_5 : f32
    } : tensor<3x16x16x1xf32> to tensor<3x18x18x1xf32>
    %52 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_12, %expanded_11 : tensor<3x18x18x1xf32>, tensor<16x16x1x8xf32>) outs(%51 : tensor<3x3x3x8xf32>) -> tensor<3x3x3x8xf32>
    %53 = linalg.generic {indexing_maps = [#map12, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<3x3x3x8xf32>) outs(%50 : tensor<3x3x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x3x3x8xf32>
    %54 = tensor.empty() : tensor<1x16x16x3xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x16x16x3xf32>) outs(%54 : tensor<1x16x16x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.mulf %in, %cst_0 : f32
      linalg.yield %60 : f32
    } -> tensor<1x16x16x3xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<3x3x3x8xf32>) outs(%50 : tensor<3x3x3x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.mulf %in, %cst : f32
      linalg.yield %60 : f32
    } -> tensor<3x3x3x8xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%arg1, %56 : tensor<3x3x3x8xf32>, tensor<3x3x3x8xf32>) outs(%50 : tensor<3x3x3x8xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %60 = arith.subf %in, %in_13 : f32
      linalg.yield %60 : f32
    } -> tensor<3x3x3x8xf32>
    %58 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%39 : tensor<512x10xf32>) outs(%38 : tensor<512x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %60 = arith.mulf %in, %cst : f32
      linalg.yield %60 : f32
    } -> tensor<512x10xf32>
    %59 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%arg2, %58 : tensor<512x10xf32>, tensor<512x10xf32>) outs(%38 : tensor<512x10xf32>) {
    ^bb0(%in: f32, %in_13: f32, %out: f32):
      %60 = arith.subf %in, %in_13 : f32
      linalg.yield %60 : f32
    } -> tensor<512x10xf32>
    return %55, %57, %59 : tensor<1x16x16x3xf32>, tensor<3x3x3x8xf32>, tensor<512x10xf32>
  }
}
