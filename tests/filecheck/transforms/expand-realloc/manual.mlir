// RUN: xdsl-opt %s -p 'expand-realloc{emit-deallocs=false}' | filecheck %s
// RUN: xdsl-opt %s -p expand-realloc | filecheck %s
// RUN: xdsl-opt %s -p buffer-deallocation-pipeline | filecheck %s --check-prefixes=CHECK,FREED

// Memory that is left to the program stays its own when it grows. The old buffer is freed by the
// expanded op, the new one by the program only.

// The attribute of the allocation and of the free counts.
// CHECK-LABEL: func.func @of_memory(
// CHECK:         scf.if
// CHECK-NEXT:      [[NEW:%.*]] = memref.alloc(%n) {bufferization.manual_deallocation}
// CHECK:           "memref.copy"
// CHECK-NEXT:      memref.dealloc %m {bufferization.manual_deallocation}
// CHECK-NEXT:      scf.yield [[NEW]]
// CHECK:         memref.dealloc %g {bufferization.manual_deallocation}
// FREED-NEXT:    func.return
func.func @of_memory(%n: index, %s: index) {
  %m = memref.alloc(%s) {bufferization.manual_deallocation} : memref<?xf32>
  %g = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
  memref.dealloc %g {bufferization.manual_deallocation} : memref<?xf32>
  func.return
}

// So does that of the op, whose operand is then not freed twice.
// CHECK-LABEL: func.func @of_realloc(
// CHECK:         [[NEW:%.*]] = memref.alloc() {bufferization.manual_deallocation} : memref<8xf32>
// CHECK:         "memref.copy"
// CHECK-NEXT:    memref.dealloc %m {bufferization.manual_deallocation}
// CHECK-NEXT:    memref.dealloc [[NEW]] {bufferization.manual_deallocation}
// FREED-NEXT:    func.return
func.func @of_realloc() {
  %m = memref.alloc() : memref<2xf32>
  %g = memref.realloc %m {bufferization.manual_deallocation} : memref<2xf32> to memref<8xf32>
  memref.dealloc %g {bufferization.manual_deallocation} : memref<8xf32>
  func.return
}

// Other memory is freed as before.
// CHECK-LABEL: func.func @not_manual(
// CHECK:         memref.alloc() : memref<8xf32>
func.func @not_manual(%m: memref<2xf32>) -> memref<8xf32> {
  %g = memref.realloc %m : memref<2xf32> to memref<8xf32>
  func.return %g : memref<8xf32>
}
