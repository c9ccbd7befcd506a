// Two tensors that are alive at a time share a buffer.
// kind: difference
// message: result 0 at [
module @before {
  func.func @f(%x: f32, %y: f32) -> (tensor<4xf32>, tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %a = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %b = linalg.fill ins(%y : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    func.return %a, %b : tensor<4xf32>, tensor<4xf32>
  }
}
module @after {
  func.func @f(%x: f32, %y: f32) -> (memref<4xf32>, memref<4xf32>) {
    %e = memref.alloc() : memref<4xf32>
    linalg.fill ins(%x : f32) outs(%e : memref<4xf32>)
    linalg.fill ins(%y : f32) outs(%e : memref<4xf32>) // culprit
    func.return %e, %e : memref<4xf32>, memref<4xf32>
  }
}
