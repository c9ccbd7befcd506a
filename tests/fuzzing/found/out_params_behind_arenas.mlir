// one-shot-bufferize{bufferize-function-boundaries=true},plan-static-memory{arena-as-argument=true},buffer-results-to-out-params{modify-public-functions=true},buffer-deallocation-pipeline,convert-bufferization-to-memref
func.func @f(%t: tensor<8xf32>, %i: index, %f: f32) -> (tensor<8xf32>, f32) {
  %e = tensor.empty() : tensor<4xf32>
  %u = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %v = linalg.add ins(%c, %u : tensor<4xf32>, tensor<4xf32>) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %v into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %r, %f : tensor<8xf32>, f32
}
