// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def viterbi(obs, t, p):
//         def step(d, o):
//             s = d[:, None] + t
//             return s.max(0) + o, s.argmax(0)
//
//         return lax.scan(step, p, obs)
//
// XLA: 28 bytes copied, peak 636 bytes
// bufferize: 1 copies, 20 bytes copied, peak 380 bytes

#map = affine_map<(d0, d1) -> (d0)>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
#map2 = affine_map<(d0, d1) -> (d1, d0)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @f(%arg0: tensor<12x5xf32> {bufferization.writable = false}, %arg1: tensor<5x5xf32> {bufferization.writable = false}, %arg2: tensor<5xf32> {bufferization.writable = false}) -> (tensor<5xf32>, tensor<12x5xi32>) {
    %cst = arith.constant 0xFF800000 : f32
    %c11 = arith.constant 11 : index
    %c0 = arith.constant 0 : index
    %cst_0 = arith.constant dense<0> : tensor<12x5xi32>
    %c0_i32 = arith.constant 0 : i32
    %c12_i32 = arith.constant 12 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg3 = %c0_i32 to %c12_i32 step %c1_i32 iter_args(%arg4 = %arg2, %arg5 = %cst_0) -> (tensor<5xf32>, tensor<12x5xi32>)  : i32 {
      %1 = arith.index_cast %arg3 : i32 to index
      %2 = arith.maxsi %1, %c0 : index
      %3 = arith.minsi %2, %c11 : index
      %extracted_slice = tensor.extract_slice %arg0[%3, 0] [1, 5] [1, 1] : tensor<12x5xf32> to tensor<1x5xf32>
      %collapsed = tensor.collapse_shape %extracted_slice [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
      %4 = tensor.empty() : tensor<5x5xf32>
      %5 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg4 : tensor<5xf32>) outs(%4 : tensor<5x5xf32>) {
      ^bb0(%in: f32, %out: f32):
        linalg.yield %in : f32
      } -> tensor<5x5xf32>
      %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %arg1 : tensor<5x5xf32>, tensor<5x5xf32>) outs(%4 : tensor<5x5xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %18 = arith.addf %in, %in_1 : f32
        linalg.yield %18 : f32
      } -> tensor<5x5xf32>
      %7 = tensor.empty() : tensor<5xf32>
      %8 = linalg.fill ins(%cst : f32) outs(%7 : tensor<5xf32>) -> tensor<5xf32>
      %9 = linalg.generic {indexing_maps = [#map2, #map], iterator_types = ["parallel", "reduction"]} ins(%6 : tensor<5x5xf32>) outs(%8 : tensor<5xf32>) {
      ^bb0(%in: f32, %out: f32):
        %18 = arith.maximumf %out, %in : f32
        linalg.yield %18 : f32
      } -> tensor<5xf32>
      %10 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel"]} ins(%9, %collapsed : tensor<5xf32>, tensor<5xf32>) outs(%7 : tensor<5xf32>) {
      ^bb0(%in: f32, %in_1: f32, %out: f32):
        %18 = arith.addf %in, %in_1 : f32
        linalg.yield %18 : f32
      } -> tensor<5xf32>
      %11 = tensor.empty() : tensor<5x5xi32>
      %12 = linalg.generic {indexing_maps = [#map1], iterator_types = ["parallel", "parallel"]} outs(%11 : tensor<5x5xi32>) {
      ^bb0(%out: i32):
        %18 = linalg.index 0 : index
        %19 = arith.index_cast %18 : index to i32
        linalg.yield %19 : i32
      } -> tensor<5x5xi32>
      %13 = tensor.empty() : tensor<5xi32>
      %14 = linalg.fill ins(%c0_i32 : i32) outs(%13 : tensor<5xi32>) -> tensor<5xi32>
      %15:2 = linalg.generic {indexing_maps = [#map2, #map2, #map, #map], iterator_types = ["parallel", "reduction"]} ins(%6, %12 : tensor<5x5xf32>, tensor<5x5xi32>) outs(%8, %14 : tensor<5xf32>, tensor<5xi32>) {
      ^bb0(%in: f32, %in_1: i32, %out: f32, %out_2: i32):
        %18 = arith.cmpf ogt, %out, %in : f32
        %19 = arith.cmpf une, %out, %out : f32
        %20 = arith.ori %18, %19 : i1
        %21 = arith.cmpf oeq, %out, %in : f32
        %22 = arith.cmpi slt, %out_2, %in_1 : i32
        %23 = arith.andi %21, %22 : i1
        %24 = arith.ori %20, %23 : i1
        %25 = arith.select %20, %out, %in : f32
        %26 = arith.select %24, %out_2, %in_1 : i32
        linalg.yield %25, %26 : f32, i32
      } -> (tensor<5xf32>, tensor<5xi32>)
      %16 = tensor.empty() : tensor<1x5xi32>
      %17 = linalg.generic {indexing_maps = [#map4, #map1], iterator_types = ["parallel", "parallel"]} ins(%15#1 : tensor<5xi32>) outs(%16 : tensor<1x5xi32>) {
      ^bb0(%in: i32, %out: i32):
        linalg.yield %in : i32
      } -> tensor<1x5xi32>
      %inserted_slice = tensor.insert_slice %17 into %arg5[%3, 0] [1, 5] [1, 1] : tensor<1x5xi32> into tensor<12x5xi32>
      scf.yield %10, %inserted_slice : tensor<5xf32>, tensor<12x5xi32>
    }
    return %0#0, %0#1 : tensor<5xf32>, tensor<12x5xi32>
  }
}
