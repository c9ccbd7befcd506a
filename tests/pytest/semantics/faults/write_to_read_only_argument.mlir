// An argument is overwritten that must not be.
// kind: memory fault
// message: the argument's buffer is not writable
module @before {
  func.func @f(%t: tensor<4xf32> {bufferization.writable = false}, %x: f32) -> (tensor<4xf32>, f32) {
    %i = arith.constant 1 : index
    %u = tensor.insert %x into %t[%i] : tensor<4xf32>
    %old = tensor.extract %t[%i] : tensor<4xf32>
    func.return %u, %old : tensor<4xf32>, f32
  }
}
module @after {
  func.func @f(%t: memref<4xf32>, %x: f32) -> (memref<4xf32>, f32) {
    %i = arith.constant 1 : index
    %old = memref.load %t[%i] : memref<4xf32>
    memref.store %x, %t[%i] : memref<4xf32> // culprit
    func.return %t, %old : memref<4xf32>, f32
  }
}
