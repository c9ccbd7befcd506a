// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def leapfrog_wave(u, v):
//         def step(i, c):
//             u, v = c
//             lap = jnp.roll(u, 1) - 2 * u + jnp.roll(u, -1)
//             v = v + 0.1 * lap
//             return u + 0.1 * v, v
//
//         return lax.fori_loop(0, 10, step, (u, v))
//
// XLA: 4 bytes copied, peak 145 bytes
// bufferize: 0 copies, 0 bytes copied, peak 2,052 bytes

#map = affine_map<() -> ()>
#map1 = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: tensor<256xf32> {bufferize.aliasing_result = 0 : i32}, %arg1: tensor<256xf32> {bufferize.aliasing_result = 1 : i32}) -> (tensor<256xf32>, tensor<256xf32>) {
    %cst = arith.constant 1.000000e-01 : f32
    %cst_0 = arith.constant 2.000000e+00 : f32
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %c0_i32 = arith.constant 0 : i32
    %c10_i32 = arith.constant 10 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:3 = scf.for %arg2 = %c0_i32 to %c10_i32 step %c1_i32 iter_args(%arg3 = %cst_1, %arg4 = %arg0, %arg5 = %arg1) -> (tensor<i32>, tensor<256xf32>, tensor<256xf32>)  : i32 {
      %1 = tensor.empty() : tensor<i32>
      %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%1 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %11 = arith.addi %in, %c1_i32 : i32
        linalg.yield %11 : i32
      } -> tensor<i32>
      %extracted_slice = tensor.extract_slice %arg4[255] [1] [1] : tensor<256xf32> to tensor<1xf32>
      %extracted_slice_2 = tensor.extract_slice %arg4[0] [255] [1] : tensor<256xf32> to tensor<255xf32>
      %3 = tensor.empty() : tensor<256xf32>
      %inserted_slice = tensor.insert_slice %extracted_slice into %3[0] [1] [1] : tensor<1xf32> into tensor<256xf32>
      %inserted_slice_3 = tensor.insert_slice %extracted_slice_2 into %inserted_slice[1] [255] [1] : tensor<255xf32> into tensor<256xf32>
      %4 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%arg4 : tensor<256xf32>) outs(%3 : tensor<256xf32>) {
      ^bb0(%in: f32, %out: f32):
        %11 = arith.mulf %in, %cst_0 : f32
        linalg.yield %11 : f32
      } -> tensor<256xf32>
      %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%inserted_slice_3, %4 : tensor<256xf32>, tensor<256xf32>) outs(%3 : tensor<256xf32>) {
      ^bb0(%in: f32, %in_8: f32, %out: f32):
        %11 = arith.subf %in, %in_8 : f32
        linalg.yield %11 : f32
      } -> tensor<256xf32>
      %extracted_slice_4 = tensor.extract_slice %arg4[1] [255] [1] : tensor<256xf32> to tensor<255xf32>
      %extracted_slice_5 = tensor.extract_slice %arg4[0] [1] [1] : tensor<256xf32> to tensor<1xf32>
      %inserted_slice_6 = tensor.insert_slice %extracted_slice_4 into %3[0] [255] [1] : tensor<255xf32> into tensor<256xf32>
      %inserted_slice_7 = tensor.insert_slice %extracted_slice_5 into %inserted_slice_6[255] [1] [1] : tensor<1xf32> into tensor<256xf32>
      %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%5, %inserted_slice_7 : tensor<256xf32>, tensor<256xf32>) outs(%3 : tensor<256xf32>) {
      ^bb0(%in: f32, %in_8: f32, %out: f32):
        %11 = arith.addf %in, %in_8 : f32
        linalg.yield %11 : f32
      } -> tensor<256xf32>
      %7 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%6 : tensor<256xf32>) outs(%3 : tensor<256xf32>) {
      ^bb0(%in: f32, %out: f32):
        %11 = arith.mulf %in, %cst : f32
        linalg.yield %11 : f32
      } -> tensor<256xf32>
      %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg5, %7 : tensor<256xf32>, tensor<256xf32>) outs(%3 : tensor<256xf32>) {
      ^bb0(%in: f32, %in_8: f32, %out: f32):
        %11 = arith.addf %in, %in_8 : f32
        linalg.yield %11 : f32
      } -> tensor<256xf32>
      %9 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%8 : tensor<256xf32>) outs(%3 : tensor<256xf32>) {
      ^bb0(%in: f32, %out: f32):
        %11 = arith.mulf %in, %cst : f32
        linalg.yield %11 : f32
      } -> tensor<256xf32>
      %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel"]} ins(%arg4, %9 : tensor<256xf32>, tensor<256xf32>) outs(%3 : tensor<256xf32>) {
      ^bb0(%in: f32, %in_8: f32, %out: f32):
        %11 = arith.addf %in, %in_8 : f32
        linalg.yield %11 : f32
      } -> tensor<256xf32>
      scf.yield %2, %10, %8 : tensor<i32>, tensor<256xf32>, tensor<256xf32>
    }
    return %0#1, %0#2 : tensor<256xf32>, tensor<256xf32>
  }
}
