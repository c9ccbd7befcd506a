// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def lorenz_rk4(s, _):
//         def f(s):
//             return jnp.stack(
//                 [10 * (s[1] - s[0]), s[0] * (28 - s[2]) - s[1], s[0] * s[1] - 8 / 3 * s[2]]
//             )
//
//         def step(s, _):
//             h = 0.01
//             a = f(s)
//             b = f(s + h / 2 * a)
//             c = f(s + h / 2 * b)
//             d = f(s + h * c)
//             s = s + h / 6 * (a + 2 * b + 2 * c + d)
//             return s, s
//
//         return lax.scan(step, s, None, length=20)
//
// XLA: 20 bytes copied, peak 580 bytes
// bufferize: 20 copies, 240 bytes copied, peak 288 bytes

#map = affine_map<() -> ()>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1) -> (d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @f(%arg0: tensor<3xf32> {bufferize.aliasing_result = 0 : i32}, %arg1: tensor<64x3xf32> {bufferization.writable = false}) -> (tensor<3xf32>, tensor<20x3xf32>) {
    %c19 = arith.constant 19 : index
    %cst = arith.constant 0.00166666671 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %cst_1 = arith.constant 0.00999999977 : f32
    %cst_2 = arith.constant 5.000000e-03 : f32
    %c0 = arith.constant 0 : index
    %cst_3 = arith.constant 2.66666675 : f32
    %cst_4 = arith.constant 2.800000e+01 : f32
    %cst_5 = arith.constant 1.000000e+01 : f32
    %cst_6 = arith.constant dense<0.000000e+00> : tensor<20x3xf32>
    %c0_i32 = arith.constant 0 : i32
    %c20_i32 = arith.constant 20 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg2 = %c0_i32 to %c20_i32 step %c1_i32 iter_args(%arg3 = %arg0, %arg4 = %cst_6) -> (tensor<3xf32>, tensor<20x3xf32>)  : i32 {
      %extracted_slice = tensor.extract_slice %arg3[1] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed = tensor.collapse_shape %extracted_slice [] : tensor<1xf32> into tensor<f32>
      %extracted_slice_7 = tensor.extract_slice %arg3[0] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_8 = tensor.collapse_shape %extracted_slice_7 [] : tensor<1xf32> into tensor<f32>
      %1 = tensor.empty() : tensor<f32>
      %2 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed, %collapsed_8 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%2 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_5 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %extracted_slice_9 = tensor.extract_slice %arg3[2] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_10 = tensor.collapse_shape %extracted_slice_9 [] : tensor<1xf32> into tensor<f32>
      %4 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%collapsed_10 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.subf %cst_4, %in : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %5 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_8, %4 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.mulf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %6 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%5, %collapsed : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %7 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_8, %collapsed : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.mulf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%collapsed_10 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_3 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%7, %8 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %expanded = tensor.expand_shape %3 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %expanded_11 = tensor.expand_shape %6 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %expanded_12 = tensor.expand_shape %9 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %10 = tensor.empty() : tensor<3xf32>
      %inserted_slice = tensor.insert_slice %expanded into %10[0] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %inserted_slice_13 = tensor.insert_slice %expanded_11 into %inserted_slice[1] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %inserted_slice_14 = tensor.insert_slice %expanded_12 into %inserted_slice_13[2] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%inserted_slice_14 : tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_2 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg3, %11 : tensor<3xf32>, tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.addf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %extracted_slice_15 = tensor.extract_slice %12[1] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_16 = tensor.collapse_shape %extracted_slice_15 [] : tensor<1xf32> into tensor<f32>
      %extracted_slice_17 = tensor.extract_slice %12[0] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_18 = tensor.collapse_shape %extracted_slice_17 [] : tensor<1xf32> into tensor<f32>
      %13 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_16, %collapsed_18 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%13 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_5 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %extracted_slice_19 = tensor.extract_slice %12[2] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_20 = tensor.collapse_shape %extracted_slice_19 [] : tensor<1xf32> into tensor<f32>
      %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%collapsed_20 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.subf %cst_4, %in : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_18, %15 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.mulf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %17 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%16, %collapsed_16 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %18 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_18, %collapsed_16 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.mulf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%collapsed_20 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_3 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%18, %19 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %expanded_21 = tensor.expand_shape %14 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %expanded_22 = tensor.expand_shape %17 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %expanded_23 = tensor.expand_shape %20 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %inserted_slice_24 = tensor.insert_slice %expanded_21 into %10[0] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %inserted_slice_25 = tensor.insert_slice %expanded_22 into %inserted_slice_24[1] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %inserted_slice_26 = tensor.insert_slice %expanded_23 into %inserted_slice_25[2] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%inserted_slice_26 : tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_2 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %22 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg3, %21 : tensor<3xf32>, tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.addf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %extracted_slice_27 = tensor.extract_slice %22[1] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_28 = tensor.collapse_shape %extracted_slice_27 [] : tensor<1xf32> into tensor<f32>
      %extracted_slice_29 = tensor.extract_slice %22[0] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_30 = tensor.collapse_shape %extracted_slice_29 [] : tensor<1xf32> into tensor<f32>
      %23 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_28, %collapsed_30 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%23 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_5 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %extracted_slice_31 = tensor.extract_slice %22[2] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_32 = tensor.collapse_shape %extracted_slice_31 [] : tensor<1xf32> into tensor<f32>
      %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%collapsed_32 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.subf %cst_4, %in : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %26 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_30, %25 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.mulf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%26, %collapsed_28 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %28 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_30, %collapsed_28 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.mulf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %29 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%collapsed_32 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_3 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %30 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%28, %29 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %expanded_33 = tensor.expand_shape %24 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %expanded_34 = tensor.expand_shape %27 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %expanded_35 = tensor.expand_shape %30 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %inserted_slice_36 = tensor.insert_slice %expanded_33 into %10[0] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %inserted_slice_37 = tensor.insert_slice %expanded_34 into %inserted_slice_36[1] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %inserted_slice_38 = tensor.insert_slice %expanded_35 into %inserted_slice_37[2] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %31 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%inserted_slice_38 : tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_1 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %32 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg3, %31 : tensor<3xf32>, tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.addf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %extracted_slice_39 = tensor.extract_slice %32[1] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_40 = tensor.collapse_shape %extracted_slice_39 [] : tensor<1xf32> into tensor<f32>
      %extracted_slice_41 = tensor.extract_slice %32[0] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_42 = tensor.collapse_shape %extracted_slice_41 [] : tensor<1xf32> into tensor<f32>
      %33 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_40, %collapsed_42 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %34 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%33 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_5 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %extracted_slice_43 = tensor.extract_slice %32[2] [1] [1] : tensor<3xf32> to tensor<1xf32>
      %collapsed_44 = tensor.collapse_shape %extracted_slice_43 [] : tensor<1xf32> into tensor<f32>
      %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%collapsed_44 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.subf %cst_4, %in : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %36 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_42, %35 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.mulf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %37 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%36, %collapsed_40 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %38 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%collapsed_42, %collapsed_40 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.mulf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%collapsed_44 : tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_3 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %40 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%38, %39 : tensor<f32>, tensor<f32>) outs(%1 : tensor<f32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.subf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<f32>
      %expanded_45 = tensor.expand_shape %34 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %expanded_46 = tensor.expand_shape %37 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %expanded_47 = tensor.expand_shape %40 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %inserted_slice_48 = tensor.insert_slice %expanded_45 into %10[0] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %inserted_slice_49 = tensor.insert_slice %expanded_46 into %inserted_slice_48[1] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %inserted_slice_50 = tensor.insert_slice %expanded_47 into %inserted_slice_49[2] [1] [1] : tensor<1xf32> into tensor<3xf32>
      %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%inserted_slice_26 : tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_0 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %42 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%inserted_slice_14, %41 : tensor<3xf32>, tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.addf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %43 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%inserted_slice_38 : tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst_0 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %44 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%42, %43 : tensor<3xf32>, tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.addf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %45 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%44, %inserted_slice_50 : tensor<3xf32>, tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.addf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %46 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%45 : tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %out: f32):
        %53 = arith.mulf %in, %cst : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %47 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg3, %46 : tensor<3xf32>, tensor<3xf32>) outs(%10 : tensor<3xf32>) {
      ^bb0(%in: f32, %in_52: f32, %out: f32):
        %53 = arith.addf %in, %in_52 : f32
        linalg.yield %53 : f32
      } -> tensor<3xf32>
      %48 = tensor.empty() : tensor<1x3xf32>
      %49 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<3xf32>) outs(%48 : tensor<1x3xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x3xf32>
      %50 = arith.index_cast %arg2 : i32 to index
      %51 = arith.maxsi %50, %c0 : index
      %52 = arith.minsi %51, %c19 : index
      %inserted_slice_51 = tensor.insert_slice %49 into %arg4[%52, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<20x3xf32>
      scf.yield %47, %inserted_slice_51 : tensor<3xf32>, tensor<20x3xf32>
    }
    return %0#0, %0#1 : tensor<3xf32>, tensor<20x3xf32>
  }
}
