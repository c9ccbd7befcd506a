// The subview ends behind the end of its source.
// kind: undefined behavior
// message: out of the bounds of dimension 0 of size
module @before {
  func.func @f(%t: tensor<?xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %t[0] [4] [1] : tensor<?xf32> to tensor<4xf32>
    func.return %s : tensor<4xf32>
  }
}
module @after {
  func.func @f(%t: memref<?xf32>) -> memref<4xf32> {
    %one = arith.constant 1 : index
    %s = memref.subview %t[%one] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1], offset: ?>> // culprit
    %r = memref.alloc() : memref<4xf32>
    "memref.copy"(%s, %r) : (memref<4xf32, strided<[1], offset: ?>>, memref<4xf32>) -> ()
    func.return %r : memref<4xf32>
  }
}
