// A 3 x 3 convolution of a padded image with a bias for each output channel, so that the
// result has the image's size.

func.func @convolution(%image: tensor<1x3x8x8xf32>, %filter: tensor<4x3x3x3xf32>,
                       %bias: tensor<4xf32>) -> tensor<1x4x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %image low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x8xf32> to tensor<1x3x10x10xf32>

  %empty = tensor.empty() : tensor<1x4x8x8xf32>
  %init = linalg.generic {
      indexing_maps = [affine_map<(n, f, h, w) -> (f)>, affine_map<(n, f, h, w) -> (n, f, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%bias : tensor<4xf32>) outs(%empty : tensor<1x4x8x8xf32>) {
  ^bb0(%channel_bias: f32, %unused: f32):
    linalg.yield %channel_bias : f32
  } -> tensor<1x4x8x8xf32>
  %result = linalg.conv_2d_nchw_fchw
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %filter : tensor<1x3x10x10xf32>, tensor<4x3x3x3xf32>)
      outs(%init : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
  func.return %result : tensor<1x4x8x8xf32>
}
