// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Slices that are the whole tensor.

// The loop yields what is in the buffer of its argument.
// CHECK-LABEL: func.func @loop(%t: memref<?xf32>, %f: f32, %l: index) -> memref<?xf32> {
// CHECK-NEXT:      %c = arith.constant 0 : index
// CHECK-NEXT:      %r = scf.for %i = %l to %l step %l iter_args(%a = %t) -> (memref<?xf32>) {
// CHECK-NEXT:        %d = memref.dim %a, %c : memref<?xf32>
// CHECK-NEXT:        %s = memref.subview %a[0] [%d] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:        memref.store %f, %s[%i] : memref<?xf32, strided<[1]>>
// CHECK-NEXT:        %0 = "memref.cast"(%s) : (memref<?xf32, strided<[1]>>) -> memref<?xf32>
// CHECK-NEXT:        scf.yield %0 : memref<?xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<?xf32>
func.func @loop(%t: tensor<?xf32>, %f: f32, %l: index) -> tensor<?xf32> {
  %c = arith.constant 0 : index
  %r = scf.for %i = %l to %l step %l iter_args(%a = %t) -> (tensor<?xf32>) {
    %d = tensor.dim %a, %c : tensor<?xf32>
    %s = tensor.extract_slice %a[0] [%d] [1] : tensor<?xf32> to tensor<?xf32>
    %w = tensor.insert %f into %s[%i] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// Nothing of %e is read, whose size is %n.
// CHECK-LABEL: func.func @overwritten(%s: memref<?xf32>, %n: index, %f: f32) -> (memref<?xf32>, memref<?xf32>) {
// CHECK-NEXT:      %e = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%e : memref<?xf32>)
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = memref.dim %e, %0 : memref<?xf32>
// CHECK-NEXT:      %w = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:      %2 = memref.subview %w[0] [%n] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:      "memref.copy"(%s, %2) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:      func.return %w, %e : memref<?xf32>, memref<?xf32>
func.func @overwritten(%s: tensor<?xf32>, %n: index, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %w = "tensor.insert_slice"(%s, %x, %n) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, tensor<?xf32>, index) -> tensor<?xf32>
  func.return %w, %x : tensor<?xf32>, tensor<?xf32>
}

// A part of it is not.
// CHECK-LABEL: func.func @part(%s: memref<?xf32>, %n: index, %m: index, %f: f32) -> (memref<?xf32>, memref<?xf32>) {
// CHECK-NEXT:      %e = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%e : memref<?xf32>)
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = memref.dim %e, %0 : memref<?xf32>
// CHECK-NEXT:      %w = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:      "memref.copy"(%e, %w) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:      %2 = memref.subview %w[0] [%m] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:      "memref.copy"(%s, %2) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:      func.return %w, %e : memref<?xf32>, memref<?xf32>
func.func @part(%s: tensor<?xf32>, %n: index, %m: index, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %e = tensor.empty(%n) : tensor<?xf32>
  %x = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %w = "tensor.insert_slice"(%s, %x, %m) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>, static_offsets = array<i64: 0>, static_sizes = array<i64: -9223372036854775808>, static_strides = array<i64: 1>}> : (tensor<?xf32>, tensor<?xf32>, index) -> tensor<?xf32>
  func.return %w, %x : tensor<?xf32>, tensor<?xf32>
}
