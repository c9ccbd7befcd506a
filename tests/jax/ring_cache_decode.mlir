// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def ring_cache_decode(k, v, x, wq, wk, wv, pos):
//         q = (x @ wq).reshape(4, 8)
//         kn = (x @ wk).reshape(4, 1, 8)
//         vn = (x @ wv).reshape(4, 1, 8)
//         p = pos % 16
//         k = lax.dynamic_update_slice(k, kn, (0, p, 0))
//         v = lax.dynamic_update_slice(v, vn, (0, p, 0))
//         s = jax.nn.softmax(jnp.einsum("hd,htd->ht", q, k))
//         return k, v, jnp.einsum("ht,htd->hd", s, v).reshape(32)
//
// XLA: 0 bytes copied, peak 664 bytes
// bufferize: 2 copies, 256 bytes copied, peak 384 bytes

#map = affine_map<() -> ()>
#map1 = affine_map<(d0, d1, d2) -> (d0, d2, d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d0, d2)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d0, d1)>
#map6 = affine_map<(d0, d1) -> (d0)>
module {
  func.func @f(%arg0: tensor<4x16x8xf32> {bufferize.aliasing_result = 0 : i32}, %arg1: tensor<4x16x8xf32> {bufferize.aliasing_result = 1 : i32}, %arg2: tensor<32xf32> {bufferization.writable = false}, %arg3: tensor<32x32xf32> {bufferization.writable = false}, %arg4: tensor<32x32xf32> {bufferization.writable = false}, %arg5: tensor<32x32xf32> {bufferization.writable = false}, %arg6: tensor<i32> {bufferization.writable = false}) -> (tensor<4x16x8xf32>, tensor<4x16x8xf32>, tensor<32xf32>) {
    %cst = arith.constant 0xFF800000 : f32
    %c15 = arith.constant 15 : index
    %c0 = arith.constant 0 : index
    %c0_i32 = arith.constant 0 : i32
    %c16_i32 = arith.constant 16 : i32
    %cst_0 = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<32xf32>
    %1 = linalg.fill ins(%cst_0 : f32) outs(%0 : tensor<32xf32>) -> tensor<32xf32>
    %2 = linalg.vecmat ins(%arg2, %arg3 : tensor<32xf32>, tensor<32x32xf32>) outs(%1 : tensor<32xf32>) -> tensor<32xf32>
    %expanded = tensor.expand_shape %2 [[0, 1]] output_shape [4, 8] : tensor<32xf32> into tensor<4x8xf32>
    %3 = linalg.vecmat ins(%arg2, %arg4 : tensor<32xf32>, tensor<32x32xf32>) outs(%1 : tensor<32xf32>) -> tensor<32xf32>
    %expanded_1 = tensor.expand_shape %3 [[0, 1, 2]] output_shape [4, 1, 8] : tensor<32xf32> into tensor<4x1x8xf32>
    %4 = linalg.vecmat ins(%arg2, %arg5 : tensor<32xf32>, tensor<32x32xf32>) outs(%1 : tensor<32xf32>) -> tensor<32xf32>
    %expanded_2 = tensor.expand_shape %4 [[0, 1, 2]] output_shape [4, 1, 8] : tensor<32xf32> into tensor<4x1x8xf32>
    %5 = tensor.empty() : tensor<i32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%arg6 : tensor<i32>) outs(%5 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.remsi %in, %c16_i32 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %7 = tensor.empty() : tensor<i1>
    %8 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%6 : tensor<i32>) outs(%7 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %37 = arith.cmpi ne, %in, %c0_i32 : i32
      linalg.yield %37 : i1
    } -> tensor<i1>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%6 : tensor<i32>) outs(%7 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %37 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %37 : i1
    } -> tensor<i1>
    %10 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = []} ins(%9, %8 : tensor<i1>, tensor<i1>) outs(%7 : tensor<i1>) {
    ^bb0(%in: i1, %in_4: i1, %out: i1):
      %37 = arith.andi %in, %in_4 : i1
      linalg.yield %37 : i1
    } -> tensor<i1>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%6 : tensor<i32>) outs(%5 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.addi %in, %c16_i32 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %12 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = []} ins(%10, %11, %6 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%5 : tensor<i32>) {
    ^bb0(%in: i1, %in_4: i32, %in_5: i32, %out: i32):
      %37 = arith.select %in, %in_4, %in_5 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%12 : tensor<i32>) outs(%7 : tensor<i1>) {
    ^bb0(%in: i32, %out: i1):
      %37 = arith.cmpi slt, %in, %c0_i32 : i32
      linalg.yield %37 : i1
    } -> tensor<i1>
    %14 = linalg.generic {indexing_maps = [#map, #map], iterator_types = []} ins(%12 : tensor<i32>) outs(%5 : tensor<i32>) {
    ^bb0(%in: i32, %out: i32):
      %37 = arith.addi %in, %c16_i32 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %15 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = []} ins(%13, %14, %12 : tensor<i1>, tensor<i32>, tensor<i32>) outs(%5 : tensor<i32>) {
    ^bb0(%in: i1, %in_4: i32, %in_5: i32, %out: i32):
      %37 = arith.select %in, %in_4, %in_5 : i32
      linalg.yield %37 : i32
    } -> tensor<i32>
    %extracted = tensor.extract %15[] : tensor<i32>
    %16 = arith.index_cast %extracted : i32 to index
    %17 = arith.maxsi %16, %c0 : index
    %18 = arith.minsi %17, %c15 : index
    %inserted_slice = tensor.insert_slice %expanded_1 into %arg0[0, %18, 0] [4, 1, 8] [1, 1, 1] : tensor<4x1x8xf32> into tensor<4x16x8xf32>
    %inserted_slice_3 = tensor.insert_slice %expanded_2 into %arg1[0, %18, 0] [4, 1, 8] [1, 1, 1] : tensor<4x1x8xf32> into tensor<4x16x8xf32>
    %19 = tensor.empty() : tensor<4x8x16xf32>
    %20 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%inserted_slice : tensor<4x16x8xf32>) outs(%19 : tensor<4x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x8x16xf32>
    %21 = tensor.empty() : tensor<4x16xf32>
    %22 = linalg.fill ins(%cst_0 : f32) outs(%21 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %23 = linalg.generic {indexing_maps = [#map3, #map1, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%expanded, %20 : tensor<4x8xf32>, tensor<4x8x16xf32>) outs(%22 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<4x16xf32>
    %24 = tensor.empty() : tensor<4xf32>
    %25 = linalg.fill ins(%cst : f32) outs(%24 : tensor<4xf32>) -> tensor<4xf32>
    %26 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction"]} ins(%23 : tensor<4x16xf32>) outs(%25 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.maximumf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<4xf32>
    %27 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%26 : tensor<4xf32>) outs(%21 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16xf32>
    %28 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%23, %27 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%21 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.subf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<4x16xf32>
    %29 = linalg.generic {indexing_maps = [#map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%28 : tensor<4x16xf32>) outs(%21 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<4x16xf32>
    %30 = linalg.fill ins(%cst_0 : f32) outs(%24 : tensor<4xf32>) -> tensor<4xf32>
    %31 = linalg.generic {indexing_maps = [#map5, #map6], iterator_types = ["parallel", "reduction"]} ins(%29 : tensor<4x16xf32>) outs(%30 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<4xf32>
    %32 = linalg.generic {indexing_maps = [#map6, #map5], iterator_types = ["parallel", "parallel"]} ins(%31 : tensor<4xf32>) outs(%21 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4x16xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map5, #map5], iterator_types = ["parallel", "parallel"]} ins(%29, %32 : tensor<4x16xf32>, tensor<4x16xf32>) outs(%21 : tensor<4x16xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.divf %in, %in_4 : f32
      linalg.yield %37 : f32
    } -> tensor<4x16xf32>
    %34 = tensor.empty() : tensor<4x8xf32>
    %35 = linalg.fill ins(%cst_0 : f32) outs(%34 : tensor<4x8xf32>) -> tensor<4x8xf32>
    %36 = linalg.generic {indexing_maps = [#map3, #map1, #map4], iterator_types = ["parallel", "parallel", "reduction"]} ins(%33, %inserted_slice_3 : tensor<4x16xf32>, tensor<4x16x8xf32>) outs(%35 : tensor<4x8xf32>) {
    ^bb0(%in: f32, %in_4: f32, %out: f32):
      %37 = arith.mulf %in, %in_4 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<4x8xf32>
    %collapsed = tensor.collapse_shape %36 [[0, 1]] : tensor<4x8xf32> into tensor<32xf32>
    return %inserted_slice, %inserted_slice_3, %collapsed : tensor<4x16x8xf32>, tensor<4x16x8xf32>, tensor<32xf32>
  }
}
