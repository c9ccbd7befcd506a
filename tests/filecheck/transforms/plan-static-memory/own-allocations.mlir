// RUN: xdsl-opt %s -p plan-static-memory | filecheck %s

// Memory that needs an allocation of its own.

// A lowering may say that accesses to the two memrefs are to different allocations.
// CHECK-LABEL: func.func @distinct
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
func.func @distinct(%x: f32, %i: index) {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %a, %b = memref.distinct_objects %m, %n : memref<4xf32>, memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  memref.store %x, %b[%i] : memref<4xf32>
  func.return
}

// The transfer reads the memory up to the op that waits.
// CHECK-LABEL: func.func @transfer
// CHECK:           %m = memref.alloc() : memref<4xf32, 1 : i64>
func.func @transfer(%o: memref<4xf32>, %x: f32, %tag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xf32, 1>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32, 1>)
  "memref.dma_start"(%m, %c0, %o, %c0, %c4, %tag, %c0) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1>} : (memref<4xf32, 1>, index, memref<4xf32>, index, index, memref<1xi32>, index) -> ()
  %n = memref.alloc() : memref<4xf32, 1>
  linalg.fill ins(%x : f32) outs(%n : memref<4xf32, 1>)
  "memref.dma_wait"(%tag, %c0, %c4) : (memref<1xi32>, index, index) -> ()
  func.return
}
