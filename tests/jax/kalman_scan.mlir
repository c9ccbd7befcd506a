// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def kalman_scan(zs, a, x0):
//         def step(c, z):
//             x, p = c
//             x = a @ x
//             p = a @ p @ a.T + 0.1 * jnp.eye(6)
//             k = p / (jnp.trace(p) + 1.0)
//             x = x + k @ (z - x)
//             p = p - k @ p
//             return (x, p), x
//
//         return lax.scan(step, (x0, jnp.eye(6)), zs)
//
// XLA: 32 bytes copied, peak 1,632 bytes
// bufferize: 22 copies, 648 bytes copied, peak 1,260 bytes

#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1, d0)>
#map2 = affine_map<(d0, d1) -> ()>
#map3 = affine_map<() -> ()>
#map4 = affine_map<(d0) -> (d0)>
#map5 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @f(%arg0: tensor<20x6xf32> {bufferization.writable = false}, %arg1: tensor<6x6xf32> {bufferization.writable = false}, %arg2: tensor<6xf32> {bufferization.writable = false}) -> (tensor<6xf32>, tensor<6x6xf32>, tensor<20x6xf32>) {
    %cst = arith.constant 1.000000e+00 : f32
    %cst_0 = arith.constant 1.000000e-01 : f32
    %cst_1 = arith.constant 0.000000e+00 : f32
    %c19 = arith.constant 19 : index
    %c0 = arith.constant 0 : index
    %c1_i32 = arith.constant 1 : i32
    %c20_i32 = arith.constant 20 : i32
    %c0_i32 = arith.constant 0 : i32
    %cst_2 = arith.constant dense<0.000000e+00> : tensor<20x6xf32>
    %0 = tensor.empty() : tensor<6x6xi32>
    %1 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xi32>) {
    ^bb0(%out: i32):
      %8 = linalg.index 0 : index
      %9 = arith.index_cast %8 : index to i32
      linalg.yield %9 : i32
    } -> tensor<6x6xi32>
    %2 = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%0 : tensor<6x6xi32>) {
    ^bb0(%out: i32):
      %8 = linalg.index 1 : index
      %9 = arith.index_cast %8 : index to i32
      linalg.yield %9 : i32
    } -> tensor<6x6xi32>
    %3 = tensor.empty() : tensor<6x6xi1>
    %4 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%1, %2 : tensor<6x6xi32>, tensor<6x6xi32>) outs(%3 : tensor<6x6xi1>) {
    ^bb0(%in: i32, %in_3: i32, %out: i1):
      %8 = arith.cmpi eq, %in, %in_3 : i32
      linalg.yield %8 : i1
    } -> tensor<6x6xi1>
    %5 = tensor.empty() : tensor<6x6xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<6x6xi1>) outs(%5 : tensor<6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %8 = arith.uitofp %in : i1 to f32
      linalg.yield %8 : f32
    } -> tensor<6x6xf32>
    %7:3 = scf.for %arg3 = %c0_i32 to %c20_i32 step %c1_i32 iter_args(%arg4 = %arg2, %arg5 = %6, %arg6 = %cst_2) -> (tensor<6xf32>, tensor<6x6xf32>, tensor<20x6xf32>)  : i32 {
      %8 = arith.index_cast %arg3 : i32 to index
      %9 = arith.maxsi %8, %c0 : index
      %10 = arith.minsi %9, %c19 : index
      %extracted_slice = tensor.extract_slice %arg0[%10, 0] [1, 6] [1, 1] : tensor<20x6xf32> to tensor<1x6xf32>
      %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x6xf32> into tensor<6xf32>
      %11 = tensor.empty() : tensor<6xf32>
      %12 = linalg.fill ins(%cst_1 : f32) outs(%11 : tensor<6xf32>) -> tensor<6xf32>
      %13 = linalg.matvec ins(%arg1, %arg4 : tensor<6x6xf32>, tensor<6xf32>) outs(%12 : tensor<6xf32>) -> tensor<6xf32>
      %14 = linalg.fill ins(%cst_1 : f32) outs(%5 : tensor<6x6xf32>) -> tensor<6x6xf32>
      %15 = linalg.matmul ins(%arg1, %arg5 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%14 : tensor<6x6xf32>) -> tensor<6x6xf32>
      %16 = linalg.generic {indexing_maps = [#map1, #map], iterator_types = ["parallel", "parallel"]} ins(%arg1 : tensor<6x6xf32>) outs(%5 : tensor<6x6xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<6x6xf32>
      %17 = linalg.matmul ins(%15, %16 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%14 : tensor<6x6xf32>) -> tensor<6x6xf32>
      %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%6 : tensor<6x6xf32>) outs(%3 : tensor<6x6xi1>) {
      ^bb0(%in: f32, %out: i1):
        %35 = arith.cmpf une, %in, %cst_1 : f32
        linalg.yield %35 : i1
      } -> tensor<6x6xi1>
      %19 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%18 : tensor<6x6xi1>) outs(%5 : tensor<6x6xf32>) {
      ^bb0(%in: i1, %out: f32):
        %35 = arith.select %in, %cst_0, %cst_1 : f32
        linalg.yield %35 : f32
      } -> tensor<6x6xf32>
      %20 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%17, %19 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%5 : tensor<6x6xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %35 = arith.addf %in, %in_3 : f32
        linalg.yield %35 : f32
      } -> tensor<6x6xf32>
      %21 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%4, %20 : tensor<6x6xi1>, tensor<6x6xf32>) outs(%5 : tensor<6x6xf32>) {
      ^bb0(%in: i1, %in_3: f32, %out: f32):
        %35 = arith.select %in, %in_3, %cst_1 : f32
        linalg.yield %35 : f32
      } -> tensor<6x6xf32>
      %22 = tensor.empty() : tensor<f32>
      %23 = linalg.fill ins(%cst_1 : f32) outs(%22 : tensor<f32>) -> tensor<f32>
      %24 = linalg.generic {indexing_maps = [#map, #map2], iterator_types = ["reduction", "reduction"]} ins(%21 : tensor<6x6xf32>) outs(%23 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %35 = arith.addf %out, %in : f32
        linalg.yield %35 : f32
      } -> tensor<f32>
      %25 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = []} ins(%24 : tensor<f32>) outs(%22 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %35 = arith.addf %in, %cst : f32
        linalg.yield %35 : f32
      } -> tensor<f32>
      %26 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "parallel"]} ins(%25 : tensor<f32>) outs(%5 : tensor<6x6xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<6x6xf32>
      %27 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %26 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%5 : tensor<6x6xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %35 = arith.divf %in, %in_3 : f32
        linalg.yield %35 : f32
      } -> tensor<6x6xf32>
      %28 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%collapsed, %13 : tensor<6xf32>, tensor<6xf32>) outs(%11 : tensor<6xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %35 = arith.subf %in, %in_3 : f32
        linalg.yield %35 : f32
      } -> tensor<6xf32>
      %29 = linalg.matvec ins(%27, %28 : tensor<6x6xf32>, tensor<6xf32>) outs(%12 : tensor<6xf32>) -> tensor<6xf32>
      %30 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel"]} ins(%13, %29 : tensor<6xf32>, tensor<6xf32>) outs(%11 : tensor<6xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %35 = arith.addf %in, %in_3 : f32
        linalg.yield %35 : f32
      } -> tensor<6xf32>
      %31 = linalg.matmul ins(%27, %20 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%14 : tensor<6x6xf32>) -> tensor<6x6xf32>
      %32 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel"]} ins(%20, %31 : tensor<6x6xf32>, tensor<6x6xf32>) outs(%5 : tensor<6x6xf32>) {
      ^bb0(%in: f32, %in_3: f32, %out: f32):
        %35 = arith.subf %in, %in_3 : f32
        linalg.yield %35 : f32
      } -> tensor<6x6xf32>
      %33 = tensor.empty() : tensor<1x6xf32>
      %34 = linalg.generic {indexing_maps = [#map5, #map], iterator_types = ["parallel", "parallel"]} ins(%30 : tensor<6xf32>) outs(%33 : tensor<1x6xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<1x6xf32>
      %inserted_slice = tensor.insert_slice %34 into %arg6[%10, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<20x6xf32>
      scf.yield %30, %32, %inserted_slice : tensor<6xf32>, tensor<6x6xf32>, tensor<20x6xf32>
    }
    return %7#0, %7#1, %7#2 : tensor<6xf32>, tensor<6x6xf32>, tensor<20x6xf32>
  }
}
