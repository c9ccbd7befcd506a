// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// The loop works in the buffer of the argument.
// CHECK-LABEL: func.func @loop(%t: memref<4xf32>, %n: index, %f: f32, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:      cf.br ^bb1(%t : memref<4xf32>)
// CHECK-NEXT:    ^bb1(%a: memref<4xf32>):
// CHECK-NEXT:      memref.store %f, %a[%n] : memref<4xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb2
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      func.return %a : memref<4xf32>
func.func @loop(%t: tensor<4xf32>, %n: index, %f: f32, %c: i1) -> tensor<4xf32> {
  cf.br ^bb1(%t : tensor<4xf32>)
^bb1(%a: tensor<4xf32>):
  %w = tensor.insert %f into %a[%n] : tensor<4xf32>
  cf.cond_br %c, ^bb1(%w : tensor<4xf32>), ^bb2
^bb2:
  func.return %w : tensor<4xf32>
}

// The second iteration would read what the first one has written.
// CHECK-LABEL: func.func @loop_reads(%t: memref<4xf32>, %n: index, %f: f32, %c: i1) -> f32 {
// CHECK-NEXT:      cf.br ^bb1
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      %x = memref.load %t[%n] : memref<4xf32>
// CHECK-NEXT:      %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %w) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %w[%n] : memref<4xf32>
// CHECK-NEXT:      %y = memref.load %w[%n] : memref<4xf32>
// CHECK-NEXT:      %s = arith.addf %x, %y : f32
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      func.return %s : f32
func.func @loop_reads(%t: tensor<4xf32>, %n: index, %f: f32, %c: i1) -> f32 {
  cf.br ^bb1
^bb1:
  %x = tensor.extract %t[%n] : tensor<4xf32>
  %w = tensor.insert %f into %t[%n] : tensor<4xf32>
  %y = tensor.extract %w[%n] : tensor<4xf32>
  %s = arith.addf %x, %y : f32
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  func.return %s : f32
}

// Both arguments would be in one buffer, which one of them writes.
// CHECK-LABEL: func.func @same_twice(%t: memref<4xf32>, %n: index, %f: f32) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      cf.br ^bb1(%t, %0 : memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:    ^bb1(%a: memref<4xf32>, %b: memref<4xf32>):
// CHECK-NEXT:      memref.store %f, %a[%n] : memref<4xf32>
// CHECK-NEXT:      %x = memref.load %b[%n] : memref<4xf32>
// CHECK-NEXT:      func.return %a, %x : memref<4xf32>, f32
func.func @same_twice(%t: tensor<4xf32>, %n: index, %f: f32) -> (tensor<4xf32>, f32) {
  cf.br ^bb1(%t, %t : tensor<4xf32>, tensor<4xf32>)
^bb1(%a: tensor<4xf32>, %b: tensor<4xf32>):
  %w = tensor.insert %f into %a[%n] : tensor<4xf32>
  %x = tensor.extract %b[%n] : tensor<4xf32>
  func.return %w, %x : tensor<4xf32>, f32
}
