#map = affine_map<(d0, d1, d2) -> (d2)>
#map1 = affine_map<(d0, d1, d2) -> (d2, d0, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map5 = affine_map<() -> ()>
#map6 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map7 = affine_map<(d0, d1, d2) -> (d1, d0, d2)>
#map8 = affine_map<(d0, d1) -> ()>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1) -> (d0)>
#map11 = affine_map<(d0, d1, d2) -> (d0)>
#map12 = affine_map<(d0, d1, d2) -> (d1, d2, d0)>
#map13 = affine_map<(d0) -> (d0)>
module @jit_step {
  func.func public @main(%arg0: tensor<128x4x16xf32> {bufferize.aliasing_result = 0 : i64}, %arg1: tensor<128x4x16xf32> {bufferize.aliasing_result = 1 : i64}, %arg2: tensor<64xf32>, %arg3: tensor<i32>, %arg4: tensor<64x64xf32>, %arg5: tensor<64x64xf32>, %arg6: tensor<64x64xf32>, %arg7: tensor<64x64xf32>) -> (tensor<128x4x16xf32>, tensor<128x4x16xf32>, tensor<64xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant 4.000000e+00 : f32
    %c127 = arith.constant 127 : index
    %c0 = arith.constant 0 : index
    %c128_i32 = arith.constant 128 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<64xf32>
    %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [4, 16] : tensor<64xf32> into tensor<4x16xf32>
    %1 = linalg.fill ins(%cst_1 : f32) outs(%expanded : tensor<4x16xf32>) -> tensor<4x16xf32>
    %expanded_2 = tensor.expand_shape %arg4 [[0], [1, 2]] output_shape [64, 4, 16] : tensor<64x64xf32> into tensor<64x4x16xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg2, %expanded_2 : tensor<64xf32>, tensor<64x4x16xf32>) outs(%1 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %29 = arith.mulf %in, %in_7 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<4x16xf32>
    %expanded_3 = tensor.expand_shape %arg5 [[0], [1, 2]] output_shape [64, 4, 16] : tensor<64x64xf32> into tensor<64x4x16xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg2, %expanded_3 : tensor<64xf32>, tensor<64x4x16xf32>) outs(%1 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %29 = arith.mulf %in, %in_7 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<4x16xf32>
    %expanded_4 = tensor.expand_shape %arg6 [[0], [1, 2]] output_shape [64, 4, 16] : tensor<64x64xf32> into tensor<64x4x16xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg2, %expanded_4 : tensor<64xf32>, tensor<64x4x16xf32>) outs(%1 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %29 = arith.mulf %in, %in_7 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<4x16xf32>
    %5 = tensor.empty() : tensor<1x4x16xf32>
    %6 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3 : tensor<4x16xf32>) outs(%5 : tensor<1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x16xf32>
    %7 = tensor.empty() : tensor<i32>
    %8 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%7 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %29 = arith.addi %in, %c128_i32 : i32
      %30 = arith.cmpi slt, %in, %c0_i32 : i32
      %31 = arith.select %30, %29, %in : i32
      linalg.yield %31 : i32
    } -> tensor<i32>
    %extracted = tensor.extract %8[] : tensor<i32>
    %9 = arith.index_cast %extracted : i32 to index
    %10 = arith.maxsi %9, %c0 : index
    %11 = arith.minsi %10, %c127 : index
    %inserted_slice = tensor.insert_slice %6 into %arg0[%11, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<1x4x16xf32> into tensor<128x4x16xf32>
    %12 = linalg.generic {indexing_maps = [#map3, #map4], iterator_types = ["parallel", "parallel", "parallel"]} ins(%4 : tensor<4x16xf32>) outs(%5 : tensor<1x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x4x16xf32>
    %inserted_slice_5 = tensor.insert_slice %12 into %arg1[%11, 0, 0] [1, 4, 16] [1, 1, 1] : tensor<1x4x16xf32> into tensor<128x4x16xf32>
    %13 = tensor.empty() : tensor<4x128xf32>
    %14 = linalg.fill ins(%cst_1 : f32) outs(%13 : tensor<4x128xf32>) -> tensor<4x128xf32>
    %15 = linalg.generic {indexing_maps = [#map6, #map7, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%2, %inserted_slice : tensor<4x16xf32>, tensor<128x4x16xf32>) outs(%14 : tensor<4x128xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %29 = arith.mulf %in, %in_7 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<4x128xf32>
    %16 = linalg.generic {indexing_maps = [#map8, #map9, #map9], iterator_types = ["parallel", "parallel"]} ins(%arg3, %15 : tensor<i32>, tensor<4x128xf32>) outs(%13 : tensor<4x128xf32>) {
    ^bb0(%in: i32, %in_7: f32, %out: f32):
      %29 = arith.divf %in_7, %cst_0 : f32
      %30 = linalg.index 1 : index
      %31 = arith.index_cast %30 : index to i32
      %32 = arith.cmpi sle, %31, %in : i32
      %33 = arith.select %32, %29, %cst : f32
      linalg.yield %33 : f32
    } -> tensor<4x128xf32>
    %17 = tensor.empty() : tensor<4xf32>
    %18 = linalg.fill ins(%cst : f32) outs(%17 : tensor<4xf32>) -> tensor<4xf32>
    %19 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "reduction"]} ins(%16 : tensor<4x128xf32>) outs(%18 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.maximumf %out, %in : f32
      linalg.yield %29 : f32
    } -> tensor<4xf32>
    %20 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%16, %19 : tensor<4x128xf32>, tensor<4xf32>) outs(%13 : tensor<4x128xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %29 = arith.subf %in, %in_7 : f32
      %30 = math.exp %29 : f32
      linalg.yield %30 : f32
    } -> tensor<4x128xf32>
    %21 = linalg.fill ins(%cst_1 : f32) outs(%17 : tensor<4xf32>) -> tensor<4xf32>
    %22 = linalg.generic {indexing_maps = [#map9, #map10], iterator_types = ["parallel", "reduction"]} ins(%20 : tensor<4x128xf32>) outs(%21 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %29 = arith.addf %out, %in : f32
      linalg.yield %29 : f32
    } -> tensor<4xf32>
    %23 = tensor.empty() : tensor<4x16xf32>
    %24 = linalg.fill ins(%cst_1 : f32) outs(%23 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %25 = linalg.generic {indexing_maps = [#map6, #map11, #map1, #map2], iterator_types = ["parallel", "parallel", "reduction"]} ins(%20, %22, %inserted_slice_5 : tensor<4x128xf32>, tensor<4xf32>, tensor<128x4x16xf32>) outs(%24 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_7: f32, %in_8: f32, %out: f32):
      %29 = arith.divf %in, %in_7 : f32
      %30 = arith.mulf %29, %in_8 : f32
      %31 = arith.addf %out, %30 : f32
      linalg.yield %31 : f32
    } -> tensor<4x16xf32>
    %26 = linalg.fill ins(%cst_1 : f32) outs(%0 : tensor<64xf32>) -> tensor<64xf32>
    %expanded_6 = tensor.expand_shape %arg7 [[0, 1], [2]] output_shape [4, 16, 64] : tensor<64x64xf32> into tensor<4x16x64xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map12, #map11], iterator_types = ["parallel", "reduction", "reduction"]} ins(%25, %expanded_6 : tensor<4x16xf32>, tensor<4x16x64xf32>) outs(%26 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %29 = arith.mulf %in, %in_7 : f32
      %30 = arith.addf %out, %29 : f32
      linalg.yield %30 : f32
    } -> tensor<64xf32>
    %28 = linalg.generic {indexing_maps = [#map13, #map13, #map13], iterator_types = ["parallel"]} ins(%arg2, %27 : tensor<64xf32>, tensor<64xf32>) outs(%0 : tensor<64xf32>) {
    ^bb0(%in: f32, %in_7: f32, %out: f32):
      %29 = arith.addf %in, %in_7 : f32
      linalg.yield %29 : f32
    } -> tensor<64xf32>
    return %inserted_slice, %inserted_slice_5, %28 : tensor<128x4x16xf32>, tensor<128x4x16xf32>, tensor<64xf32>
  }
}

