// The second result is dropped as if it were the argument.
// kind: difference
// message: result
// leaks: report
module @before {
  func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
    %i = arith.constant 1 : index
    %u = tensor.insert %x into %t[%i] : tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %v = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    func.return %u, %v : tensor<4xf32>, tensor<4xf32>
  }
}
module @after {
  func.func @f(%t: memref<4xf32>, %x: f32) -> memref<4xf32> { // culprit
    %i = arith.constant 1 : index
    %u = memref.alloc() : memref<4xf32>
    "memref.copy"(%t, %u) : (memref<4xf32>, memref<4xf32>) -> ()
    memref.store %x, %u[%i] : memref<4xf32>
    func.return %u : memref<4xf32>
  }
}
