// The argument is overwritten before it is read.
// kind: difference
// message: result 1 is
// leaks: report
module @before {
  func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, f32) {
    %i = arith.constant 1 : index
    %u = tensor.insert %x into %t[%i] : tensor<4xf32>
    %old = tensor.extract %t[%i] : tensor<4xf32>
    func.return %u, %old : tensor<4xf32>, f32
  }
}
module @after {
  func.func @f(%t: memref<4xf32>, %x: f32) -> (memref<4xf32>, f32) { // culprit
    %i = arith.constant 1 : index
    memref.store %x, %t[%i] : memref<4xf32>
    %old = memref.load %t[%i] : memref<4xf32>
    func.return %t, %old : memref<4xf32>, f32
  }
}
