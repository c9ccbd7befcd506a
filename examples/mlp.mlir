// A two-layer perceptron: relu(x * w1 + b1) * w2 + b2 for a batch of four inputs.

func.func @mlp(%x: tensor<4x8xf32>,
               %w1: tensor<8x16xf32>, %b1: tensor<16xf32>,
               %w2: tensor<16x3xf32>, %b2: tensor<3xf32>) -> tensor<4x3xf32> {
  %zero = arith.constant 0.0 : f32

  %hidden_empty = tensor.empty() : tensor<4x16xf32>
  %hidden_zero = linalg.fill ins(%zero : f32) outs(%hidden_empty : tensor<4x16xf32>) -> tensor<4x16xf32>
  %hidden_product = linalg.matmul
      ins(%x, %w1 : tensor<4x8xf32>, tensor<8x16xf32>)
      outs(%hidden_zero : tensor<4x16xf32>) -> tensor<4x16xf32>
  %hidden = linalg.generic {
      indexing_maps = [affine_map<(row, column) -> (column)>, affine_map<(row, column) -> (row, column)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%b1 : tensor<16xf32>) outs(%hidden_product : tensor<4x16xf32>) {
  ^bb0(%bias: f32, %product: f32):
    %sum = arith.addf %product, %bias : f32
    %relu = arith.maximumf %sum, %zero : f32
    linalg.yield %relu : f32
  } -> tensor<4x16xf32>

  %output_empty = tensor.empty() : tensor<4x3xf32>
  %output_bias = linalg.generic {
      indexing_maps = [affine_map<(row, column) -> (column)>, affine_map<(row, column) -> (row, column)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%b2 : tensor<3xf32>) outs(%output_empty : tensor<4x3xf32>) {
  ^bb0(%bias: f32, %unused: f32):
    linalg.yield %bias : f32
  } -> tensor<4x3xf32>
  %output = linalg.matmul
      ins(%hidden, %w2 : tensor<4x16xf32>, tensor<16x3xf32>)
      outs(%output_bias : tensor<4x3xf32>) -> tensor<4x3xf32>
  func.return %output : tensor<4x3xf32>
}
