// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Writes that no path leads from to the read of %t: no copies.
// CHECK-LABEL: func.func @diamond(%t: memref<4xf32>, %f: f32, %i: index, %c: i1) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      cf.br ^bb3(%t, %x : memref<4xf32>, f32)
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      memref.store %f, %t[%i] : memref<4xf32>
// CHECK-NEXT:      cf.br ^bb3(%t, %f : memref<4xf32>, f32)
// CHECK-NEXT:    ^bb3(%a: memref<4xf32>, %y: f32):
// CHECK-NEXT:      func.return %a, %y : memref<4xf32>, f32
func.func @diamond(%t: tensor<4xf32>, %f: f32, %i: index, %c: i1) -> (tensor<4xf32>, f32) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %x = tensor.extract %t[%i] : tensor<4xf32>
  cf.br ^bb3(%t, %x : tensor<4xf32>, f32)
^bb2:
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  cf.br ^bb3(%w, %f : tensor<4xf32>, f32)
^bb3(%a: tensor<4xf32>, %y: f32):
  func.return %a, %y : tensor<4xf32>, f32
}

// %t is read behind the diamond.
// CHECK-LABEL: func.func @read_after(%t: memref<4xf32>, %f: f32, %i: index, %c: i1) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2(%t : memref<4xf32>)
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %w) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %w[%i] : memref<4xf32>
// CHECK-NEXT:      cf.br ^bb2(%w : memref<4xf32>)
// CHECK-NEXT:    ^bb2(%a: memref<4xf32>):
// CHECK-NEXT:      %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %a, %x : memref<4xf32>, f32
func.func @read_after(%t: tensor<4xf32>, %f: f32, %i: index, %c: i1) -> (tensor<4xf32>, f32) {
  cf.cond_br %c, ^bb1, ^bb2(%t : tensor<4xf32>)
^bb1:
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  cf.br ^bb2(%w : tensor<4xf32>)
^bb2(%a: tensor<4xf32>):
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %a, %x : tensor<4xf32>, f32
}
