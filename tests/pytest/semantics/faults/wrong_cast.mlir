// A cast claims a layout that the memref does not have.
// kind: undefined behavior
// message: with offset 3 and strides
module @before {
  func.func @f(%t: tensor<8xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
    func.return %s : tensor<4xf32>
  }
}
module @after {
  func.func @f(%t: memref<8xf32, strided<[?], offset: ?>>) -> memref<4xf32> {
    %c = "memref.cast"(%t) : (memref<8xf32, strided<[?], offset: ?>>) -> memref<8xf32> // culprit
    %s = memref.subview %c[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    %r = memref.alloc() : memref<4xf32>
    "memref.copy"(%s, %r) : (memref<4xf32, strided<[1]>>, memref<4xf32>) -> ()
    func.return %r : memref<4xf32>
  }
}
