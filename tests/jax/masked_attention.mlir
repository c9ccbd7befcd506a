// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def masked_attention(x, w, o):
//         q, k, v = jnp.split((x @ w).reshape(4, 16, 3, 4, 8).transpose(2, 0, 3, 1, 4), 3, 0)
//         s = jnp.einsum("bhtd,bhsd->bhts", q[0], k[0])
//         s = jnp.where(jnp.tril(jnp.ones((16, 16))) > 0, s, -1e9)
//         y = jnp.einsum("bhts,bhsd->bhtd", jax.nn.softmax(s), v[0])
//         return y.transpose(0, 2, 1, 3).reshape(4, 16, 32) @ o
//
// XLA: 81,920 bytes copied, peak 49,152 bytes
// bufferize: 0 copies, 0 bytes copied, peak 49,152 bytes

#map = affine_map<(d0, d1, d2, d3, d4) -> (d1, d3, d0, d2, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3, d2)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>
module {
  func.func @f(%arg0: tensor<4x16x32xf32> {bufferization.writable = false}, %arg1: tensor<32x96xf32> {bufferization.writable = false}, %arg2: tensor<32x32xf32> {bufferization.writable = false}) -> tensor<4x16x32xf32> {
    %cst = arith.constant 0xFF800000 : f32
    %cst_0 = arith.constant -1.000000e+09 : f32
    %cst_1 = arith.constant 1.000000e+00 : f32
    %cst_2 = arith.constant 0.000000e+00 : f32
    %collapsed = tensor.collapse_shape %arg0 [[0, 1], [2]] : tensor<4x16x32xf32> into tensor<64x32xf32>
    %0 = tensor.empty() : tensor<64x96xf32>
    %1 = linalg.fill ins(%cst_2 : f32) outs(%0 : tensor<64x96xf32>) -> tensor<64x96xf32>
    %2 = linalg.matmul ins(%collapsed, %arg1 : tensor<64x32xf32>, tensor<32x96xf32>) outs(%1 : tensor<64x96xf32>) -> tensor<64x96xf32>
    %expanded = tensor.expand_shape %2 [[0, 1], [2, 3, 4]] output_shape [4, 16, 3, 4, 8] : tensor<64x96xf32> into tensor<4x16x3x4x8xf32>
    %3 = tensor.empty() : tensor<3x4x4x16x8xf32>
    %4 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<4x16x3x4x8xf32>) outs(%3 : tensor<3x4x4x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<3x4x4x16x8xf32>
    %extracted_slice = tensor.extract_slice %4[0, 0, 0, 0, 0] [1, 4, 4, 16, 8] [1, 1, 1, 1, 1] : tensor<3x4x4x16x8xf32> to tensor<1x4x4x16x8xf32>
    %extracted_slice_3 = tensor.extract_slice %4[1, 0, 0, 0, 0] [1, 4, 4, 16, 8] [1, 1, 1, 1, 1] : tensor<3x4x4x16x8xf32> to tensor<1x4x4x16x8xf32>
    %extracted_slice_4 = tensor.extract_slice %4[2, 0, 0, 0, 0] [1, 4, 4, 16, 8] [1, 1, 1, 1, 1] : tensor<3x4x4x16x8xf32> to tensor<1x4x4x16x8xf32>
    %collapsed_5 = tensor.collapse_shape %extracted_slice_3 [[0, 1], [2], [3], [4]] : tensor<1x4x4x16x8xf32> into tensor<4x4x16x8xf32>
    %5 = tensor.empty() : tensor<4x4x8x16xf32>
    %6 = linalg.generic {indexing_maps = [#map2, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_5 : tensor<4x4x16x8xf32>) outs(%5 : tensor<4x4x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x8x16xf32>
    %collapsed_6 = tensor.collapse_shape %extracted_slice [[0, 1, 2], [3], [4]] : tensor<1x4x4x16x8xf32> into tensor<16x16x8xf32>
    %collapsed_7 = tensor.collapse_shape %6 [[0, 1], [2], [3]] : tensor<4x4x8x16xf32> into tensor<16x8x16xf32>
    %7 = tensor.empty() : tensor<16x16x16xf32>
    %8 = linalg.fill ins(%cst_2 : f32) outs(%7 : tensor<16x16x16xf32>) -> tensor<16x16x16xf32>
    %9 = linalg.batch_matmul ins(%collapsed_6, %collapsed_7 : tensor<16x16x8xf32>, tensor<16x8x16xf32>) outs(%8 : tensor<16x16x16xf32>) -> tensor<16x16x16xf32>
    %expanded_8 = tensor.expand_shape %9 [[0, 1], [2], [3]] output_shape [4, 4, 16, 16] : tensor<16x16x16xf32> into tensor<4x4x16x16xf32>
    %10 = tensor.empty() : tensor<16x16xi32>
    %11 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%10 : tensor<16x16xi32>) {
    ^bb0(%out: i32):
      %40 = linalg.index 0 : index
      %41 = arith.index_cast %40 : index to i32
      linalg.yield %41 : i32
    } -> tensor<16x16xi32>
    %12 = linalg.generic {indexing_maps = [#map4], iterator_types = ["parallel", "parallel"]} outs(%10 : tensor<16x16xi32>) {
    ^bb0(%out: i32):
      %40 = linalg.index 1 : index
      %41 = arith.index_cast %40 : index to i32
      linalg.yield %41 : i32
    } -> tensor<16x16xi32>
    %13 = tensor.empty() : tensor<16x16xi1>
    %14 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%11, %12 : tensor<16x16xi32>, tensor<16x16xi32>) outs(%13 : tensor<16x16xi1>) {
    ^bb0(%in: i32, %in_14: i32, %out: i1):
      %40 = arith.cmpi sge, %in, %in_14 : i32
      linalg.yield %40 : i1
    } -> tensor<16x16xi1>
    %15 = tensor.empty() : tensor<16x16xf32>
    %16 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%14 : tensor<16x16xi1>) outs(%15 : tensor<16x16xf32>) {
    ^bb0(%in: i1, %out: f32):
      %40 = arith.select %in, %cst_1, %cst_2 : f32
      linalg.yield %40 : f32
    } -> tensor<16x16xf32>
    %17 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%16 : tensor<16x16xf32>) outs(%13 : tensor<16x16xi1>) {
    ^bb0(%in: f32, %out: i1):
      %40 = arith.cmpf ogt, %in, %cst_2 : f32
      linalg.yield %40 : i1
    } -> tensor<16x16xi1>
    %18 = tensor.empty() : tensor<4x4x16x16xi1>
    %19 = linalg.generic {indexing_maps = [#map5, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<16x16xi1>) outs(%18 : tensor<4x4x16x16xi1>) {
    ^bb0(%in: i1, %out: i1):
      linalg.yield %in : i1
    } -> tensor<4x4x16x16xi1>
    %20 = tensor.empty() : tensor<4x4x16x16xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %expanded_8 : tensor<4x4x16x16xi1>, tensor<4x4x16x16xf32>) outs(%20 : tensor<4x4x16x16xf32>) {
    ^bb0(%in: i1, %in_14: f32, %out: f32):
      %40 = arith.select %in, %in_14, %cst_0 : f32
      linalg.yield %40 : f32
    } -> tensor<4x4x16x16xf32>
    %22 = tensor.empty() : tensor<4x4x16xf32>
    %23 = linalg.fill ins(%cst : f32) outs(%22 : tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
    %24 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<4x4x16x16xf32>) outs(%23 : tensor<4x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.maximumf %out, %in : f32
      linalg.yield %40 : f32
    } -> tensor<4x4x16xf32>
    %25 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<4x4x16xf32>) outs(%20 : tensor<4x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x16x16xf32>
    %26 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %25 : tensor<4x4x16x16xf32>, tensor<4x4x16x16xf32>) outs(%20 : tensor<4x4x16x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %40 = arith.subf %in, %in_14 : f32
      linalg.yield %40 : f32
    } -> tensor<4x4x16x16xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<4x4x16x16xf32>) outs(%20 : tensor<4x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = math.exp %in : f32
      linalg.yield %40 : f32
    } -> tensor<4x4x16x16xf32>
    %28 = linalg.fill ins(%cst_2 : f32) outs(%22 : tensor<4x4x16xf32>) -> tensor<4x4x16xf32>
    %29 = linalg.generic {indexing_maps = [#map3, #map6], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%27 : tensor<4x4x16x16xf32>) outs(%28 : tensor<4x4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %40 = arith.addf %out, %in : f32
      linalg.yield %40 : f32
    } -> tensor<4x4x16xf32>
    %30 = linalg.generic {indexing_maps = [#map6, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29 : tensor<4x4x16xf32>) outs(%20 : tensor<4x4x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x4x16x16xf32>
    %31 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %30 : tensor<4x4x16x16xf32>, tensor<4x4x16x16xf32>) outs(%20 : tensor<4x4x16x16xf32>) {
    ^bb0(%in: f32, %in_14: f32, %out: f32):
      %40 = arith.divf %in, %in_14 : f32
      linalg.yield %40 : f32
    } -> tensor<4x4x16x16xf32>
    %collapsed_9 = tensor.collapse_shape %31 [[0, 1], [2], [3]] : tensor<4x4x16x16xf32> into tensor<16x16x16xf32>
    %collapsed_10 = tensor.collapse_shape %extracted_slice_4 [[0, 1, 2], [3], [4]] : tensor<1x4x4x16x8xf32> into tensor<16x16x8xf32>
    %32 = tensor.empty() : tensor<16x16x8xf32>
    %33 = linalg.fill ins(%cst_2 : f32) outs(%32 : tensor<16x16x8xf32>) -> tensor<16x16x8xf32>
    %34 = linalg.batch_matmul ins(%collapsed_9, %collapsed_10 : tensor<16x16x16xf32>, tensor<16x16x8xf32>) outs(%33 : tensor<16x16x8xf32>) -> tensor<16x16x8xf32>
    %expanded_11 = tensor.expand_shape %34 [[0, 1], [2], [3]] output_shape [4, 4, 16, 8] : tensor<16x16x8xf32> into tensor<4x4x16x8xf32>
    %35 = tensor.empty() : tensor<4x16x4x8xf32>
    %36 = linalg.generic {indexing_maps = [#map7, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_11 : tensor<4x4x16x8xf32>) outs(%35 : tensor<4x16x4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16x4x8xf32>
    %collapsed_12 = tensor.collapse_shape %36 [[0, 1], [2, 3]] : tensor<4x16x4x8xf32> into tensor<64x32xf32>
    %37 = tensor.empty() : tensor<64x32xf32>
    %38 = linalg.fill ins(%cst_2 : f32) outs(%37 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %39 = linalg.matmul ins(%collapsed_12, %arg2 : tensor<64x32xf32>, tensor<32x32xf32>) outs(%38 : tensor<64x32xf32>) -> tensor<64x32xf32>
    %expanded_13 = tensor.expand_shape %39 [[0, 1], [2]] output_shape [4, 16, 32] : tensor<64x32xf32> into tensor<4x16x32xf32>
    return %expanded_13 : tensor<4x16x32xf32>
  }
}
