// A constant is freed.
// kind: memory fault
// message: free of global memory
module @before {
  func.func @f() -> tensor<4xf32> {
    %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
    func.return %c : tensor<4xf32>
  }
}
module @after {
  "memref.global"() <{sym_name = "c", sym_visibility = "private", type = memref<4xf32>, initial_value = dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>, constant}> : () -> ()
  func.func @f() -> memref<4xf32> {
    %g = memref.get_global @c : memref<4xf32>
    %a = memref.alloc() : memref<4xf32>
    "memref.copy"(%g, %a) : (memref<4xf32>, memref<4xf32>) -> ()
    memref.dealloc %g : memref<4xf32> // culprit
    func.return %a : memref<4xf32>
  }
}
