// Both results were allocated by the function; they are in one argument's memory.
// kind: difference
// message: result 0, in argument 2, at
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
  func.func @f(%t: memref<4xf32>, %x: f32, %r: memref<4xf32>, %s: memref<4xf32>) {
    %i = arith.constant 1 : index
    "memref.copy"(%t, %r) : (memref<4xf32>, memref<4xf32>) -> ()
    memref.store %x, %r[%i] : memref<4xf32>
    linalg.fill ins(%x : f32) outs(%r : memref<4xf32>) // culprit
    "memref.copy"(%r, %s) : (memref<4xf32>, memref<4xf32>) -> ()
    func.return
  }
}
