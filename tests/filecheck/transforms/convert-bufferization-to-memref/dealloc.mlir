// RUN: xdsl-opt %s -p convert-bufferization-to-memref | filecheck %s
// RUN: xdsl-opt %s -p convert-bufferization-to-memref > %t.at_once
// RUN: xdsl-opt %s -p bufferization-lower-deallocations,convert-bufferization-to-memref > %t.one_by_one
// RUN: diff %t.at_once %t.one_by_one

// As bufferization-lower-deallocations does.

// CHECK-LABEL: func.func @clone_and_dealloc(
// CHECK-NEXT:    %c = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    scf.if %b {
// CHECK-NEXT:      memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %c : memref<4xf32>
func.func @clone_and_dealloc(%m: memref<4xf32>, %b: i1) -> memref<4xf32> {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  bufferization.dealloc (%m : memref<4xf32>) if (%b)
  func.return %c : memref<4xf32>
}

// CHECK-LABEL: func.func @several(
// CHECK:         func.call @dealloc_helper(
func.func @several(%m: memref<4xf32>, %n: memref<?xf32>, %b: i1) {
  bufferization.dealloc (%m, %n : memref<4xf32>, memref<?xf32>) if (%b, %b)
  func.return
}

// CHECK-LABEL: func.func private @dealloc_helper(
