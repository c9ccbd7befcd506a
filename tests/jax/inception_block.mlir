// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def inception_block(x, a, b, c):
//         cv = lambda x, w: lax.conv_general_dilated(
//             x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
//         )
//         return jax.nn.relu(jnp.concatenate([cv(x, a), cv(x, b), cv(x, c)], -1))
//
// XLA: 0 bytes copied, peak 49,152 bytes
// bufferize: 2 copies, 16,384 bytes copied, peak 40,960 bytes

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @f(%arg0: tensor<1x16x16x8xf32> {bufferization.writable = false}, %arg1: tensor<3x3x8x8xf32> {bufferization.writable = false}, %arg2: tensor<1x1x8x8xf32> {bufferization.writable = false}, %arg3: tensor<5x5x8x8xf32> {bufferization.writable = false}) -> tensor<1x16x16x24xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x16x16x8xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %padded = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg4: index, %arg5: index, %arg6: index, %arg7: index):
      tensor.yield %cst : f32
    } : tensor<1x16x16x8xf32> to tensor<1x18x18x8xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg1 : tensor<1x18x18x8xf32>, tensor<3x3x8x8xf32>) outs(%1 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %3 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%arg0, %arg2 : tensor<1x16x16x8xf32>, tensor<1x1x8x8xf32>) outs(%1 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %padded_0 = tensor.pad %arg0 low[0, 2, 2, 0] high[0, 2, 2, 0] {
    ^bb0(%arg4: index, %arg5: index, %arg6: index, %arg7: index):
      tensor.yield %cst : f32
    } : tensor<1x16x16x8xf32> to tensor<1x20x20x8xf32>
    %4 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_0, %arg3 : tensor<1x20x20x8xf32>, tensor<5x5x8x8xf32>) outs(%1 : tensor<1x16x16x8xf32>) -> tensor<1x16x16x8xf32>
    %5 = tensor.empty() : tensor<1x16x16x24xf32>
    %inserted_slice = tensor.insert_slice %2 into %5[0, 0, 0, 0] [1, 16, 16, 8] [1, 1, 1, 1] : tensor<1x16x16x8xf32> into tensor<1x16x16x24xf32>
    %inserted_slice_1 = tensor.insert_slice %3 into %inserted_slice[0, 0, 0, 8] [1, 16, 16, 8] [1, 1, 1, 1] : tensor<1x16x16x8xf32> into tensor<1x16x16x24xf32>
    %inserted_slice_2 = tensor.insert_slice %4 into %inserted_slice_1[0, 0, 0, 16] [1, 16, 16, 8] [1, 1, 1, 1] : tensor<1x16x16x8xf32> into tensor<1x16x16x24xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%inserted_slice_2 : tensor<1x16x16x24xf32>) outs(%5 : tensor<1x16x16x24xf32>) {
    ^bb0(%in: f32, %out: f32):
      %7 = arith.maximumf %in, %cst : f32
      linalg.yield %7 : f32
    } -> tensor<1x16x16x24xf32>
    return %6 : tensor<1x16x16x24xf32>
  }
}
