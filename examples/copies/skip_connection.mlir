// Copies: 2 with one-shot-bufferize, 0 with bufferize; 0 forced.
//
// The skip of a U-shaped network: an early value is put beside a late one, which is computed
// from it. Both are computed in their part of what they are put together to.

func.func @skip_connection(%image: tensor<4x16xf32>, %down: tensor<2x4xf32>,
                           %up: tensor<4x2xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %wide = tensor.empty() : tensor<4x16xf32>
  %narrow = tensor.empty() : tensor<2x16xf32>
  %wide_zero = linalg.fill ins(%zero : f32) outs(%wide : tensor<4x16xf32>) -> tensor<4x16xf32>
  %narrow_zero = linalg.fill ins(%zero : f32) outs(%narrow : tensor<2x16xf32>) -> tensor<2x16xf32>
  %early = linalg.exp ins(%image : tensor<4x16xf32>) outs(%wide : tensor<4x16xf32>) -> tensor<4x16xf32>
  %middle = linalg.matmul ins(%down, %early : tensor<2x4xf32>, tensor<4x16xf32>) outs(%narrow_zero : tensor<2x16xf32>) -> tensor<2x16xf32>
  %late = linalg.matmul ins(%up, %middle : tensor<4x2xf32>, tensor<2x16xf32>) outs(%wide_zero : tensor<4x16xf32>) -> tensor<4x16xf32>
  %both = tensor.concat dim(0) %early, %late : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  func.return %both : tensor<8x16xf32>
}
