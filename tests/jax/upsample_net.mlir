// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def upsample_net(x, a, b):
//         cv = lambda x, w: lax.conv_general_dilated(
//             x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
//         )
//         up = lambda x: jnp.repeat(jnp.repeat(x, 2, 1), 2, 2)
//         return jnp.tanh(cv(up(jax.nn.relu(cv(up(x), a))), b))
//
// XLA: 0 bytes copied, peak 45,056 bytes
// bufferize: 0 copies, 0 bytes copied, peak 49,280 bytes

#map = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d3, d4)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @f(%arg0: tensor<1x8x8x16xf32> {bufferization.writable = false}, %arg1: tensor<3x3x16x8xf32> {bufferization.writable = false}, %arg2: tensor<3x3x8x3xf32> {bufferization.writable = false}) -> tensor<1x32x32x3xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x8x2x8x16xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%arg0 : tensor<1x8x8x16xf32>) outs(%0 : tensor<1x8x2x8x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x8x2x8x16xf32>
    %collapsed = tensor.collapse_shape %1 [[0], [1, 2], [3], [4]] : tensor<1x8x2x8x16xf32> into tensor<1x16x8x16xf32>
    %2 = tensor.empty() : tensor<1x16x8x2x16xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%collapsed : tensor<1x16x8x16xf32>) outs(%2 : tensor<1x16x8x2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x16x8x2x16xf32>
    %collapsed_0 = tensor.collapse_shape %3 [[0], [1], [2, 3], [4]] : tensor<1x16x8x2x16xf32> into tensor<1x16x16x16xf32>
    %4 = tensor.empty() : tensor<1x16x16x8xf32>
    %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %padded = tensor.pad %collapsed_0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst : f32
    } : tensor<1x16x16x16xf32> to tensor<1x18x18x16xf32>
    %6 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg1 : tensor<1x18x18x16xf32>, tensor<3x3x16x8xf32>) outs(%5 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %7 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%6 : tensor<1x16x16x8xf32>) outs(%4 : tensor<1x16x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = arith.maximumf %in, %cst : f32
      linalg.yield %16 : f32
    } -> tensor<1x16x16x8xf32>
    %8 = tensor.empty() : tensor<1x16x2x16x8xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%7 : tensor<1x16x16x8xf32>) outs(%8 : tensor<1x16x2x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x16x2x16x8xf32>
    %collapsed_1 = tensor.collapse_shape %9 [[0], [1, 2], [3], [4]] : tensor<1x16x2x16x8xf32> into tensor<1x32x16x8xf32>
    %10 = tensor.empty() : tensor<1x32x16x2x8xf32>
    %11 = linalg.generic {indexing_maps = [#map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%collapsed_1 : tensor<1x32x16x8xf32>) outs(%10 : tensor<1x32x16x2x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x32x16x2x8xf32>
    %collapsed_2 = tensor.collapse_shape %11 [[0], [1], [2, 3], [4]] : tensor<1x32x16x2x8xf32> into tensor<1x32x32x8xf32>
    %12 = tensor.empty() : tensor<1x32x32x3xf32>
    %13 = linalg.fill ins(%cst : f32) outs(%12 : tensor<1x32x32x3xf32>) -> tensor<1x32x32x3xf32>
    %padded_3 = tensor.pad %collapsed_2 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg3: index, %arg4: index, %arg5: index, %arg6: index):
      tensor.yield %cst : f32
    } : tensor<1x32x32x8xf32> to tensor<1x34x34x8xf32>
    %14 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_3, %arg2 : tensor<1x34x34x8xf32>, tensor<3x3x8x3xf32>) outs(%13 : tensor<1x32x32x3xf32>) -> tensor<1x32x32x3xf32>
    %15 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<1x32x32x3xf32>) outs(%12 : tensor<1x32x32x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %16 = math.tanh %in : f32
      linalg.yield %16 : f32
    } -> tensor<1x32x32x3xf32>
    return %15 : tensor<1x32x32x3xf32>
  }
}
