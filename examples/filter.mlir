// Sums a signal with itself and writes one element; also returns the element that was there.
func.func @filter(%signal: tensor<64xf32>, %x: f32, %i: index) -> (tensor<64xf32>, f32) {
  %empty = tensor.empty() : tensor<64xf32>
  %sum = linalg.add ins(%signal, %signal : tensor<64xf32>, tensor<64xf32>)
                    outs(%empty : tensor<64xf32>) -> tensor<64xf32>
  %set = tensor.insert %x into %sum[%i] : tensor<64xf32>
  %old = tensor.extract %sum[%i] : tensor<64xf32>
  func.return %set, %old : tensor<64xf32>, f32
}
