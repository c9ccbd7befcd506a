// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},canonicalize,cse,convert-linalg-to-loops' | filecheck %s

// From tensors to loops in one pipeline.
// CHECK-LABEL: func.func @add(%a: memref<4xf32>, %b: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    %0 = arith.constant 4 : index
// CHECK-NEXT:    %1 = arith.constant 0 : index
// CHECK-NEXT:    %2 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %3 = %1 to %0 step %2 {
// CHECK-NEXT:      %4 = memref.load %a[%3] : memref<4xf32>
// CHECK-NEXT:      %5 = memref.load %b[%3] : memref<4xf32>
// CHECK-NEXT:      %6 = arith.addf %4, %5 : f32
// CHECK-NEXT:      memref.store %6, %e[%3] : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %e : memref<4xf32>
func.func @add(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
