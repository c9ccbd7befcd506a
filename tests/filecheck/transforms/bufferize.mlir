// RUN: xdsl-opt %s -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{test-analysis-only}' | filecheck %s --check-prefix=ANALYSIS

// What is computed for the insertion is computed where it belongs.
// CHECK-LABEL: func.func @fill(%t: memref<8xf32>, %f: f32) -> memref<8xf32> {
// CHECK-NEXT:      %u = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%u : memref<4xf32, strided<[1], offset: 4>>)
// CHECK-NEXT:      %0 = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%t, %0) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %0 : memref<8xf32>
func.func @fill(%t: tensor<8xf32>, %f: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %u = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %u into %t[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// The buffer of the loop is allocated once, and freed.
// CHECK-LABEL: func.func @loop(%t: memref<8xf32>, %n: index) -> f32 {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %z = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      %u = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:      %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %z) -> (f32) {
// CHECK-NEXT:        "memref.copy"(%t, %u) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:        memref.store %sum, %u[%i] : memref<8xf32>
// CHECK-NEXT:        %x = memref.load %u[%c0] : memref<8xf32>
// CHECK-NEXT:        scf.yield %x : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.dealloc %u : memref<8xf32>
// CHECK-NEXT:      func.return %r : f32
func.func @loop(%t: tensor<8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%sum = %z) -> (f32) {
    %u = tensor.insert %sum into %t[%i] : tensor<8xf32>
    %x = tensor.extract %u[%c0] : tensor<8xf32>
    scf.yield %x : f32
  }
  func.return %r : f32
}
// ANALYSIS: tensor.insert %sum into %t[%i] {__inplace_operands_attr__ = ["none", "false", "none"]} : tensor<8xf32>

// What a private function returns in the memory of an argument, its callers have: there is
// no copy of it to be freed.
// CHECK-LABEL: func.func private @push(%t: memref<8xf32>, %i: index, %x: f32) {
// CHECK-NEXT:      memref.store %x, %t[%i] : memref<8xf32>
// CHECK-NEXT:      func.return
func.func private @push(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
// CHECK-LABEL: func.func @pushes(%t: memref<8xf32>, %i: index, %x: f32) -> f32 {
// CHECK-NEXT:      func.call @push(%t, %i, %x) : (memref<8xf32>, index, f32) -> ()
// CHECK-NEXT:      %e = memref.load %t[%i] : memref<8xf32>
// CHECK-NEXT:      func.return %e : f32
func.func @pushes(%t: tensor<8xf32>, %i: index, %x: f32) -> f32 {
  %r = func.call @push(%t, %i, %x) : (tensor<8xf32>, index, f32) -> tensor<8xf32>
  %e = tensor.extract %r[%i] : tensor<8xf32>
  func.return %e : f32
}
