// An element behind the end is written.
// kind: memory fault
// message: indices [4] are out of the bounds
module @before {
  func.func @f(%t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %n = tensor.dim %t, %zero : tensor<?xf32>
    %i = arith.subi %n, %one : index
    %r = tensor.insert %x into %t[%i] : tensor<?xf32>
    func.return %r : tensor<?xf32>
  }
}
module @after {
  func.func @f(%t: memref<?xf32>, %x: f32) -> memref<?xf32> {
    %zero = arith.constant 0 : index
    %n = memref.dim %t, %zero : memref<?xf32>
    memref.store %x, %t[%n] : memref<?xf32> // culprit
    func.return %t : memref<?xf32>
  }
}
