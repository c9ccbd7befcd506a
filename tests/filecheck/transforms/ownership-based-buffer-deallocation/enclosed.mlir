// RUN: xdsl-opt %s --allow-unregistered-dialect -p ownership-based-buffer-deallocation | filecheck %s
// RUN: xdsl-opt %s --allow-unregistered-dialect -p buffer-deallocation-pipeline | filecheck %s --check-prefix PIPELINE

// A buffer is freed after the op in its own block that has the last use in its regions.
// CHECK-LABEL: func.func @in_regions
// CHECK:         scf.for
// CHECK-NEXT:      memref.store
// CHECK-NEXT:      memref.load
// CHECK-NEXT:      memref.store
// CHECK-NEXT:    }
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xf32>) if (%{{.*}})
// CHECK-NEXT:    func.return
// PIPELINE-LABEL: func.func @in_regions
// PIPELINE:         }
// PIPELINE-NEXT:    memref.dealloc %m
// PIPELINE-NEXT:    func.return
func.func @in_regions(%x: memref<4xf32>, %f: f32, %a: index, %b: index, %c: index) {
  %m = memref.alloc() : memref<4xf32>
  scf.for %i = %a to %b step %c {
    memref.store %f, %m[%i] : memref<4xf32>
    %l = memref.load %m[%a] : memref<4xf32>
    memref.store %l, %x[%i] : memref<4xf32>
  }
  func.return
}

// The buffer may be used as the selected memref, so it is freed after the last use of that.
// CHECK-LABEL: func.func @selected
// CHECK:         arith.select
// CHECK-NEXT:    memref.store %f, %s
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xf32>) if (%{{.*}})
// PIPELINE-LABEL: func.func @selected
// PIPELINE:         memref.store %f, %s
// PIPELINE-NEXT:    memref.dealloc %m
func.func @selected(%x: memref<4xf32>, %f: f32, %i: index, %p: i1) {
  %m = memref.alloc() : memref<4xf32>
  memref.store %f, %m[%i] : memref<4xf32>
  %s = arith.select %p, %m, %x : memref<4xf32>
  memref.store %f, %s[%i] : memref<4xf32>
  func.return
}

// A loop takes the buffer over if it is dead after the loop: the result is freed instead.
// CHECK-LABEL: func.func @carried
// CHECK:         %r = scf.for
// CHECK:         }
// CHECK-NEXT:    memref.store %f, %r
// CHECK-NEXT:    bufferization.dealloc (%r : memref<4xf32>) if (%{{.*}})
// CHECK-NEXT:    func.return
// PIPELINE-LABEL: func.func @carried
// PIPELINE:         memref.store %f, %r
// PIPELINE-NEXT:    memref.dealloc %r
// PIPELINE-NEXT:    func.return
func.func @carried(%f: f32, %a: index, %b: index, %c: index) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %a to %b step %c iter_args(%x = %m) -> (memref<4xf32>) {
    memref.store %f, %x[%i] : memref<4xf32>
    scf.yield %x : memref<4xf32>
  }
  memref.store %f, %r[%a] : memref<4xf32>
  func.return
}

// Otherwise the result is memory of the buffer, which is freed after the last use of both.
// CHECK-LABEL: func.func @carried_and_used
// CHECK:         memref.store %f, %m[%a]
// CHECK-NEXT:    memref.store %f, %r[%a]
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xf32>) if (%{{.*}})
// PIPELINE-LABEL: func.func @carried_and_used
// PIPELINE:         memref.store %f, %r[%a]
// PIPELINE-NEXT:    memref.dealloc %m
// PIPELINE-NEXT:    func.return
func.func @carried_and_used(%f: f32, %a: index, %b: index, %c: index) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %a to %b step %c iter_args(%x = %m) -> (memref<4xf32>) {
    memref.store %f, %x[%i] : memref<4xf32>
    scf.yield %x : memref<4xf32>
  }
  memref.store %f, %m[%a] : memref<4xf32>
  memref.store %f, %r[%a] : memref<4xf32>
  func.return
}

// What a call of a function with such buffers returns is freed like an allocation.
// CHECK-LABEL: func.func @called
// CHECK:         func.call @made
// CHECK-NEXT:    memref.store
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xf32>) if (%{{.*}})
// PIPELINE-LABEL: func.func @called
// PIPELINE:         memref.store
// PIPELINE-NEXT:    memref.dealloc %m
func.func @called(%x: memref<4xf32>, %f: f32, %i: index) {
  %m = func.call @made(%x) : (memref<4xf32>) -> memref<4xf32>
  memref.store %f, %m[%i] : memref<4xf32>
  func.return
}
func.func private @made(%x: memref<4xf32>) -> memref<4xf32> {
  func.return %x : memref<4xf32>
}

// What the program frees itself is not freed again.
// CHECK-LABEL: func.func @freed
// CHECK:         memref.dealloc %m
// CHECK-NEXT:    func.return
// PIPELINE-LABEL: func.func @freed
// PIPELINE:         memref.dealloc %m
// PIPELINE-NEXT:    func.return
func.func @freed(%x: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  "memref.copy"(%x, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  "memref.copy"(%m, %x) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %m : memref<4xf32>
  func.return
}

// Through the address, memory may be used after the last op that has the memref.
// CHECK-LABEL: func.func @address
// CHECK:         "test.use"
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xf32>) if (%{{.*}})
// PIPELINE-LABEL: func.func @address
// PIPELINE:         "test.use"
// PIPELINE-NEXT:    memref.dealloc %m
func.func @address() {
  %m = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  "test.use"(%p) : (index) -> ()
  func.return
}

// A view that is returned takes the memory with it; memory of the caller's is cloned.
// CHECK-LABEL: func.func @returned
// CHECK:         %[[CLONE:.*]] = bufferization.clone %x
// CHECK-NEXT:    func.return %v, %[[CLONE]]
// PIPELINE-LABEL: func.func @returned
// PIPELINE-NOT:     memref.dealloc
// PIPELINE:         %[[CLONE:.*]] = bufferization.clone %x
// PIPELINE-NEXT:    func.return %v, %[[CLONE]]
func.func @returned(%x: memref<4xf32>) -> (memref<2x2xf32>, memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  "memref.copy"(%x, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  %v = memref.expand_shape %m [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  func.return %v, %x : memref<2x2xf32>, memref<4xf32>
}

// A loop swaps a buffer with memory of the caller's. It does not own the buffer, which is freed once
// nothing uses either of its results.
// CHECK-LABEL: func.func @swapped_with_memory_of_the_caller
// CHECK:         %r, %s = scf.for %{{.*}} iter_args(%a = %x, %b = %m) -> (memref<4xf32>, memref<4xf32>) {
// PIPELINE-LABEL: func.func @swapped_with_memory_of_the_caller
// PIPELINE:         %r, %s = scf.for %{{.*}} iter_args(%a = %x, %b = %m) -> (memref<4xf32>, memref<4xf32>) {
// PIPELINE-NEXT:      linalg.exp
// PIPELINE-NEXT:      scf.yield %b, %a
// PIPELINE-NEXT:    }
// PIPELINE-NEXT:    "memref.copy"(%r, %y)
// PIPELINE-NEXT:    memref.dealloc %m
// PIPELINE-NEXT:    func.return
func.func @swapped_with_memory_of_the_caller(%x: memref<4xf32>, %y: memref<4xf32>, %i: index, %n: index) {
  %m = memref.alloc() : memref<4xf32>
  %r, %s = scf.for %k = %i to %n step %i iter_args(%a = %x, %b = %m) -> (memref<4xf32>, memref<4xf32>) {
    linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  "memref.copy"(%r, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}

// The same by a loop with two regions.
// PIPELINE-LABEL: func.func @swapped_in_two_regions
// PIPELINE:         %r, %s = scf.while (%a = %x, %b = %m) : (memref<4xf32>, memref<4xf32>) ->
// PIPELINE:         "memref.copy"(%r, %y)
// PIPELINE-NEXT:    memref.dealloc %m
// PIPELINE-NEXT:    func.return
func.func @swapped_in_two_regions(%x: memref<4xf32>, %y: memref<4xf32>, %i: index, %f: f32) {
  %m = memref.alloc() : memref<4xf32>
  %r, %s = scf.while (%a = %x, %b = %m) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
    %v = memref.load %a[%i] : memref<4xf32>
    %c = arith.cmpf olt, %v, %f : f32
    scf.condition(%c) %a, %b : memref<4xf32>, memref<4xf32>
  } do {
  ^bb0(%a: memref<4xf32>, %b: memref<4xf32>):
    linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  "memref.copy"(%r, %y) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}

// What is returned may be memory of the caller's, which is known at run time only.
// PIPELINE-LABEL: func.func @swapped_and_returned
// PIPELINE:         scf.for {{.*}} -> (memref<4xf32>, memref<4xf32>, i1, i1)
func.func @swapped_and_returned(%x: memref<4xf32>, %i: index, %n: index) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %r, %s = scf.for %k = %i to %n step %i iter_args(%a = %x, %b = %m) -> (memref<4xf32>, memref<4xf32>) {
    linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// Either of two buffers may be in the place of %x.
// PIPELINE-LABEL: func.func @two_swapped_with_memory_of_the_caller
// PIPELINE:         scf.for {{.*}} -> (memref<4xf32>, memref<4xf32>, memref<4xf32>, i1, i1, i1)
func.func @two_swapped_with_memory_of_the_caller(%x: memref<4xf32>, %i: index, %n: index) {
  %m = memref.alloc() : memref<4xf32>
  %o = memref.alloc() : memref<4xf32>
  %r, %s, %t = scf.for %k = %i to %n step %i iter_args(%a = %x, %b = %m, %c = %o) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
    linalg.exp ins(%a : memref<4xf32>) outs(%b : memref<4xf32>)
    scf.yield %b, %c, %a : memref<4xf32>, memref<4xf32>, memref<4xf32>
  }
  func.return
}
