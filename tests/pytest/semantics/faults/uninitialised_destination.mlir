// A result is accumulated to memory that is not initialised.
// kind: uninitialised contents
// message: depends on memory that is not initialised
module @before {
  func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %m : tensor<4x4xf32>
  }
}
module @after {
  func.func @f(%a: memref<4x4xf32>) -> memref<4x4xf32> {
    %r = memref.alloc() : memref<4x4xf32>
    %m = memref.alloc() : memref<4x4xf32> // culprit
    linalg.matmul ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%m : memref<4x4xf32>)
    "memref.copy"(%m, %r) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
    func.return %r : memref<4x4xf32>
  }
}
