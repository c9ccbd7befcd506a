// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def matrix_power(a):
//         return lax.fori_loop(0, 5, lambda i, m: (m @ m) / (1e-3 + jnp.abs(m @ m).max()), a)
//
// XLA: 1,028 bytes copied, peak 2,192 bytes
// bufferize: 1 copies, 1,024 bytes copied, peak 2,056 bytes

#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> ()>
module {
  func.func @f(%arg0: tensor<16x16xf32> {bufferization.writable = false}) -> tensor<16x16xf32> {
    %cst = arith.constant 1.000000e-03 : f32
    %cst_0 = arith.constant 0xFF800000 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<0> : tensor<i32>
    %c0_i32 = arith.constant 0 : i32
    %c5_i32 = arith.constant 5 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg1 = %c0_i32 to %c5_i32 step %c1_i32 iter_args(%arg2 = %cst_2, %arg3 = %arg0) -> (tensor<i32>, tensor<16x16xf32>)  : i32 {
      %1 = tensor.empty() : tensor<i32>
      %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%1 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %13 = arith.addi %in, %c1_i32 : i32
        linalg.yield %13 : i32
      } -> tensor<i32>
      %3 = tensor.empty() : tensor<16x16xf32>
      %4 = linalg.fill ins(%cst_1 : f32) outs(%3 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %5 = linalg.matmul ins(%arg3, %arg3 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%4 : tensor<16x16xf32>) -> tensor<16x16xf32>
      %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5 : tensor<16x16xf32>) outs(%3 : tensor<16x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        %13 = math.absf %in : f32
        linalg.yield %13 : f32
      } -> tensor<16x16xf32>
      %7 = tensor.empty() : tensor<f32>
      %8 = linalg.fill ins(%cst_0 : f32) outs(%7 : tensor<f32>) -> tensor<f32>
      %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["reduction", "reduction"]} ins(%6 : tensor<16x16xf32>) outs(%8 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %13 = arith.maximumf %out, %in : f32
        linalg.yield %13 : f32
      } -> tensor<f32>
      %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%9 : tensor<f32>) outs(%7 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %13 = arith.addf %in, %cst : f32
        linalg.yield %13 : f32
      } -> tensor<f32>
      %11 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<f32>) outs(%3 : tensor<16x16xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<16x16xf32>
      %12 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %11 : tensor<16x16xf32>, tensor<16x16xf32>) outs(%3 : tensor<16x16xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %13 = arith.divf %in, %in_3 : f32
        linalg.yield %13 : f32
      } -> tensor<16x16xf32>
      scf.yield %2, %12 : tensor<i32>, tensor<16x16xf32>
    }
    return %0#1 : tensor<16x16xf32>
  }
}
