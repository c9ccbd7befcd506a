// A matmul writes over one of its inputs.
// kind: difference
// message: result 0 at [0, 
module @before {
  func.func @f(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %m : tensor<4x4xf32>
  }
}
module @after {
  func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) -> memref<4x4xf32> {
    linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%a : memref<4x4xf32>) // culprit
    func.return %a : memref<4x4xf32>
  }
}
