// A function is called that has no body any more.
// kind: signature
// message: no such function with a body
module @before {
  func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
    %u = arith.negf %t : tensor<4xf32>
    func.return %u : tensor<4xf32>
  }
}
module @after {
  func.func @g() {
    func.return
  }
}
