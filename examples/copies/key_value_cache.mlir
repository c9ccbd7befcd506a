// Copies: 6 with one-shot-bufferize, 2 with bufferize; 2 forced.
//
// Attention in a decode step: the keys and values of one more token are put into the caches,
// which the caller gives up for the updated ones. The store moves behind the last op that
// reads the cache as it was.

func.func @key_value_cache(
    %query: tensor<1x8xf32>, %key: tensor<1x8xf32>, %value: tensor<1x8xf32>, %position: index,
    %keys: tensor<16x8xf32> {bufferize.aliasing_result = 1 : i64},
    %values: tensor<16x8xf32> {bufferize.aliasing_result = 2 : i64})
    -> (tensor<1x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %new_keys = tensor.insert_slice %key into %keys[%position, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<16x8xf32>
  %new_values = tensor.insert_slice %value into %values[%position, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<16x8xf32>
  %turned = tensor.empty() : tensor<8x16xf32>
  %transposed = linalg.transpose ins(%keys : tensor<16x8xf32>) outs(%turned : tensor<8x16xf32>) permutation = [1, 0]
  %empty = tensor.empty() : tensor<1x16xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x16xf32>) -> tensor<1x16xf32>
  %scores = linalg.matmul ins(%query, %transposed : tensor<1x8xf32>, tensor<8x16xf32>) outs(%init : tensor<1x16xf32>) -> tensor<1x16xf32>
  %weights = linalg.exp ins(%scores : tensor<1x16xf32>) outs(%empty : tensor<1x16xf32>) -> tensor<1x16xf32>
  %result = tensor.empty() : tensor<1x8xf32>
  %result_init = linalg.fill ins(%zero : f32) outs(%result : tensor<1x8xf32>) -> tensor<1x8xf32>
  %attended = linalg.matmul ins(%weights, %values : tensor<1x16xf32>, tensor<16x8xf32>) outs(%result_init : tensor<1x8xf32>) -> tensor<1x8xf32>
  func.return %attended, %new_keys, %new_values : tensor<1x8xf32>, tensor<16x8xf32>, tensor<16x8xf32>
}
