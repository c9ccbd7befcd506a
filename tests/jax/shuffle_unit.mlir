// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def shuffle_unit(x, a, d, b):
//         cv = lambda x, w, g=1: lax.conv_general_dilated(
//             x,
//             w,
//             (1, 1),
//             "SAME",
//             dimension_numbers=("NHWC", "HWIO", "NHWC"),
//             feature_group_count=g,
//         )
//         l, r = x[..., :8], x[..., 8:]
//         r = jax.nn.relu(cv(r, a))
//         r = cv(r, d, 8)
//         r = jax.nn.relu(cv(r, b))
//         y = jnp.concatenate([l, r], -1)
//         return y.reshape(1, 16, 16, 2, 8).swapaxes(3, 4).reshape(1, 16, 16, 16)
//
// XLA: 16,384 bytes copied, peak 32,768 bytes
// bufferize: 1 copies, 8,192 bytes copied, peak 32,768 bytes

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4, d3)>
#map2 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
module {
  func.func @f(%arg0: tensor<1x16x16x16xf32> {bufferization.writable = false}, %arg1: tensor<1x1x8x8xf32> {bufferization.writable = false}, %arg2: tensor<3x3x1x8xf32> {bufferization.writable = false}, %arg3: tensor<1x1x8x8xf32> {bufferization.writable = false}) -> tensor<1x16x16x16xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0, 0] [1, 16, 16, 8] [1, 1, 1, 1] : tensor<1x16x16x16xf32> to tensor<1x16x16x8xf32>
    %extracted_slice_0 = tensor.extract_slice %arg0[0, 0, 0, 8] [1, 16, 16, 8] [1, 1, 1, 1] : tensor<1x16x16x16xf32> to tensor<1x16x16x8xf32>
    %0 = tensor.empty() : tensor<1x16x16x8xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%extracted_slice_0, %arg1 : tensor<1x16x16x8xf32>, tensor<1x1x8x8xf32>) outs(%1 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x16x16x8xf32>) outs(%0 : tensor<1x16x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.maximumf %in, %cst : f32
      linalg.yield %10 : f32
    } -> tensor<1x16x16x8xf32>
    %padded = tensor.pad %3 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg4: index, %arg5: index, %arg6: index, %arg7: index):
      tensor.yield %cst : f32
    } : tensor<1x16x16x8xf32> to tensor<1x18x18x8xf32>
    %collapsed = tensor.collapse_shape %arg2 [[0], [1], [2, 3]] : tensor<3x3x1x8xf32> into tensor<3x3x8xf32>
    %4 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %collapsed : tensor<1x18x18x8xf32>, tensor<3x3x8xf32>) outs(%1 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%4, %arg3 : tensor<1x16x16x8xf32>, tensor<1x1x8x8xf32>) outs(%1 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x16x16x8xf32>) outs(%0 : tensor<1x16x16x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %10 = arith.maximumf %in, %cst : f32
      linalg.yield %10 : f32
    } -> tensor<1x16x16x8xf32>
    %7 = tensor.empty() : tensor<1x16x16x16xf32>
    %inserted_slice = tensor.insert_slice %extracted_slice into %7[0, 0, 0, 0] [1, 16, 16, 8] [1, 1, 1, 1] : tensor<1x16x16x8xf32> into tensor<1x16x16x16xf32>
    %inserted_slice_1 = tensor.insert_slice %6 into %inserted_slice[0, 0, 0, 8] [1, 16, 16, 8] [1, 1, 1, 1] : tensor<1x16x16x8xf32> into tensor<1x16x16x16xf32>
    %expanded = tensor.expand_shape %inserted_slice_1 [[0], [1], [2], [3, 4]] output_shape [1, 16, 16, 2, 8] : tensor<1x16x16x16xf32> into tensor<1x16x16x2x8xf32>
    %8 = tensor.empty() : tensor<1x16x16x8x2xf32>
    %9 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%expanded : tensor<1x16x16x2x8xf32>) outs(%8 : tensor<1x16x16x8x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1x16x16x8x2xf32>
    %collapsed_2 = tensor.collapse_shape %9 [[0], [1], [2], [3, 4]] : tensor<1x16x16x8x2xf32> into tensor<1x16x16x16xf32>
    return %collapsed_2 : tensor<1x16x16x16xf32>
  }
}
