// Copies: 3 with one-shot-bufferize, 1 with bufferize; 1 forced.
//
// A residual block: what has gone through two padded convolutions is added to what went in.
// Each convolution computes into the interior of the next one's padded input; only the
// padding of the caller's image is a copy.

func.func @residual_block(%image: tensor<1x2x8x8xf32>, %w0: tensor<2x2x3x3xf32>,
                          %w1: tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x2x8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %padded = tensor.pad %image low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x2x8x8xf32> to tensor<1x2x10x10xf32>
  %x = linalg.conv_2d_nchw_fchw
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%padded, %w0 : tensor<1x2x10x10xf32>, tensor<2x2x3x3xf32>)
      outs(%init : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %positive = linalg.max ins(%x, %init : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>) outs(%empty : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %again = tensor.pad %positive low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%n: index, %c: index, %h: index, %w: index):
    tensor.yield %zero : f32
  } : tensor<1x2x8x8xf32> to tensor<1x2x10x10xf32>
  %y = linalg.conv_2d_nchw_fchw
      {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%again, %w1 : tensor<1x2x10x10xf32>, tensor<2x2x3x3xf32>)
      outs(%init : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %sum = linalg.add ins(%y, %image : tensor<1x2x8x8xf32>, tensor<1x2x8x8xf32>) outs(%empty : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  func.return %sum : tensor<1x2x8x8xf32>
}
