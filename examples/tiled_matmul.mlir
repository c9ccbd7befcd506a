// A matrix product in tiles of 4 x 4 x 2: every tile of the result is taken out of the
// result, updated, and put back.

func.func @tiled_matmul(%a: tensor<8x6xf32>, %b: tensor<6x12xf32>) -> tensor<8x12xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c6 = arith.constant 6 : index
  %c8 = arith.constant 8 : index
  %c12 = arith.constant 12 : index
  %zero = arith.constant 0.0 : f32

  %empty = tensor.empty() : tensor<8x12xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x12xf32>) -> tensor<8x12xf32>
  %product = scf.for %i = %c0 to %c8 step %c4 iter_args(%rows = %init) -> (tensor<8x12xf32>) {
    %row = scf.for %j = %c0 to %c12 step %c4 iter_args(%columns = %rows) -> (tensor<8x12xf32>) {
      %sum = scf.for %k = %c0 to %c6 step %c2 iter_args(%c = %columns) -> (tensor<8x12xf32>) {
        %a_tile = tensor.extract_slice %a[%i, %k] [4, 2] [1, 1] : tensor<8x6xf32> to tensor<4x2xf32>
        %b_tile = tensor.extract_slice %b[%k, %j] [2, 4] [1, 1] : tensor<6x12xf32> to tensor<2x4xf32>
        %c_tile = tensor.extract_slice %c[%i, %j] [4, 4] [1, 1] : tensor<8x12xf32> to tensor<4x4xf32>
        %updated = linalg.matmul
            ins(%a_tile, %b_tile : tensor<4x2xf32>, tensor<2x4xf32>)
            outs(%c_tile : tensor<4x4xf32>) -> tensor<4x4xf32>
        %next = tensor.insert_slice %updated into %c[%i, %j] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x12xf32>
        scf.yield %next : tensor<8x12xf32>
      }
      scf.yield %sum : tensor<8x12xf32>
    }
    scf.yield %row : tensor<8x12xf32>
  }
  func.return %product : tensor<8x12xf32>
}
