// RUN: xdsl-opt %s -t bufferization-report | filecheck %s

// Neither the size of a clone of an unranked memref is known, nor where it has gaps.

// CHECK-LABEL: @clone,
// CHECK:         heap: 1, 1 of unknown size
// CHECK:         %0      memref<*xf32>      ?  heap
func.func @clone(%m: memref<*xf32>) {
  %0 = bufferization.clone %m : memref<*xf32> to memref<*xf32>
  func.return
}
