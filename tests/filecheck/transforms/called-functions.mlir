// RUN: xdsl-opt %s -p buffer-loop-hoisting | filecheck %s
// RUN: xdsl-opt %s -p buffer-hoisting | filecheck %s
// RUN: xdsl-opt %s -p promote-buffers-to-stack | filecheck %s
// RUN: xdsl-opt %s -p plan-static-memory | filecheck %s
// RUN: xdsl-opt %s -p 'plan-static-memory{arena-as-argument=true}' | filecheck %s
// RUN: xdsl-opt %s -p copy-removal | filecheck %s
// RUN: xdsl-opt %s -p optimize-allocation-liveness | filecheck %s

// What a function of the module does to its arguments counts where it is called: it may free
// them, or store them in memory.

memref.global "private" @box : memref<1xmemref<4xf32>> = uninitialized

func.func private @use(memref<4xf32>)

func.func private @frees(%m: memref<4xf32>) {
  memref.dealloc %m : memref<4xf32>
  func.return
}
func.func private @may_free(%c: i1, %m: memref<4xf32>) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  func.call @frees(%m) : (memref<4xf32>) -> ()
  cf.br ^bb2
^bb2:
  func.return
}
func.func private @stores(%i: index, %m: memref<4xf32>) {
  %b = memref.get_global @box : memref<1xmemref<4xf32>>
  memref.store %m, %b[%i] : memref<1xmemref<4xf32>>
  func.return
}
func.func private @reads(%i: index) -> f32 {
  %b = memref.get_global @box : memref<1xmemref<4xf32>>
  %m = memref.load %b[%i] : memref<1xmemref<4xf32>>
  %x = memref.load %m[%i] : memref<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @freed_in_each_iteration(
// CHECK:         scf.for
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.call @may_free(%c, %m)
func.func @freed_in_each_iteration(%lb: index, %ub: index, %step: index, %c: i1) {
  scf.for %i = %lb to %ub step %step {
    %m = memref.alloc() : memref<4xf32>
    func.call @may_free(%c, %m) : (i1, memref<4xf32>) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @freed_indirectly(
// CHECK:         %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    "func.call_indirect"(%f, %m)
func.func @freed_indirectly(%f: (memref<4xf32>) -> ()) {
  %m = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%m) : (memref<4xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func @stored(
// CHECK:         %m = memref.alloc() : memref<4xf32>
// CHECK:         %n = memref.alloc() : memref<4xf32>
// CHECK:         func.call @reads
func.func @stored(%i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  func.call @stores(%i, %m) : (index, memref<4xf32>) -> ()
  %n = memref.alloc() : memref<4xf32>
  func.call @stores(%i, %n) : (index, memref<4xf32>) -> ()
  %x = func.call @reads(%i) : (index) -> f32
  func.return %x : f32
}

// The copy does not become %m, which is freed before %n is used last.
// CHECK-LABEL: func.func @copied(
// CHECK:         %n = memref.alloc() : memref<4xf32>
// CHECK:         memref.copy
// CHECK:         func.call @frees(%m)
// CHECK-NEXT:    func.call @frees(%n)
func.func @copied() {
  %m = memref.alloc() : memref<4xf32>
  func.call @use(%m) : (memref<4xf32>) -> ()
  %n = memref.alloc() : memref<4xf32>
  memref.copy %m, %n : memref<4xf32> to memref<4xf32>
  func.call @frees(%m) : (memref<4xf32>) -> ()
  func.call @frees(%n) : (memref<4xf32>) -> ()
  func.return
}

// A function that is called may load what was stored.
// CHECK-LABEL: func.func @freed_after_call(
// CHECK:         func.call @reads
// CHECK-NEXT:    memref.dealloc %m
func.func @freed_after_call(%i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  func.call @stores(%i, %m) : (index, memref<4xf32>) -> ()
  %x = func.call @reads(%i) : (index) -> f32
  memref.dealloc %m : memref<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @freed_after_load(
// CHECK:         memref.load %l
// CHECK-NEXT:    memref.dealloc %m
func.func @freed_after_load(%i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  func.call @stores(%i, %m) : (index, memref<4xf32>) -> ()
  %b = memref.get_global @box : memref<1xmemref<4xf32>>
  %l = memref.load %b[%i] : memref<1xmemref<4xf32>>
  %x = memref.load %l[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  func.return %x : f32
}
