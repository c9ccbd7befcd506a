// Copies: 1 with one-shot-bufferize, 0 with bufferize; 0 forced.
//
// Batch normalisation behind a matrix product, as a chain of elementwise ops. Each of them
// works in the buffer of the product.

func.func @batch_normalisation(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %mean: tensor<16xf32>,
                               %scale: tensor<16xf32>, %shift: tensor<16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %product = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x16xf32>) outs(%init : tensor<8x16xf32>) -> tensor<8x16xf32>
  %means = linalg.broadcast ins(%mean : tensor<16xf32>) outs(%empty : tensor<8x16xf32>) dimensions = [0]
  %centred = linalg.sub ins(%product, %means : tensor<8x16xf32>, tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %scales = linalg.broadcast ins(%scale : tensor<16xf32>) outs(%empty : tensor<8x16xf32>) dimensions = [0]
  %scaled = linalg.mul ins(%centred, %scales : tensor<8x16xf32>, tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %shifts = linalg.broadcast ins(%shift : tensor<16xf32>) outs(%empty : tensor<8x16xf32>) dimensions = [0]
  %shifted = linalg.add ins(%scaled, %shifts : tensor<8x16xf32>, tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  %result = linalg.max ins(%shifted, %init : tensor<8x16xf32>, tensor<8x16xf32>) outs(%empty : tensor<8x16xf32>) -> tensor<8x16xf32>
  func.return %result : tensor<8x16xf32>
}
