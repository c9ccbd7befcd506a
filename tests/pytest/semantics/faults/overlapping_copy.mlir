// Source and target of a copy overlap in part.
// kind: memory fault
// message: overlap in part
module @before {
  func.func @f(%t: tensor<8xf32>) -> tensor<8xf32> {
    %s = tensor.extract_slice %t[0] [6] [1] : tensor<8xf32> to tensor<6xf32>
    %r = tensor.insert_slice %s into %t[2] [6] [1] : tensor<6xf32> into tensor<8xf32>
    func.return %r : tensor<8xf32>
  }
}
module @after {
  func.func @f(%t: memref<8xf32>) -> memref<8xf32> {
    %s = memref.subview %t[0] [6] [1] : memref<8xf32> to memref<6xf32, strided<[1]>>
    %d = memref.subview %t[2] [6] [1] : memref<8xf32> to memref<6xf32, strided<[1], offset: 2>>
    "memref.copy"(%s, %d) : (memref<6xf32, strided<[1]>>, memref<6xf32, strided<[1], offset: 2>>) -> () // culprit
    func.return %t : memref<8xf32>
  }
}
