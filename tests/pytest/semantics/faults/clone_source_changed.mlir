// The source of a clone is written while the clone is alive.
// kind: memory fault
// message: write to the source or the result of a clone
module @before {
  func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, f32) {
    %i = arith.constant 1 : index
    %u = tensor.insert %x into %t[%i] : tensor<4xf32>
    %old = tensor.extract %t[%i] : tensor<4xf32>
    func.return %u, %old : tensor<4xf32>, f32
  }
}
module @after {
  func.func @f(%t: memref<4xf32>, %x: f32) -> (memref<4xf32>, f32) {
    %i = arith.constant 1 : index
    %a = memref.alloc() : memref<4xf32>
    "memref.copy"(%t, %a) : (memref<4xf32>, memref<4xf32>) -> ()
    %c = bufferization.clone %a : memref<4xf32> to memref<4xf32> // culprit
    memref.store %x, %a[%i] : memref<4xf32>
    %old = memref.load %c[%i] : memref<4xf32>
    func.return %a, %old : memref<4xf32>, f32
  }
}
