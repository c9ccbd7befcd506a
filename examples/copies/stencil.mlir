// Copies: 0 with one-shot-bufferize, 0 with bufferize; 0 forced.
//
// A stencil in a loop over time: each step reads the neighbours of each point in the last
// state, and writes the next one. Two buffers take turns.

func.func @stencil(%image: tensor<32xf32>, %steps: index) -> tensor<32xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c31 = arith.constant 31 : index
  %empty = tensor.empty() : tensor<32xf32>
  %start = linalg.exp ins(%image : tensor<32xf32>) outs(%empty : tensor<32xf32>) -> tensor<32xf32>
  %end, %before = scf.for %t = %c0 to %steps step %c1 iter_args(%last = %start, %next = %empty) -> (tensor<32xf32>, tensor<32xf32>) {
    %first_point = tensor.extract %last[%c0] : tensor<32xf32>
    %last_point = tensor.extract %last[%c31] : tensor<32xf32>
    %left = tensor.extract_slice %last[0] [30] [1] : tensor<32xf32> to tensor<30xf32>
    %right = tensor.extract_slice %last[2] [30] [1] : tensor<32xf32> to tensor<30xf32>
    %inner = tensor.extract_slice %next[1] [30] [1] : tensor<32xf32> to tensor<30xf32>
    %sum = linalg.add ins(%left, %right : tensor<30xf32>, tensor<30xf32>) outs(%inner : tensor<30xf32>) -> tensor<30xf32>
    %computed = tensor.insert_slice %sum into %next[1] [30] [1] : tensor<30xf32> into tensor<32xf32>
    %bounded = tensor.insert %first_point into %computed[%c0] : tensor<32xf32>
    %state = tensor.insert %last_point into %bounded[%c31] : tensor<32xf32>
    scf.yield %state, %last : tensor<32xf32>, tensor<32xf32>
  }
  func.return %end : tensor<32xf32>
}
