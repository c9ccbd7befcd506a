// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def conjugate_gradient(a, b):
//         def step(i, c):
//             x, r, p, rs = c
//             ap = a @ p
//             al = rs / (p @ ap + 1e-9)
//             x = x + al * p
//             r = r - al * ap
//             n = r @ r
//             return x, r, r + (n / (rs + 1e-9)) * p, n
//
//         return lax.fori_loop(0, 8, step, (jnp.zeros_like(b), b, b, b @ b))[0]
//
// XLA: 296 bytes copied, peak 720 bytes
// bufferize: 10 copies, 224 bytes copied, peak 396 bytes

#map = affine_map<() -> ()>
#map1 = affine_map<(d0) -> ()>
#map2 = affine_map<(d0) -> (d0)>
module {
  func.func @f(%arg0: tensor<24x24xf32> {bufferization.writable = false}, %arg1: tensor<24xf32> {bufferization.writable = false}) -> tensor<24xf32> {
    %cst = arith.constant 9.99999971E-10 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c1_i32 = arith.constant 1 : i32
    %c8_i32 = arith.constant 8 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_1 = arith.constant dense<0> : tensor<i32>
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<24xf32>
    %0 = tensor.empty() : tensor<f32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<f32>) -> tensor<f32>
    %2 = linalg.dot ins(%arg1, %arg1 : tensor<24xf32>, tensor<24xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
    %3:5 = scf.for %arg2 = %c0_i32 to %c8_i32 step %c1_i32 iter_args(%arg3 = %cst_1, %arg4 = %cst_2, %arg5 = %arg1, %arg6 = %arg1, %arg7 = %2) -> (tensor<i32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<f32>)  : i32 {
      %4 = tensor.empty() : tensor<i32>
      %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg3 : tensor<i32>) outs(%4 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %23 = arith.addi %in, %c1_i32 : i32
        linalg.yield %23 : i32
      } -> tensor<i32>
      %6 = tensor.empty() : tensor<24xf32>
      %7 = linalg.fill ins(%cst_0 : f32) outs(%6 : tensor<24xf32>) -> tensor<24xf32>
      %8 = linalg.matvec ins(%arg0, %arg6 : tensor<24x24xf32>, tensor<24xf32>) outs(%7 : tensor<24xf32>) -> tensor<24xf32>
      %9 = linalg.dot ins(%arg6, %8 : tensor<24xf32>, tensor<24xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
      %10 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%9 : tensor<f32>) outs(%0 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %23 = arith.addf %in, %cst : f32
        linalg.yield %23 : f32
      } -> tensor<f32>
      %11 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%arg7, %10 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %23 = arith.divf %in, %in_3 : f32
        linalg.yield %23 : f32
      } -> tensor<f32>
      %12 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel"]} ins(%11 : tensor<f32>) outs(%6 : tensor<24xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<24xf32>
      %13 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%12, %arg6 : tensor<24xf32>, tensor<24xf32>) outs(%6 : tensor<24xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %23 = arith.mulf %in, %in_3 : f32
        linalg.yield %23 : f32
      } -> tensor<24xf32>
      %14 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg4, %13 : tensor<24xf32>, tensor<24xf32>) outs(%6 : tensor<24xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %23 = arith.addf %in, %in_3 : f32
        linalg.yield %23 : f32
      } -> tensor<24xf32>
      %15 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%12, %8 : tensor<24xf32>, tensor<24xf32>) outs(%6 : tensor<24xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %23 = arith.mulf %in, %in_3 : f32
        linalg.yield %23 : f32
      } -> tensor<24xf32>
      %16 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%arg5, %15 : tensor<24xf32>, tensor<24xf32>) outs(%6 : tensor<24xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %23 = arith.subf %in, %in_3 : f32
        linalg.yield %23 : f32
      } -> tensor<24xf32>
      %17 = linalg.dot ins(%16, %16 : tensor<24xf32>, tensor<24xf32>) outs(%1 : tensor<f32>) -> tensor<f32>
      %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg7 : tensor<f32>) outs(%0 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %23 = arith.addf %in, %cst : f32
        linalg.yield %23 : f32
      } -> tensor<f32>
      %19 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%17, %18 : tensor<f32>, tensor<f32>) outs(%0 : tensor<f32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %23 = arith.divf %in, %in_3 : f32
        linalg.yield %23 : f32
      } -> tensor<f32>
      %20 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel"]} ins(%19 : tensor<f32>) outs(%6 : tensor<24xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<24xf32>
      %21 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%20, %arg6 : tensor<24xf32>, tensor<24xf32>) outs(%6 : tensor<24xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %23 = arith.mulf %in, %in_3 : f32
        linalg.yield %23 : f32
      } -> tensor<24xf32>
      %22 = linalg.generic {indexing_maps = [#map2, #map2, #map2], iterator_types = ["parallel"]} ins(%16, %21 : tensor<24xf32>, tensor<24xf32>) outs(%6 : tensor<24xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %23 = arith.addf %in, %in_3 : f32
        linalg.yield %23 : f32
      } -> tensor<24xf32>
      scf.yield %5, %14, %16, %22, %17 : tensor<i32>, tensor<24xf32>, tensor<24xf32>, tensor<24xf32>, tensor<f32>
    }
    return %3#1 : tensor<24xf32>
  }
}
