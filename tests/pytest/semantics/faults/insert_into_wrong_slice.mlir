// The slice is written to another place than it should.
// kind: difference
// message: result 0 at [0]
module @before {
  func.func @f(%s: tensor<2xf32>, %t: tensor<8xf32>) -> tensor<8xf32> {
    %r = tensor.insert_slice %s into %t[4] [2] [1] : tensor<2xf32> into tensor<8xf32>
    func.return %r : tensor<8xf32>
  }
}
module @after {
  func.func @f(%s: memref<2xf32>, %t: memref<8xf32>) -> memref<8xf32> {
    %p = memref.subview %t[0] [2] [1] : memref<8xf32> to memref<2xf32, strided<[1]>>
    "memref.copy"(%s, %p) : (memref<2xf32>, memref<2xf32, strided<[1]>>) -> () // culprit
    func.return %t : memref<8xf32>
  }
}
