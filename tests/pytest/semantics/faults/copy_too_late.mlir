// The copy is taken when the memory was overwritten already.
// kind: difference
// message: result 1 at [1]
// leaks: report
module @before {
  func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
    %i = arith.constant 1 : index
    %u = tensor.insert %x into %t[%i] : tensor<4xf32>
    func.return %u, %t : tensor<4xf32>, tensor<4xf32>
  }
}
module @after {
  func.func @f(%t: memref<4xf32>, %x: f32) -> (memref<4xf32>, memref<4xf32>) {
    %i = arith.constant 1 : index
    memref.store %x, %t[%i] : memref<4xf32>
    %old = memref.alloc() : memref<4xf32>
    "memref.copy"(%t, %old) : (memref<4xf32>, memref<4xf32>) -> () // culprit
    func.return %t, %old : memref<4xf32>, memref<4xf32>
  }
}
