// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation | filecheck %s

// A function owns none of its arguments; its caller owns all that it returns.

// CHECK-LABEL: func.func private @external(memref<4xf32>) -> memref<4xf32>
func.func private @external(memref<4xf32>) -> memref<4xf32>
// CHECK-LABEL: func.func private @externals() -> (memref<4xf32>, memref<4xf32>)
func.func private @externals() -> (memref<4xf32>, memref<4xf32>)

// CHECK-LABEL: func.func private @one_of(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = arith.select %c, %a, %m : memref<4xf32>
// CHECK-NEXT:      %1 = bufferization.dealloc (%m : memref<4xf32>) if (%0) retain (%s : memref<4xf32>)
// CHECK-NEXT:      %2 = scf.if %1 -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %s : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %3 = bufferization.clone %s : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:        scf.yield %3 : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %2 : memref<4xf32>
func.func private @one_of(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %m : memref<4xf32>
  func.return %s : memref<4xf32>
}

// CHECK-LABEL: func.func @caller(%c: i1, %a: memref<4xf32>) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r = func.call @one_of(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      %s = func.call @external(%r) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%s : memref<4xf32>) if (%0)
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @caller(%c: i1, %a: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  %r = func.call @one_of(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  %s = func.call @external(%r) : (memref<4xf32>) -> memref<4xf32>
  func.return
}

// Nothing is known of what an external function returns: it may be one buffer twice.
// CHECK-LABEL: func.func @two_results(%f: f32, %i: index) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %r, %r_1 = func.call @externals() : () -> (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:      %1 = "memref.extract_aligned_pointer_as_index"(%r_1) : (memref<4xf32>) -> index
// CHECK-NEXT:      %2 = "memref.extract_aligned_pointer_as_index"(%r) : (memref<4xf32>) -> index
// CHECK-NEXT:      %3 = arith.cmpi ne, %1, %2 : index
// CHECK-NEXT:      memref.store %f, %r_1[%i] : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%0)
// CHECK-NEXT:      bufferization.dealloc (%r_1 : memref<4xf32>) if (%3)
// CHECK-NEXT:      func.return
func.func @two_results(%f: f32, %i: index) {
  %r:2 = func.call @externals() : () -> (memref<4xf32>, memref<4xf32>)
  memref.store %f, %r#1[%i] : memref<4xf32>
  func.return
}

// CHECK-LABEL: func.func private @two_allocated() -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.return %m, %n : memref<4xf32>, memref<4xf32>
func.func private @two_allocated() -> (memref<4xf32>, memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  func.return %m, %n : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @known_results(%f: f32, %i: index) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %r, %r_1 = func.call @two_allocated() : () -> (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%0)
// CHECK-NEXT:      memref.store %f, %r_1[%i] : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%r_1 : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @known_results(%f: f32, %i: index) {
  %r:2 = func.call @two_allocated() : () -> (memref<4xf32>, memref<4xf32>)
  memref.store %f, %r#1[%i] : memref<4xf32>
  func.return
}

// A function that frees one of several buffers may free its argument: the caller does not free it.
// CHECK-LABEL: func.func @freed_by_callee(
// CHECK:         func.call @may_free_argument
// CHECK-NEXT:    func.return
func.func @freed_by_callee(%c: i1) {
  %m = memref.alloc() : memref<4xf32>
  func.call @may_free_argument(%c, %m) : (i1, memref<4xf32>) -> ()
  func.return
}
func.func private @may_free_argument(%c: i1, %m: memref<4xf32>) {
  %r = scf.if %c -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  memref.dealloc %r : memref<4xf32>
  func.return
}
