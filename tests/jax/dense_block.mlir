// From JAX, by IREE's input pipeline and `mlir-opt --canonicalize --cse`:
//
//     def dense_block(x, *ws):
//         cv = lambda x, w: lax.conv_general_dilated(
//             x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
//         )
//         for w in ws:
//             x = jnp.concatenate([x, jax.nn.relu(cv(x, w))], -1)
//         return x
//
// XLA: 0 bytes copied, peak 40,960 bytes
// bufferize: 5 copies, 65,536 bytes copied, peak 50,496 bytes

#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
module {
  func.func @f(%arg0: tensor<1x16x16x8xf32> {bufferization.writable = false}, %arg1: tensor<3x3x8x4xf32> {bufferization.writable = false}, %arg2: tensor<3x3x12x4xf32> {bufferization.writable = false}, %arg3: tensor<3x3x16x4xf32> {bufferization.writable = false}, %arg4: tensor<3x3x20x4xf32> {bufferization.writable = false}) -> tensor<1x16x16x24xf32> {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<1x16x16x4xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
    %padded = tensor.pad %arg0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: index):
      tensor.yield %cst : f32
    } : tensor<1x16x16x8xf32> to tensor<1x18x18x8xf32>
    %2 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded, %arg1 : tensor<1x18x18x8xf32>, tensor<3x3x8x4xf32>) outs(%1 : tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%2 : tensor<1x16x16x4xf32>) outs(%0 : tensor<1x16x16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.maximumf %in, %cst : f32
      linalg.yield %14 : f32
    } -> tensor<1x16x16x4xf32>
    %4 = tensor.empty() : tensor<1x16x16x12xf32>
    %inserted_slice = tensor.insert_slice %arg0 into %4[0, 0, 0, 0] [1, 16, 16, 8] [1, 1, 1, 1] : tensor<1x16x16x8xf32> into tensor<1x16x16x12xf32>
    %inserted_slice_0 = tensor.insert_slice %3 into %inserted_slice[0, 0, 0, 8] [1, 16, 16, 4] [1, 1, 1, 1] : tensor<1x16x16x4xf32> into tensor<1x16x16x12xf32>
    %padded_1 = tensor.pad %inserted_slice_0 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: index):
      tensor.yield %cst : f32
    } : tensor<1x16x16x12xf32> to tensor<1x18x18x12xf32>
    %5 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_1, %arg2 : tensor<1x18x18x12xf32>, tensor<3x3x12x4xf32>) outs(%1 : tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
    %6 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<1x16x16x4xf32>) outs(%0 : tensor<1x16x16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.maximumf %in, %cst : f32
      linalg.yield %14 : f32
    } -> tensor<1x16x16x4xf32>
    %7 = tensor.empty() : tensor<1x16x16x16xf32>
    %inserted_slice_2 = tensor.insert_slice %inserted_slice_0 into %7[0, 0, 0, 0] [1, 16, 16, 12] [1, 1, 1, 1] : tensor<1x16x16x12xf32> into tensor<1x16x16x16xf32>
    %inserted_slice_3 = tensor.insert_slice %6 into %inserted_slice_2[0, 0, 0, 12] [1, 16, 16, 4] [1, 1, 1, 1] : tensor<1x16x16x4xf32> into tensor<1x16x16x16xf32>
    %padded_4 = tensor.pad %inserted_slice_3 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: index):
      tensor.yield %cst : f32
    } : tensor<1x16x16x16xf32> to tensor<1x18x18x16xf32>
    %8 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_4, %arg3 : tensor<1x18x18x16xf32>, tensor<3x3x16x4xf32>) outs(%1 : tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
    %9 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%8 : tensor<1x16x16x4xf32>) outs(%0 : tensor<1x16x16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.maximumf %in, %cst : f32
      linalg.yield %14 : f32
    } -> tensor<1x16x16x4xf32>
    %10 = tensor.empty() : tensor<1x16x16x20xf32>
    %inserted_slice_5 = tensor.insert_slice %inserted_slice_3 into %10[0, 0, 0, 0] [1, 16, 16, 16] [1, 1, 1, 1] : tensor<1x16x16x16xf32> into tensor<1x16x16x20xf32>
    %inserted_slice_6 = tensor.insert_slice %9 into %inserted_slice_5[0, 0, 0, 16] [1, 16, 16, 4] [1, 1, 1, 1] : tensor<1x16x16x4xf32> into tensor<1x16x16x20xf32>
    %padded_7 = tensor.pad %inserted_slice_6 low[0, 1, 1, 0] high[0, 1, 1, 0] {
    ^bb0(%arg5: index, %arg6: index, %arg7: index, %arg8: index):
      tensor.yield %cst : f32
    } : tensor<1x16x16x20xf32> to tensor<1x18x18x20xf32>
    %11 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%padded_7, %arg4 : tensor<1x18x18x20xf32>, tensor<3x3x20x4xf32>) outs(%1 : tensor<1x16x16x4xf32>) -> tensor<1x16x16x4xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%11 : tensor<1x16x16x4xf32>) outs(%0 : tensor<1x16x16x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %14 = arith.maximumf %in, %cst : f32
      linalg.yield %14 : f32
    } -> tensor<1x16x16x4xf32>
    %13 = tensor.empty() : tensor<1x16x16x24xf32>
    %inserted_slice_8 = tensor.insert_slice %inserted_slice_6 into %13[0, 0, 0, 0] [1, 16, 16, 20] [1, 1, 1, 1] : tensor<1x16x16x20xf32> into tensor<1x16x16x24xf32>
    %inserted_slice_9 = tensor.insert_slice %12 into %inserted_slice_8[0, 0, 0, 20] [1, 16, 16, 4] [1, 1, 1, 1] : tensor<1x16x16x4xf32> into tensor<1x16x16x24xf32>
    return %inserted_slice_9 : tensor<1x16x16x24xf32>
  }
}
