// xDSL makes no loops of linalg.fill before 0.71.
// REQUIRES: xdsl-0.71
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},canonicalize,cse,convert-linalg-to-loops' | filecheck %s

// What bufferization computes more than once, cse computes once.
// CHECK-LABEL: func.func @pad(%t: memref<?xf32>, %f: f32) -> memref<?xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %t, %0 : memref<?xf32>
// CHECK-NEXT:    %2 = arith.constant 2 : index
// CHECK-NEXT:    %3 = arith.addi %1, %2 : index
// CHECK-NEXT:    %r = memref.alloc(%3) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    %4 = arith.constant 0 : index
// CHECK-NEXT:    %5 = memref.dim %r, %4 : memref<?xf32>
// CHECK-NEXT:    %6 = arith.constant 0 : index
// CHECK-NEXT:    %7 = arith.constant 1 : index
// CHECK-NEXT:    scf.for %8 = %6 to %5 step %7 {
// CHECK-NEXT:      memref.store %f, %r[%8] : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %9 = memref.subview %r[1] [%1] [1] : memref<?xf32> to memref<?xf32, strided<[1], offset: 1>>
// CHECK-NEXT:    "memref.copy"(%t, %9) : (memref<?xf32>, memref<?xf32, strided<[1], offset: 1>>) -> ()
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @pad(%t: tensor<?xf32>, %f: f32) -> tensor<?xf32> {
  %r = tensor.pad %t low[1] high[1] {
  ^bb0(%i: index):
    tensor.yield %f : f32
  } : tensor<?xf32> to tensor<?xf32>
  func.return %r : tensor<?xf32>
}
