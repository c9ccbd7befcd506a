// A function without a body may write its argument, of which there is no copy.
// kind: uninitialised contents
// message: result 0 at [0]
module @before {
  func.func private @write(tensor<4xf32>) -> tensor<4xf32>
  func.func @f(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %r = func.call @write(%t) : (tensor<4xf32>) -> tensor<4xf32>
    func.return %t, %r : tensor<4xf32>, tensor<4xf32>
  }
}
module @after {
  func.func private @write(memref<4xf32>) -> memref<4xf32> // culprit
  func.func @f(%t: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %r = func.call @write(%t) : (memref<4xf32>) -> memref<4xf32>
    func.return %t, %r : memref<4xf32>, memref<4xf32>
  }
}
