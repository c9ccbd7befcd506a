// Single-head causal attention: softmax(q * transpose(k) / sqrt(8)) * v, where a position
// sees itself and those before it.

#row = affine_map<(row, column) -> (row)>
#element = affine_map<(row, column) -> (row, column)>

func.func @attention(%q: tensor<6x8xf32>, %k: tensor<6x8xf32>, %v: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %zero = arith.constant 0.0 : f32
  %lowest = arith.constant -1.0e30 : f32
  %scale = arith.constant 0.353553391 : f32

  // Scores.
  %k_empty = tensor.empty() : tensor<8x6xf32>
  %k_transposed = linalg.transpose ins(%k : tensor<6x8xf32>) outs(%k_empty : tensor<8x6xf32>) permutation = [1, 0]
  %scores_empty = tensor.empty() : tensor<6x6xf32>
  %scores_zero = linalg.fill ins(%zero : f32) outs(%scores_empty : tensor<6x6xf32>) -> tensor<6x6xf32>
  %products = linalg.matmul
      ins(%q, %k_transposed : tensor<6x8xf32>, tensor<8x6xf32>)
      outs(%scores_zero : tensor<6x6xf32>) -> tensor<6x6xf32>
  %scores = linalg.generic {
      indexing_maps = [#element], iterator_types = ["parallel", "parallel"]}
      outs(%products : tensor<6x6xf32>) {
  ^bb0(%product: f32):
    %row = linalg.index 0 : index
    %column = linalg.index 1 : index
    %seen = arith.cmpi sle, %column, %row : index
    %scaled = arith.mulf %product, %scale : f32
    %score = arith.select %seen, %scaled, %lowest : f32
    linalg.yield %score : f32
  } -> tensor<6x6xf32>

  // Softmax along the rows.
  %row_empty = tensor.empty() : tensor<6xf32>
  %max_init = linalg.fill ins(%lowest : f32) outs(%row_empty : tensor<6xf32>) -> tensor<6xf32>
  %max = linalg.generic {
      indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%scores : tensor<6x6xf32>) outs(%max_init : tensor<6xf32>) {
  ^bb0(%score: f32, %so_far: f32):
    %larger = arith.maximumf %score, %so_far : f32
    linalg.yield %larger : f32
  } -> tensor<6xf32>
  %exponentials = linalg.generic {
      indexing_maps = [#row, #element], iterator_types = ["parallel", "parallel"]}
      ins(%max : tensor<6xf32>) outs(%scores : tensor<6x6xf32>) {
  ^bb0(%row_max: f32, %score: f32):
    %shifted = arith.subf %score, %row_max : f32
    %exponential = math.exp %shifted : f32
    linalg.yield %exponential : f32
  } -> tensor<6x6xf32>
  %sum_init = linalg.fill ins(%zero : f32) outs(%row_empty : tensor<6xf32>) -> tensor<6xf32>
  %sum = linalg.generic {
      indexing_maps = [#element, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exponentials : tensor<6x6xf32>) outs(%sum_init : tensor<6xf32>) {
  ^bb0(%exponential: f32, %so_far: f32):
    %larger_sum = arith.addf %exponential, %so_far : f32
    linalg.yield %larger_sum : f32
  } -> tensor<6xf32>
  %weights = linalg.generic {
      indexing_maps = [#row, #element], iterator_types = ["parallel", "parallel"]}
      ins(%sum : tensor<6xf32>) outs(%exponentials : tensor<6x6xf32>) {
  ^bb0(%row_sum: f32, %exponential: f32):
    %weight = arith.divf %exponential, %row_sum : f32
    linalg.yield %weight : f32
  } -> tensor<6x6xf32>

  // The weighted sum of the values.
  %output_empty = tensor.empty() : tensor<6x8xf32>
  %output_zero = linalg.fill ins(%zero : f32) outs(%output_empty : tensor<6x8xf32>) -> tensor<6x8xf32>
  %output = linalg.matmul
      ins(%weights, %v : tensor<6x6xf32>, tensor<6x8xf32>)
      outs(%output_zero : tensor<6x8xf32>) -> tensor<6x8xf32>
  func.return %output : tensor<6x8xf32>
}
