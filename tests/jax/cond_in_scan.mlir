// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def cond_in_scan(x, xs):
//         def step(x, y):
//             return lax.cond(
//                 y.sum() > 0, lambda a: jnp.sin(a) + y, lambda a: a * 0.5, x
//             ), x.sum()
//
//         return lax.scan(step, x, xs)
//
// XLA: 264 bytes copied, peak 984 bytes
// bufferize: 0 copies, 0 bytes copied, peak 45 bytes

#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
#map2 = affine_map<() -> ()>
module {
  func.func @f(%arg0: tensor<64xf32> {bufferize.aliasing_result = 0 : i32}, %arg1: tensor<10x64xf32> {bufferization.writable = false}) -> (tensor<64xf32>, tensor<10xf32>) {
    %cst = arith.constant 5.000000e-01 : f32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c9 = arith.constant 9 : index
    %c0 = arith.constant 0 : index
    %cst_1 = arith.constant dense<0.000000e+00> : tensor<10xf32>
    %c0_i32 = arith.constant 0 : i32
    %c10_i32 = arith.constant 10 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg2 = %c0_i32 to %c10_i32 step %c1_i32 iter_args(%arg3 = %arg0, %arg4 = %cst_1) -> (tensor<64xf32>, tensor<10xf32>)  : i32 {
      %1 = arith.index_cast %arg2 : i32 to index
      %2 = arith.maxsi %1, %c0 : index
      %3 = arith.minsi %2, %c9 : index
      %extracted_slice = tensor.extract_slice %arg1[%3, 0] [1, 64] [1, 1] : tensor<10x64xf32> to tensor<1x64xf32>
      %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x64xf32> into tensor<64xf32>
      %4 = tensor.empty() : tensor<f32>
      %5 = linalg.fill ins(%cst_0 : f32) outs(%4 : tensor<f32>) -> tensor<f32>
      %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%collapsed : tensor<64xf32>) outs(%5 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %14 = arith.addf %out, %in : f32
        linalg.yield %14 : f32
      } -> tensor<f32>
      %7 = tensor.empty() : tensor<i1>
      %8 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%6 : tensor<f32>) outs(%7 : tensor<i1>) {
      ^bb0(%in: f32, %out: i1):
        %14 = arith.cmpf ogt, %in, %cst_0 : f32
        linalg.yield %14 : i1
      } -> tensor<i1>
      %9 = tensor.empty() : tensor<i32>
      %10 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%8 : tensor<i1>) outs(%9 : tensor<i32>) {
      ^bb0(%in: i1, %out: i32):
        %14 = arith.extui %in : i1 to i32
        linalg.yield %14 : i32
      } -> tensor<i32>
      %11 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = []} ins(%10 : tensor<i32>) outs(%7 : tensor<i1>) {
      ^bb0(%in: i32, %out: i1):
        %14 = arith.cmpi eq, %in, %c0_i32 : i32
        linalg.yield %14 : i1
      } -> tensor<i1>
      %extracted = tensor.extract %11[] : tensor<i1>
      %12 = scf.if %extracted -> (tensor<64xf32>) {
        %14 = tensor.empty() : tensor<64xf32>
        %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<64xf32>) outs(%14 : tensor<64xf32>) {
        ^bb0(%in: f32, %out: f32):
          %16 = arith.mulf %in, %cst : f32
          linalg.yield %16 : f32
        } -> tensor<64xf32>
        scf.yield %15 : tensor<64xf32>
      } else {
        %14 = tensor.empty() : tensor<64xf32>
        %15 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg3 : tensor<64xf32>) outs(%14 : tensor<64xf32>) {
        ^bb0(%in: f32, %out: f32):
          %17 = math.sin %in : f32
          linalg.yield %17 : f32
        } -> tensor<64xf32>
        %16 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]} ins(%15, %collapsed : tensor<64xf32>, tensor<64xf32>) outs(%14 : tensor<64xf32>) {
        ^bb0(%in: f32, %in_2: f32, %out: f32):
          %17 = arith.addf %in, %in_2 : f32
          linalg.yield %17 : f32
        } -> tensor<64xf32>
        scf.yield %16 : tensor<64xf32>
      }
      %13 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction"]} ins(%arg3 : tensor<64xf32>) outs(%5 : tensor<f32>) {
      ^bb0(%in: f32, %out: f32):
        %14 = arith.addf %out, %in : f32
        linalg.yield %14 : f32
      } -> tensor<f32>
      %expanded = tensor.expand_shape %13 [] output_shape [1] : tensor<f32> into tensor<1xf32>
      %inserted_slice = tensor.insert_slice %expanded into %arg4[%3] [1] [1] : tensor<1xf32> into tensor<10xf32>
      scf.yield %12, %inserted_slice : tensor<64xf32>, tensor<10xf32>
    }
    return %0#0, %0#1 : tensor<64xf32>, tensor<10xf32>
  }
}
