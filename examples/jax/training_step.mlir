#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1) -> (d0)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, 0)>
#map6 = affine_map<(d0) -> (d0)>
#map7 = affine_map<(d0) -> ()>
#map8 = affine_map<() -> ()>
#map9 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map10 = affine_map<(d0, d1) -> (d1, d0)>
module @jit_step {
  func.func public @main(%arg0: tensor<32x64xf32> {bufferize.aliasing_result = 0 : i64}, %arg1: tensor<64xf32> {bufferize.aliasing_result = 1 : i64}, %arg2: tensor<64x10xf32> {bufferize.aliasing_result = 2 : i64}, %arg3: tensor<10xf32> {bufferize.aliasing_result = 3 : i64}, %arg4: tensor<16x32xf32>, %arg5: tensor<16x10xf32>) -> (tensor<32x64xf32>, tensor<64xf32>, tensor<64x10xf32>, tensor<10xf32>, tensor<f32>) {
    %cst = arith.constant -6.250000e-02 : f32
    %cst_0 = arith.constant 1.000000e-01 : f32
    %cst_1 = arith.constant 1.600000e+01 : f32
    %cst_2 = arith.constant 0xFF800000 : f32
    %cst_3 = arith.constant 2.000000e+00 : f32
    %cst_4 = arith.constant 1.000000e+00 : f32
    %cst_5 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<16x64xf32>
    %1 = linalg.fill ins(%cst_5 : f32) outs(%0 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %2 = linalg.matmul ins(%arg4, %arg0 : tensor<16x32xf32>, tensor<32x64xf32>) outs(%1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%2, %arg1 : tensor<16x64xf32>, tensor<64xf32>) outs(%0 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %55 = arith.addf %in, %in_12 : f32
      linalg.yield %55 : f32
    } -> tensor<16x64xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%3 : tensor<16x64xf32>) outs(%0 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.maximumf %in, %cst_5 : f32
      linalg.yield %55 : f32
    } -> tensor<16x64xf32>
    %5 = tensor.empty() : tensor<16x10xf32>
    %6 = linalg.fill ins(%cst_5 : f32) outs(%5 : tensor<16x10xf32>) -> tensor<16x10xf32>
    %7 = linalg.matmul ins(%4, %arg2 : tensor<16x64xf32>, tensor<64x10xf32>) outs(%6 : tensor<16x10xf32>) -> tensor<16x10xf32>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel"]} ins(%7, %arg3 : tensor<16x10xf32>, tensor<10xf32>) outs(%5 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %55 = arith.addf %in, %in_12 : f32
      linalg.yield %55 : f32
    } -> tensor<16x10xf32>
    %9 = tensor.empty() : tensor<16xf32>
    %10 = linalg.fill ins(%cst_2 : f32) outs(%9 : tensor<16xf32>) -> tensor<16xf32>
    %11 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["parallel", "reduction"]} ins(%8 : tensor<16x10xf32>) outs(%10 : tensor<16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.maximumf %out, %in : f32
      linalg.yield %55 : f32
    } -> tensor<16xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel"]} ins(%8, %11 : tensor<16x10xf32>, tensor<16xf32>) outs(%5 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %55 = arith.subf %in, %in_12 : f32
      linalg.yield %55 : f32
    } -> tensor<16x10xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%12 : tensor<16x10xf32>) outs(%5 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = math.exp %in : f32
      linalg.yield %55 : f32
    } -> tensor<16x10xf32>
    %expanded = tensor.expand_shape %9 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %14 = linalg.fill ins(%cst_5 : f32) outs(%expanded : tensor<16x1xf32>) -> tensor<16x1xf32>
    %expanded_6 = tensor.expand_shape %13 [[0, 1], [2]] output_shape [16, 1, 10] : tensor<16x10xf32> into tensor<16x1x10xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded_6 : tensor<16x1x10xf32>) outs(%14 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.addf %out, %in : f32
      linalg.yield %55 : f32
    } -> tensor<16x1xf32>
    %16 = linalg.fill ins(%cst_5 : f32) outs(%9 : tensor<16xf32>) -> tensor<16xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map, #map5, #map2], iterator_types = ["parallel", "reduction"]} ins(%arg5, %12, %15 : tensor<16x10xf32>, tensor<16x10xf32>, tensor<16x1xf32>) outs(%16 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %in_13: f32, %out: f32):
      %55 = math.log %in_13 : f32
      %56 = arith.subf %in_12, %55 : f32
      %57 = arith.mulf %in, %56 : f32
      %58 = arith.addf %out, %57 : f32
      linalg.yield %58 : f32
    } -> tensor<16xf32>
    %18 = tensor.empty() : tensor<f32>
    %19 = linalg.fill ins(%cst_5 : f32) outs(%18 : tensor<f32>) -> tensor<f32>
    %20 = linalg.generic {indexing_maps = [#map6, #map7], iterator_types = ["reduction"]} ins(%17 : tensor<16xf32>) outs(%19 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.addf %out, %in : f32
      linalg.yield %55 : f32
    } -> tensor<f32>
    %21 = linalg.generic {indexing_maps = [#map8, #map8], iterator_types = []} ins(%20 : tensor<f32>) outs(%18 : tensor<f32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.divf %in, %cst_1 : f32
      %56 = arith.negf %55 : f32
      linalg.yield %56 : f32
    } -> tensor<f32>
    %22 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%arg5 : tensor<16x10xf32>) outs(%5 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.mulf %in, %cst : f32
      linalg.yield %55 : f32
    } -> tensor<16x10xf32>
    %expanded_7 = tensor.expand_shape %22 [[0, 1], [2]] output_shape [16, 1, 10] : tensor<16x10xf32> into tensor<16x1x10xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded_7 : tensor<16x1x10xf32>) outs(%14 : tensor<16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.subf %out, %in : f32
      linalg.yield %55 : f32
    } -> tensor<16x1xf32>
    %24 = linalg.generic {indexing_maps = [#map, #map, #map2], iterator_types = ["parallel", "reduction"]} ins(%23, %15 : tensor<16x1xf32>, tensor<16x1xf32>) outs(%16 : tensor<16xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %55 = arith.divf %in, %in_12 : f32
      %56 = arith.addf %out, %55 : f32
      linalg.yield %56 : f32
    } -> tensor<16xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map2, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%22, %24, %13 : tensor<16x10xf32>, tensor<16xf32>, tensor<16x10xf32>) outs(%5 : tensor<16x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %in_13: f32, %out: f32):
      %55 = arith.mulf %in_12, %in_13 : f32
      %56 = arith.addf %in, %55 : f32
      linalg.yield %56 : f32
    } -> tensor<16x10xf32>
    %26 = tensor.empty() : tensor<10xf32>
    %expanded_8 = tensor.expand_shape %26 [[0, 1]] output_shape [1, 10] : tensor<10xf32> into tensor<1x10xf32>
    %27 = linalg.fill ins(%cst_5 : f32) outs(%expanded_8 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %expanded_9 = tensor.expand_shape %25 [[0], [1, 2]] output_shape [16, 1, 10] : tensor<16x10xf32> into tensor<16x1x10xf32>
    %28 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded_9 : tensor<16x1x10xf32>) outs(%27 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.addf %out, %in : f32
      linalg.yield %55 : f32
    } -> tensor<1x10xf32>
    %29 = linalg.fill ins(%cst_5 : f32) outs(%26 : tensor<10xf32>) -> tensor<10xf32>
    %30 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "reduction"]} ins(%28 : tensor<1x10xf32>) outs(%29 : tensor<10xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.addf %out, %in : f32
      linalg.yield %55 : f32
    } -> tensor<10xf32>
    %31 = tensor.empty() : tensor<10x16xf32>
    %32 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<16x10xf32>) outs(%31 : tensor<10x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x16xf32>
    %33 = tensor.empty() : tensor<10x64xf32>
    %34 = linalg.fill ins(%cst_5 : f32) outs(%33 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %35 = linalg.matmul ins(%32, %4 : tensor<10x16xf32>, tensor<16x64xf32>) outs(%34 : tensor<10x64xf32>) -> tensor<10x64xf32>
    %36 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<64x10xf32>) outs(%33 : tensor<10x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<10x64xf32>
    %37 = linalg.matmul ins(%25, %36 : tensor<16x10xf32>, tensor<10x64xf32>) outs(%1 : tensor<16x64xf32>) -> tensor<16x64xf32>
    %38 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%37, %3, %4 : tensor<16x64xf32>, tensor<16x64xf32>, tensor<16x64xf32>) outs(%0 : tensor<16x64xf32>) {
    ^bb0(%in: f32, %in_12: f32, %in_13: f32, %out: f32):
      %55 = arith.cmpf oeq, %cst_5, %in_13 : f32
      %56 = arith.select %55, %cst_3, %cst_4 : f32
      %57 = arith.cmpf oeq, %in_12, %in_13 : f32
      %58 = arith.select %57, %cst_4, %cst_5 : f32
      %59 = arith.divf %58, %56 : f32
      %60 = arith.mulf %in, %59 : f32
      linalg.yield %60 : f32
    } -> tensor<16x64xf32>
    %39 = tensor.empty() : tensor<64xf32>
    %expanded_10 = tensor.expand_shape %39 [[0, 1]] output_shape [1, 64] : tensor<64xf32> into tensor<1x64xf32>
    %40 = linalg.fill ins(%cst_5 : f32) outs(%expanded_10 : tensor<1x64xf32>) -> tensor<1x64xf32>
    %expanded_11 = tensor.expand_shape %38 [[0], [1, 2]] output_shape [16, 1, 64] : tensor<16x64xf32> into tensor<16x1x64xf32>
    %41 = linalg.generic {indexing_maps = [#map9, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded_11 : tensor<16x1x64xf32>) outs(%40 : tensor<1x64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.addf %out, %in : f32
      linalg.yield %55 : f32
    } -> tensor<1x64xf32>
    %42 = linalg.fill ins(%cst_5 : f32) outs(%39 : tensor<64xf32>) -> tensor<64xf32>
    %43 = linalg.generic {indexing_maps = [#map10, #map2], iterator_types = ["parallel", "reduction"]} ins(%41 : tensor<1x64xf32>) outs(%42 : tensor<64xf32>) {
    ^bb0(%in: f32, %out: f32):
      %55 = arith.addf %out, %in : f32
      linalg.yield %55 : f32
    } -> tensor<64xf32>
    %44 = tensor.empty() : tensor<64x16xf32>
    %45 = linalg.generic {indexing_maps = [#map10, #map], iterator_types = ["parallel", "parallel"]} ins(%38 : tensor<16x64xf32>) outs(%44 : tensor<64x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x16xf32>
    %46 = tensor.empty() : tensor<64x32xf32>
    %47 = linalg.fill ins(%cst_5 : f32) outs(%46 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %48 = linalg.matmul ins(%45, %arg4 : tensor<64x16xf32>, tensor<16x32xf32>) outs(%47 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %49 = tensor.empty() : tensor<32x64xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel"]} ins(%arg0, %48 : tensor<32x64xf32>, tensor<64x32xf32>) outs(%49 : tensor<32x64xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %55 = arith.mulf %in_12, %cst_0 : f32
      %56 = arith.subf %in, %55 : f32
      linalg.yield %56 : f32
    } -> tensor<32x64xf32>
    %51 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%arg1, %43 : tensor<64xf32>, tensor<64xf32>) outs(%39 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %55 = arith.mulf %in_12, %cst_0 : f32
      %56 = arith.subf %in, %55 : f32
      linalg.yield %56 : f32
    } -> tensor<64xf32>
    %52 = tensor.empty() : tensor<64x10xf32>
    %53 = linalg.generic {indexing_maps = [#map, #map10, #map], iterator_types = ["parallel", "parallel"]} ins(%arg2, %35 : tensor<64x10xf32>, tensor<10x64xf32>) outs(%52 : tensor<64x10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %55 = arith.mulf %in_12, %cst_0 : f32
      %56 = arith.subf %in, %55 : f32
      linalg.yield %56 : f32
    } -> tensor<64x10xf32>
    %54 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel"]} ins(%arg3, %30 : tensor<10xf32>, tensor<10xf32>) outs(%26 : tensor<10xf32>) {
    ^bb0(%in: f32, %in_12: f32, %out: f32):
      %55 = arith.mulf %in_12, %cst_0 : f32
      %56 = arith.subf %in, %55 : f32
      linalg.yield %56 : f32
    } -> tensor<10xf32>
    return %50, %51, %53, %54, %21 : tensor<32x64xf32>, tensor<64xf32>, tensor<64x10xf32>, tensor<10xf32>, tensor<f32>
  }
}

