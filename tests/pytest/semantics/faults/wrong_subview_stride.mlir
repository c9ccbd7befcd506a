// Every second element is copied.
// kind: difference
// message: result 0 at [0]
module @before {
  func.func @f(%t: tensor<8xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %t[1] [4] [1] : tensor<8xf32> to tensor<4xf32>
    func.return %s : tensor<4xf32>
  }
}
module @after {
  func.func @f(%t: memref<8xf32>) -> memref<4xf32> {
    %s = memref.subview %t[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
    %r = memref.alloc() : memref<4xf32>
    "memref.copy"(%s, %r) : (memref<4xf32, strided<[2]>>, memref<4xf32>) -> () // culprit
    func.return %r : memref<4xf32>
  }
}
