// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @switch(%t: memref<4xf32>, %u: memref<4xf32>, %k: i32, %f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:      cf.switch %k : i32, [
// CHECK-NEXT:      default: ^bb2(%t : memref<4xf32>),
// CHECK-NEXT:        7: ^bb1(%i, %u : index, memref<4xf32>)
// CHECK-NEXT:      ]
// CHECK-NEXT:    ^bb1(%j: index, %a: memref<4xf32>):
// CHECK-NEXT:      memref.store %f, %a[%j] : memref<4xf32>
// CHECK-NEXT:      cf.br ^bb2(%a : memref<4xf32>)
// CHECK-NEXT:    ^bb2(%b: memref<4xf32>):
// CHECK-NEXT:      func.return %b : memref<4xf32>
func.func @switch(%t: tensor<4xf32>, %u: tensor<4xf32>, %k: i32, %f: f32, %i: index) -> tensor<4xf32> {
  cf.switch %k : i32, [
    default: ^bb2(%t : tensor<4xf32>),
    7: ^bb1(%i, %u : index, tensor<4xf32>)
  ]
^bb1(%j: index, %a: tensor<4xf32>):
  %w = tensor.insert %f into %a[%j] : tensor<4xf32>
  cf.br ^bb2(%w : tensor<4xf32>)
^bb2(%b: tensor<4xf32>):
  func.return %b : tensor<4xf32>
}
