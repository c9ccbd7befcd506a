// Not all of the slice is copied.
// kind: uninitialised contents
// message: result 0 at [3]
module @before {
  func.func @f(%t: tensor<8xf32>) -> tensor<4xf32> {
    %s = tensor.extract_slice %t[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
    func.return %s : tensor<4xf32>
  }
}
module @after {
  func.func @f(%t: memref<8xf32>) -> memref<4xf32> {
    %s = memref.subview %t[2] [3] [1] : memref<8xf32> to memref<3xf32, strided<[1], offset: 2>>
    %r = memref.alloc() : memref<4xf32> // culprit
    %p = memref.subview %r[0] [3] [1] : memref<4xf32> to memref<3xf32, strided<[1]>>
    "memref.copy"(%s, %p) : (memref<3xf32, strided<[1], offset: 2>>, memref<3xf32, strided<[1]>>) -> ()
    func.return %r : memref<4xf32>
  }
}
