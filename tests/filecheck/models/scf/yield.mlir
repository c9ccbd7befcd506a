// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' | filecheck %s

// What is yielded is cast to the type that the branches agree on.
// CHECK-LABEL: func.func @if(%c: i1, %t: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    %r = scf.if %c -> (memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:      scf.yield %t : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      %0 = "memref.cast"(%a) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      scf.yield %0 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<4xf32, strided<[?], offset: ?>>
func.func @if(%c: i1, %t: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %t : tensor<4xf32>
  } else {
    %a = tensor.empty() : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// Scalars are yielded as they are.
// CHECK-LABEL: func.func @for(%t: memref<i32, strided<[], offset: ?>>, %x: i32, %l: index, %u: index, %s: index) -> (i32, memref<i32, strided<[], offset: ?>>) {
// CHECK-NEXT:    %y, %r = scf.for %i = %l to %u step %s iter_args(%z = %x, %a = %t) -> (i32, memref<i32, strided<[], offset: ?>>) {
// CHECK-NEXT:      memref.store %z, %a[] : memref<i32, strided<[], offset: ?>>
// CHECK-NEXT:      scf.yield %z, %a : i32, memref<i32, strided<[], offset: ?>>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %y, %r : i32, memref<i32, strided<[], offset: ?>>
func.func @for(%t: tensor<i32>, %x: i32, %l: index, %u: index, %s: index) -> (i32, tensor<i32>) {
  %y, %r = scf.for %i = %l to %u step %s iter_args(%z = %x, %a = %t) -> (i32, tensor<i32>) {
    %b = tensor.insert %z into %a[] : tensor<i32>
    scf.yield %z, %b : i32, tensor<i32>
  }
  func.return %y, %r : i32, tensor<i32>
}
