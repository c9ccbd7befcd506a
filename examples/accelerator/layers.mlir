// Two layers of a quantized network: bytes are multiplied, and sums are made bytes again.
func.func @layers(%x: tensor<64x64xi8>, %w0: tensor<64x128xi8>, %w1: tensor<128x64xi8>) -> tensor<64x64xi8> {
  %zero = arith.constant 0 : i32
  %e0 = tensor.empty() : tensor<64x128xi32>
  %z0 = linalg.fill ins(%zero : i32) outs(%e0 : tensor<64x128xi32>) -> tensor<64x128xi32>
  %m0 = linalg.matmul ins(%x, %w0 : tensor<64x64xi8>, tensor<64x128xi8>) outs(%z0 : tensor<64x128xi32>) -> tensor<64x128xi32>
  %h = arith.trunci %m0 : tensor<64x128xi32> to tensor<64x128xi8>
  %e1 = tensor.empty() : tensor<64x64xi32>
  %z1 = linalg.fill ins(%zero : i32) outs(%e1 : tensor<64x64xi32>) -> tensor<64x64xi32>
  %m1 = linalg.matmul ins(%h, %w1 : tensor<64x128xi8>, tensor<128x64xi8>) outs(%z1 : tensor<64x64xi32>) -> tensor<64x64xi32>
  %y = arith.trunci %m1 : tensor<64x64xi32> to tensor<64x64xi8>
  func.return %y : tensor<64x64xi8>
}
