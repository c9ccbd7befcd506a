// RUN: xdsl-opt %s -p func-bufferize,tensor-bufferize,finalizing-bufferize | filecheck %s

// Partial passes bufferize modules within the module, too; names are looked up in the closest one.

// CHECK: func.func private @f(%t: memref<4xf32>, %x: f32, %i: index) -> memref<4xf32>
func.func private @f(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
// CHECK: builtin.module @inner
// CHECK-NEXT: func.func private @f(%t: memref<8xf32>) -> memref<8xf32>
// CHECK: func.func @g(%t: memref<8xf32>) -> memref<8xf32>
// CHECK-NEXT: func.call @f(%t) : (memref<8xf32>) -> memref<8xf32>
builtin.module @inner {
  func.func private @f(%t: tensor<8xf32>) -> tensor<8xf32> {
    func.return %t : tensor<8xf32>
  }
  func.func @g(%t: tensor<8xf32>) -> tensor<8xf32> {
    %r = func.call @f(%t) : (tensor<8xf32>) -> tensor<8xf32>
    func.return %r : tensor<8xf32>
  }
}
