// RUN: xdsl-opt %s -p bufferization-lower-deallocations | filecheck %s

// Each module gets one function that compares, under a name that is not taken.

// CHECK-LABEL: func.func @dealloc_helper(
// CHECK:         func.call @dealloc_helper_1(
// CHECK:         func.call @dealloc_helper_1(
func.func @dealloc_helper(%m: memref<4xf32>, %n: memref<?xf32>, %c: i1) {
  bufferization.dealloc (%m, %n : memref<4xf32>, memref<?xf32>) if (%c, %c)
  bufferization.dealloc (%n, %m : memref<?xf32>, memref<4xf32>) if (%c, %c)
  func.return
}

func.func private @dealloc_helper_0()

// CHECK-LABEL: builtin.module @inner {
// CHECK:         func.call @dealloc_helper(
// CHECK:         func.func private @dealloc_helper(
builtin.module @inner {
  func.func @several(%m: memref<4xf32>, %n: memref<?xf32>, %c: i1) {
    bufferization.dealloc (%m, %n : memref<4xf32>, memref<?xf32>) if (%c, %c)
    func.return
  }
}

// CHECK-LABEL: builtin.module @no_need {
// CHECK-NOT:     func.call
// CHECK-NOT:     @dealloc_helper(
builtin.module @no_need {
  func.func @one(%m: memref<4xf32>, %c: i1) {
    bufferization.dealloc (%m : memref<4xf32>) if (%c)
    func.return
  }
}

// CHECK-LABEL: func.func private @dealloc_helper_1(
// CHECK-NOT:   func.func
