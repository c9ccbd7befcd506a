// The caller's memory is not the function's to free.
// kind: memory fault
// message: free of argument memory
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
    memref.store %x, %t[%i] : memref<4xf32>
    "memref.copy"(%t, %r) : (memref<4xf32>, memref<4xf32>) -> ()
    linalg.fill ins(%x : f32) outs(%s : memref<4xf32>)
    memref.dealloc %s : memref<4xf32> // culprit
    func.return
  }
}
