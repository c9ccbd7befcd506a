// Copies: 2 with one-shot-bufferize, 0 with bufferize; 0 forced.
//
// A matrix product in tiles, each of which starts from the fill that was fused into the loop.

func.func @fused_fill(%a: tensor<16x8xf32>, %b: tensor<8x16xf32>) -> tensor<16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<16x16xf32>
  %tile = tensor.empty() : tensor<4x4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%tile : tensor<4x4xf32>) -> tensor<4x4xf32>
  %product = scf.forall (%i, %j) = (0, 0) to (16, 16) step (4, 4) shared_outs(%c = %empty) -> (tensor<16x16xf32>) {
    %rows = tensor.extract_slice %a[%i, 0] [4, 8] [1, 1] : tensor<16x8xf32> to tensor<4x8xf32>
    %columns = tensor.extract_slice %b[0, %j] [8, 4] [1, 1] : tensor<8x16xf32> to tensor<8x4xf32>
    %sum = linalg.matmul ins(%rows, %columns : tensor<4x8xf32>, tensor<8x4xf32>) outs(%start : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %sum into %c[%i, %j] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<16x16xf32>
    }
  }
  func.return %product : tensor<16x16xf32>
}
