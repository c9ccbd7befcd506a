// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def jacobi_pad(x, b):
//         def step(i, x):
//             p = jnp.pad(x, 1)
//             return 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] + b)
//
//         return lax.fori_loop(0, 10, step, x)
//
// XLA: 4 bytes copied, peak 4,740 bytes
// bufferize: 0 copies, 0 bytes copied, peak 8,196 bytes

#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @f(%arg0: tensor<32x32xf32> {bufferize.aliasing_result = 0 : i32}, %arg1: tensor<32x32xf32> {bufferization.writable = false}) -> tensor<32x32xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.500000e-01 : f32
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %c0_i32 = arith.constant 0 : i32
    %c10_i32 = arith.constant 10 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg2 = %c0_i32 to %c10_i32 step %c1_i32 iter_args(%arg3 = %cst_1, %arg4 = %arg0) -> (tensor<i32>, tensor<32x32xf32>)  : i32 {
      %1 = tensor.empty() : tensor<i32>
      %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%1 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %11 = arith.addi %in, %c1_i32 : i32
        linalg.yield %11 : i32
      } -> tensor<i32>
      %3 = tensor.empty() : tensor<f32>
      %4 = linalg.generic {indexing_maps = [#map], iterator_types = []} outs(%3 : tensor<f32>) {
      ^bb0(%out: f32):
        linalg.yield %cst : f32
      } -> tensor<f32>
      %extracted = tensor.extract %4[] : tensor<f32>
      %padded = tensor.pad %arg4 low[1, 1] high[1, 1] {
      ^bb0(%arg5: index, %arg6: index):
        tensor.yield %extracted : f32
      } : tensor<32x32xf32> to tensor<34x34xf32>
      %extracted_slice = tensor.extract_slice %padded[0, 1] [32, 32] [1, 1] : tensor<34x34xf32> to tensor<32x32xf32>
      %extracted_slice_2 = tensor.extract_slice %padded[2, 1] [32, 32] [1, 1] : tensor<34x34xf32> to tensor<32x32xf32>
      %5 = tensor.empty() : tensor<32x32xf32>
      %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%extracted_slice, %extracted_slice_2 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%5 : tensor<32x32xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %11 = arith.addf %in, %in_5 : f32
        linalg.yield %11 : f32
      } -> tensor<32x32xf32>
      %extracted_slice_3 = tensor.extract_slice %padded[1, 0] [32, 32] [1, 1] : tensor<34x34xf32> to tensor<32x32xf32>
      %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %extracted_slice_3 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%5 : tensor<32x32xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %11 = arith.addf %in, %in_5 : f32
        linalg.yield %11 : f32
      } -> tensor<32x32xf32>
      %extracted_slice_4 = tensor.extract_slice %padded[1, 2] [32, 32] [1, 1] : tensor<34x34xf32> to tensor<32x32xf32>
      %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7, %extracted_slice_4 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%5 : tensor<32x32xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %11 = arith.addf %in, %in_5 : f32
        linalg.yield %11 : f32
      } -> tensor<32x32xf32>
      %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %arg1 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%5 : tensor<32x32xf32>) {
      ^bb0(%in: f32, %in_5: f32, %out: f32):
        %11 = arith.addf %in, %in_5 : f32
        linalg.yield %11 : f32
      } -> tensor<32x32xf32>
      %10 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9 : tensor<32x32xf32>) outs(%5 : tensor<32x32xf32>) {
      ^bb0(%in: f32, %out: f32):
        %11 = arith.mulf %in, %cst_0 : f32
        linalg.yield %11 : f32
      } -> tensor<32x32xf32>
      scf.yield %2, %10 : tensor<i32>, tensor<32x32xf32>
    }
    return %0#1 : tensor<32x32xf32>
  }
}
