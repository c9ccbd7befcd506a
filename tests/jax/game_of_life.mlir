// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def game_of_life(g):
//         def step(i, g):
//             n = sum(
//                 jnp.roll(jnp.roll(g, a, 0), b, 1)
//                 for a in (-1, 0, 1)
//                 for b in (-1, 0, 1)
//                 if (a, b) != (0, 0)
//             )
//             return jnp.where((n == 3) | ((n == 2) & (g == 1)), 1, 0).astype(jnp.int32)
//
//         return lax.fori_loop(0, 8, step, g)
//
// XLA: 4,100 bytes copied, peak 12,356 bytes
// bufferize: 0 copies, 0 bytes copied, peak 8,196 bytes

#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @f(%arg0: tensor<32x32xi32> {bufferize.aliasing_result = 0 : i32}) -> tensor<32x32xi32> {
    %c2_i32 = arith.constant 2 : i32
    %c3_i32 = arith.constant 3 : i32
    %cst = arith.constant dense<0> : tensor<i32>
    %c0_i32 = arith.constant 0 : i32
    %c8_i32 = arith.constant 8 : i32
    %c1_i32 = arith.constant 1 : i32
    %0:2 = scf.for %arg1 = %c0_i32 to %c8_i32 step %c1_i32 iter_args(%arg2 = %cst, %arg3 = %arg0) -> (tensor<i32>, tensor<32x32xi32>)  : i32 {
      %1 = tensor.empty() : tensor<i32>
      %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg2 : tensor<i32>) outs(%1 : tensor<i32>) {
      ^bb0(%in: i32, %out: i32):
        %18 = arith.addi %in, %c1_i32 : i32
        linalg.yield %18 : i32
      } -> tensor<i32>
      %extracted_slice = tensor.extract_slice %arg3[1, 0] [31, 32] [1, 1] : tensor<32x32xi32> to tensor<31x32xi32>
      %extracted_slice_0 = tensor.extract_slice %arg3[0, 0] [1, 32] [1, 1] : tensor<32x32xi32> to tensor<1x32xi32>
      %3 = tensor.empty() : tensor<32x32xi32>
      %inserted_slice = tensor.insert_slice %extracted_slice into %3[0, 0] [31, 32] [1, 1] : tensor<31x32xi32> into tensor<32x32xi32>
      %inserted_slice_1 = tensor.insert_slice %extracted_slice_0 into %inserted_slice[31, 0] [1, 32] [1, 1] : tensor<1x32xi32> into tensor<32x32xi32>
      %extracted_slice_2 = tensor.extract_slice %inserted_slice_1[0, 1] [32, 31] [1, 1] : tensor<32x32xi32> to tensor<32x31xi32>
      %extracted_slice_3 = tensor.extract_slice %inserted_slice_1[0, 0] [32, 1] [1, 1] : tensor<32x32xi32> to tensor<32x1xi32>
      %inserted_slice_4 = tensor.insert_slice %extracted_slice_2 into %3[0, 0] [32, 31] [1, 1] : tensor<32x31xi32> into tensor<32x32xi32>
      %inserted_slice_5 = tensor.insert_slice %extracted_slice_3 into %inserted_slice_4[0, 31] [32, 1] [1, 1] : tensor<32x1xi32> into tensor<32x32xi32>
      %4 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%inserted_slice_5, %inserted_slice_1 : tensor<32x32xi32>, tensor<32x32xi32>) outs(%3 : tensor<32x32xi32>) {
      ^bb0(%in: i32, %in_30: i32, %out: i32):
        %18 = arith.addi %in, %in_30 : i32
        linalg.yield %18 : i32
      } -> tensor<32x32xi32>
      %extracted_slice_6 = tensor.extract_slice %inserted_slice_1[0, 31] [32, 1] [1, 1] : tensor<32x32xi32> to tensor<32x1xi32>
      %extracted_slice_7 = tensor.extract_slice %inserted_slice_1[0, 0] [32, 31] [1, 1] : tensor<32x32xi32> to tensor<32x31xi32>
      %inserted_slice_8 = tensor.insert_slice %extracted_slice_6 into %3[0, 0] [32, 1] [1, 1] : tensor<32x1xi32> into tensor<32x32xi32>
      %inserted_slice_9 = tensor.insert_slice %extracted_slice_7 into %inserted_slice_8[0, 1] [32, 31] [1, 1] : tensor<32x31xi32> into tensor<32x32xi32>
      %5 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%4, %inserted_slice_9 : tensor<32x32xi32>, tensor<32x32xi32>) outs(%3 : tensor<32x32xi32>) {
      ^bb0(%in: i32, %in_30: i32, %out: i32):
        %18 = arith.addi %in, %in_30 : i32
        linalg.yield %18 : i32
      } -> tensor<32x32xi32>
      %extracted_slice_10 = tensor.extract_slice %arg3[0, 1] [32, 31] [1, 1] : tensor<32x32xi32> to tensor<32x31xi32>
      %extracted_slice_11 = tensor.extract_slice %arg3[0, 0] [32, 1] [1, 1] : tensor<32x32xi32> to tensor<32x1xi32>
      %inserted_slice_12 = tensor.insert_slice %extracted_slice_10 into %3[0, 0] [32, 31] [1, 1] : tensor<32x31xi32> into tensor<32x32xi32>
      %inserted_slice_13 = tensor.insert_slice %extracted_slice_11 into %inserted_slice_12[0, 31] [32, 1] [1, 1] : tensor<32x1xi32> into tensor<32x32xi32>
      %6 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%5, %inserted_slice_13 : tensor<32x32xi32>, tensor<32x32xi32>) outs(%3 : tensor<32x32xi32>) {
      ^bb0(%in: i32, %in_30: i32, %out: i32):
        %18 = arith.addi %in, %in_30 : i32
        linalg.yield %18 : i32
      } -> tensor<32x32xi32>
      %extracted_slice_14 = tensor.extract_slice %arg3[0, 31] [32, 1] [1, 1] : tensor<32x32xi32> to tensor<32x1xi32>
      %extracted_slice_15 = tensor.extract_slice %arg3[0, 0] [32, 31] [1, 1] : tensor<32x32xi32> to tensor<32x31xi32>
      %inserted_slice_16 = tensor.insert_slice %extracted_slice_14 into %3[0, 0] [32, 1] [1, 1] : tensor<32x1xi32> into tensor<32x32xi32>
      %inserted_slice_17 = tensor.insert_slice %extracted_slice_15 into %inserted_slice_16[0, 1] [32, 31] [1, 1] : tensor<32x31xi32> into tensor<32x32xi32>
      %7 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%6, %inserted_slice_17 : tensor<32x32xi32>, tensor<32x32xi32>) outs(%3 : tensor<32x32xi32>) {
      ^bb0(%in: i32, %in_30: i32, %out: i32):
        %18 = arith.addi %in, %in_30 : i32
        linalg.yield %18 : i32
      } -> tensor<32x32xi32>
      %extracted_slice_18 = tensor.extract_slice %arg3[31, 0] [1, 32] [1, 1] : tensor<32x32xi32> to tensor<1x32xi32>
      %extracted_slice_19 = tensor.extract_slice %arg3[0, 0] [31, 32] [1, 1] : tensor<32x32xi32> to tensor<31x32xi32>
      %inserted_slice_20 = tensor.insert_slice %extracted_slice_18 into %3[0, 0] [1, 32] [1, 1] : tensor<1x32xi32> into tensor<32x32xi32>
      %inserted_slice_21 = tensor.insert_slice %extracted_slice_19 into %inserted_slice_20[1, 0] [31, 32] [1, 1] : tensor<31x32xi32> into tensor<32x32xi32>
      %extracted_slice_22 = tensor.extract_slice %inserted_slice_21[0, 1] [32, 31] [1, 1] : tensor<32x32xi32> to tensor<32x31xi32>
      %extracted_slice_23 = tensor.extract_slice %inserted_slice_21[0, 0] [32, 1] [1, 1] : tensor<32x32xi32> to tensor<32x1xi32>
      %inserted_slice_24 = tensor.insert_slice %extracted_slice_22 into %3[0, 0] [32, 31] [1, 1] : tensor<32x31xi32> into tensor<32x32xi32>
      %inserted_slice_25 = tensor.insert_slice %extracted_slice_23 into %inserted_slice_24[0, 31] [32, 1] [1, 1] : tensor<32x1xi32> into tensor<32x32xi32>
      %8 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%7, %inserted_slice_25 : tensor<32x32xi32>, tensor<32x32xi32>) outs(%3 : tensor<32x32xi32>) {
      ^bb0(%in: i32, %in_30: i32, %out: i32):
        %18 = arith.addi %in, %in_30 : i32
        linalg.yield %18 : i32
      } -> tensor<32x32xi32>
      %9 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%8, %inserted_slice_21 : tensor<32x32xi32>, tensor<32x32xi32>) outs(%3 : tensor<32x32xi32>) {
      ^bb0(%in: i32, %in_30: i32, %out: i32):
        %18 = arith.addi %in, %in_30 : i32
        linalg.yield %18 : i32
      } -> tensor<32x32xi32>
      %extracted_slice_26 = tensor.extract_slice %inserted_slice_21[0, 31] [32, 1] [1, 1] : tensor<32x32xi32> to tensor<32x1xi32>
      %extracted_slice_27 = tensor.extract_slice %inserted_slice_21[0, 0] [32, 31] [1, 1] : tensor<32x32xi32> to tensor<32x31xi32>
      %inserted_slice_28 = tensor.insert_slice %extracted_slice_26 into %3[0, 0] [32, 1] [1, 1] : tensor<32x1xi32> into tensor<32x32xi32>
      %inserted_slice_29 = tensor.insert_slice %extracted_slice_27 into %inserted_slice_28[0, 1] [32, 31] [1, 1] : tensor<32x31xi32> into tensor<32x32xi32>
      %10 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%9, %inserted_slice_29 : tensor<32x32xi32>, tensor<32x32xi32>) outs(%3 : tensor<32x32xi32>) {
      ^bb0(%in: i32, %in_30: i32, %out: i32):
        %18 = arith.addi %in, %in_30 : i32
        linalg.yield %18 : i32
      } -> tensor<32x32xi32>
      %11 = tensor.empty() : tensor<32x32xi1>
      %12 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<32x32xi32>) outs(%11 : tensor<32x32xi1>) {
      ^bb0(%in: i32, %out: i1):
        %18 = arith.cmpi eq, %in, %c3_i32 : i32
        linalg.yield %18 : i1
      } -> tensor<32x32xi1>
      %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%10 : tensor<32x32xi32>) outs(%11 : tensor<32x32xi1>) {
      ^bb0(%in: i32, %out: i1):
        %18 = arith.cmpi eq, %in, %c2_i32 : i32
        linalg.yield %18 : i1
      } -> tensor<32x32xi1>
      %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%arg3 : tensor<32x32xi32>) outs(%11 : tensor<32x32xi1>) {
      ^bb0(%in: i32, %out: i1):
        %18 = arith.cmpi eq, %in, %c1_i32 : i32
        linalg.yield %18 : i1
      } -> tensor<32x32xi1>
      %15 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%13, %14 : tensor<32x32xi1>, tensor<32x32xi1>) outs(%11 : tensor<32x32xi1>) {
      ^bb0(%in: i1, %in_30: i1, %out: i1):
        %18 = arith.andi %in, %in_30 : i1
        linalg.yield %18 : i1
      } -> tensor<32x32xi1>
      %16 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%12, %15 : tensor<32x32xi1>, tensor<32x32xi1>) outs(%11 : tensor<32x32xi1>) {
      ^bb0(%in: i1, %in_30: i1, %out: i1):
        %18 = arith.ori %in, %in_30 : i1
        linalg.yield %18 : i1
      } -> tensor<32x32xi1>
      %17 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<32x32xi1>) outs(%3 : tensor<32x32xi32>) {
      ^bb0(%in: i1, %out: i32):
        %18 = arith.extui %in : i1 to i32
        linalg.yield %18 : i32
      } -> tensor<32x32xi32>
      scf.yield %2, %17 : tensor<i32>, tensor<32x32xi32>
    }
    return %0#1 : tensor<32x32xi32>
  }
}
