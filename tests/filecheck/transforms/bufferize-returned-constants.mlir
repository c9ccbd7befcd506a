// RUN: xdsl-opt %s -p bufferize | filecheck %s

// The caller owns what a function returns, so the constant is copied there, and not once more. As
// mlir-opt and its deallocation pipeline, both together allocate and copy once.
// CHECK-LABEL: @weights(
// CHECK-NEXT: %w = memref.get_global @__constant_4xf32 : memref<4xf32>
// CHECK-NEXT: %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: "memref.copy"(%w, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT: func.return %0 : memref<4xf32>
func.func private @weights() -> tensor<4xf32> {
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  func.return %w : tensor<4xf32>
}

// CHECK-LABEL: func.func @uses_weights(
// CHECK-NEXT: %a = func.call @weights() : () -> memref<4xf32>
// CHECK-NEXT: memref.store %x, %a[%i] : memref<4xf32>
// CHECK-NEXT: func.return %a : memref<4xf32>
func.func @uses_weights(%x: f32, %i: index) -> tensor<4xf32> {
  %a = func.call @weights() : () -> tensor<4xf32>
  %r = tensor.insert %x into %a[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// One number is written, without a constant to copy it from.
// CHECK-LABEL: func.func @zeros(
// CHECK: %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: linalg.fill ins(%0 : f32) outs(%1 : memref<4xf32>)
// CHECK-NEXT: func.return %1 : memref<4xf32>
func.func @zeros() -> tensor<4xf32> {
  %w = arith.constant dense<0.0> : tensor<4xf32>
  func.return %w : tensor<4xf32>
}

// CHECK-LABEL: func.func @uses_zeros(
// CHECK-NEXT: %a = func.call @zeros() : () -> memref<4xf32>
// CHECK-NEXT: memref.store %x, %a[%i] : memref<4xf32>
// CHECK-NEXT: func.return %a : memref<4xf32>
func.func @uses_zeros(%x: f32, %i: index) -> tensor<4xf32> {
  %a = func.call @zeros() : () -> tensor<4xf32>
  %r = tensor.insert %x into %a[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// Each return has a constant of its own.
// CHECK-LABEL: func.func @branches(
// CHECK: memref.copy
// CHECK: memref.copy
func.func @branches(%c: i1) -> tensor<4xf32> {
  cf.cond_br %c, ^a, ^b
^a:
  %w = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  func.return %w : tensor<4xf32>
^b:
  %v = arith.constant dense<[1.0, 2.0, 3.0, 5.0]> : tensor<4xf32>
  func.return %v : tensor<4xf32>
}

// CHECK-LABEL: func.func @uses_branches(
// CHECK-NOT: memref.copy
func.func @uses_branches(%c: i1, %x: f32, %i: index) -> tensor<4xf32> {
  %a = func.call @branches(%c) : (i1) -> tensor<4xf32>
  %r = tensor.insert %x into %a[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
