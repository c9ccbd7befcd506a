// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// The functions of modules within the module are bufferized, too: there are no pipelines
// for these alone, and calls may cross their boundaries.
// CHECK-LABEL: func.func @inner(%t: memref<4xf32, strided<[?], offset: ?>>,
// CHECK-LABEL: func.func @outer(%t: memref<4xf32, strided<[?], offset: ?>>,
builtin.module @nested {
  func.func @inner(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
    %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
    func.return %0 : tensor<4xf32>
  }
}
func.func @outer(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
