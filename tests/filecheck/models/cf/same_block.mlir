// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Either way to the same block.
// CHECK-LABEL: func.func @same_block(%c: i1, %t: memref<4xf32>, %u: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      cf.cond_br %c, ^bb1(%t : memref<4xf32>), ^bb1(%u : memref<4xf32>)
// CHECK-NEXT:    ^bb1(%a: memref<4xf32>):
// CHECK-NEXT:      func.return %a : memref<4xf32>
func.func @same_block(%c: i1, %t: tensor<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1(%t : tensor<4xf32>), ^bb1(%u : tensor<4xf32>)
^bb1(%a: tensor<4xf32>):
  func.return %a : tensor<4xf32>
}
