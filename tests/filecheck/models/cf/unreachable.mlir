// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Blocks in another order than they run in, and one that never runs.
// CHECK-LABEL: func.func @order(%t: memref<4xf32>, %n: index, %f: f32) -> memref<4xf32> {
// CHECK-NEXT:      cf.br ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      func.return %t : memref<4xf32>
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      memref.store %f, %t[%n] : memref<4xf32>
// CHECK-NEXT:      cf.br ^bb1
func.func @order(%t: tensor<4xf32>, %n: index, %f: f32) -> tensor<4xf32> {
  cf.br ^bb2
^bb1:
  func.return %w : tensor<4xf32>
^bb2:
  %w = tensor.insert %f into %t[%n] : tensor<4xf32>
  cf.br ^bb1
^bb3:
  %x = tensor.insert %f into %y[%n] : tensor<4xf32>
  %y = tensor.insert %f into %x[%n] : tensor<4xf32>
  cf.br ^bb1
}
