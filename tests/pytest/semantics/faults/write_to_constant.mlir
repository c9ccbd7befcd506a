// A constant is overwritten.
// kind: memory fault
// message: read-only: it is a constant
module @before {
  func.func @f(%x: f32) -> tensor<4xf32> {
    %i = arith.constant 2 : index
    %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    %r = tensor.insert %x into %c[%i] : tensor<4xf32>
    func.return %r : tensor<4xf32>
  }
}
module @after {
  "memref.global"() <{sym_name = "c", sym_visibility = "private", type = memref<4xf32>, initial_value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>, constant}> : () -> ()
  func.func @f(%x: f32) -> memref<4xf32> {
    %i = arith.constant 2 : index
    %g = memref.get_global @c : memref<4xf32>
    memref.store %x, %g[%i] : memref<4xf32> // culprit
    %a = memref.alloc() : memref<4xf32>
    "memref.copy"(%g, %a) : (memref<4xf32>, memref<4xf32>) -> ()
    func.return %a : memref<4xf32>
  }
}
