// Copies: 8 with one-shot-bufferize, 0 with bufferize; 0 forced.
//
// A densely connected block: each layer reads what all layers before it have computed, and
// appends its own channels. All of them are computed in one buffer.

func.func @growing_concat(%image: tensor<2x16xf32>, %w0: tensor<2x2xf32>, %w1: tensor<2x4xf32>,
                          %w2: tensor<2x6xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x16xf32>) -> tensor<2x16xf32>
  %first = linalg.exp ins(%image : tensor<2x16xf32>) outs(%empty : tensor<2x16xf32>) -> tensor<2x16xf32>
  %x0 = linalg.matmul ins(%w0, %first : tensor<2x2xf32>, tensor<2x16xf32>) outs(%init : tensor<2x16xf32>) -> tensor<2x16xf32>
  %c0 = tensor.concat dim(0) %first, %x0 : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<4x16xf32>
  %x1 = linalg.matmul ins(%w1, %c0 : tensor<2x4xf32>, tensor<4x16xf32>) outs(%init : tensor<2x16xf32>) -> tensor<2x16xf32>
  %c1 = tensor.concat dim(0) %c0, %x1 : (tensor<4x16xf32>, tensor<2x16xf32>) -> tensor<6x16xf32>
  %x2 = linalg.matmul ins(%w2, %c1 : tensor<2x6xf32>, tensor<6x16xf32>) outs(%init : tensor<2x16xf32>) -> tensor<2x16xf32>
  %c2 = tensor.concat dim(0) %c1, %x2 : (tensor<6x16xf32>, tensor<2x16xf32>) -> tensor<8x16xf32>
  func.return %c2 : tensor<8x16xf32>
}
