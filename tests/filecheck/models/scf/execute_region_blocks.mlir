// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Whichever block yields, both are in the same buffer.
// CHECK-LABEL: func.func @blocks(%t: memref<4xf32>, %f: f32, %i: index, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %r = scf.execute_region -> (memref<4xf32>) {
// CHECK-NEXT:        cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:      ^bb1:
// CHECK-NEXT:        memref.store %f, %t[%i] : memref<4xf32>
// CHECK-NEXT:        scf.yield %t : memref<4xf32>
// CHECK-NEXT:      ^bb2:
// CHECK-NEXT:        scf.yield %t : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @blocks(%t: tensor<4xf32>, %f: f32, %i: index, %c: i1) -> tensor<4xf32> {
  %r = scf.execute_region -> (tensor<4xf32>) {
    "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
  ^bb1:
    %a = tensor.insert %f into %t[%i] : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  ^bb2:
    scf.yield %t : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// Control never leaves the region, so that its result may have any type.
// CHECK-LABEL: func.func @endless(
// CHECK-NEXT:    %r = scf.execute_region -> (memref<4xf32>) {
func.func @endless() -> tensor<4xf32> {
  %r = scf.execute_region -> (tensor<4xf32>) {
    cf.br ^loop
  ^loop:
    cf.br ^loop
  }
  func.return %r : tensor<4xf32>
}
