// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation | filecheck %s

// Callees are analysed before their callers, also where other functions are recursive: that
// the results of @two are different buffers is known in @caller, which compares no pointers.

// CHECK-LABEL: func.func @caller() {
// CHECK-NOT:     memref.extract_aligned_pointer_as_index
// CHECK:         func.return
func.func @caller() {
  %0, %1 = func.call @two() : () -> (memref<4xf32>, memref<4xf32>)
  func.return
}

// CHECK-LABEL: func.func private @two()
func.func private @two() -> (memref<4xf32>, memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32>
  func.return %0, %1 : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func private @calls_itself(%m: memref<4xf32>) {
func.func private @calls_itself(%m: memref<4xf32>) {
  func.call @calls_itself(%m) : (memref<4xf32>) -> ()
  func.return
}
