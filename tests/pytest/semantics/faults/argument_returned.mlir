// A result is the caller's memory already, which the caller would free.
// kind: ownership
// message: result 0 is argument memory
// leaks: error
module @before {
  func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
    func.return %t : tensor<4xf32>
  }
}
module @after {
  func.func @f(%t: memref<4xf32>) -> memref<4xf32> { // culprit
    func.return %t : memref<4xf32>
  }
}
