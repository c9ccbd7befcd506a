// RUN: xdsl-opt %s -p buffer-loop-hoisting | filecheck %s

// Out of as many loops as possible.
// CHECK-LABEL: func.func @loops(%l: index, %u: index, %s: index, %f: f32) {
// CHECK-NEXT:      %outer = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      %stack = memref.alloca() : memref<2xf32>
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %inner = memref.alloc(%i) : memref<?xf32>
// CHECK-NEXT:        scf.for %j = %l to %u step %s {
// CHECK-NEXT:          %none = memref.alloc(%j) : memref<?xf32>
// CHECK-NEXT:          "test.op"(%outer, %inner, %none, %stack) : (memref<2xf32>, memref<?xf32>, memref<?xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @loops(%l: index, %u: index, %s: index, %f: f32) {
  scf.for %i = %l to %u step %s {
    scf.for %j = %l to %u step %s {
      %outer = memref.alloc() : memref<2xf32>
      %inner = memref.alloc(%i) : memref<?xf32>
      %none = memref.alloc(%j) : memref<?xf32>
      %stack = memref.alloca() : memref<2xf32>
      "test.op"(%outer, %inner, %none, %stack) : (memref<2xf32>, memref<?xf32>, memref<?xf32>, memref<2xf32>) -> ()
    }
  }
  func.return
}

// A conditional in a loop is no obstacle, one around it is left as it is.
// CHECK-LABEL: func.func @conditionals(%c: i1, %l: index, %u: index, %s: index) {
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        scf.for %i = %l to %u step %s {
// CHECK-NEXT:          scf.if %c {
// CHECK-NEXT:            "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:          }
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @conditionals(%c: i1, %l: index, %u: index, %s: index) {
  scf.if %c {
    scf.for %i = %l to %u step %s {
      scf.if %c {
        %m = memref.alloc() : memref<2xf32>
        "test.op"(%m) : (memref<2xf32>) -> ()
      }
    }
  }
  func.return
}

// The size may be one only where the conditional lets it run.
// CHECK-LABEL: func.func @conditional_size(%c: i1, %l: index, %u: index, %s: index, %n: index) {
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        scf.if %c {
// CHECK-NEXT:          %m = memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT:          "test.op"(%m) : (memref<?xf32>) -> ()
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @conditional_size(%c: i1, %l: index, %u: index, %s: index, %n: index) {
  scf.for %i = %l to %u step %s {
    scf.if %c {
      %m = memref.alloc(%n) : memref<?xf32>
      "test.op"(%m) : (memref<?xf32>) -> ()
    }
  }
  func.return
}

// CHECK-LABEL: func.func @execute_region(%l: index, %u: index, %s: index, %o: memref<8xindex>) {
// CHECK-NEXT:      %m = memref.alloc() : memref<1xindex>
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %x = scf.execute_region -> (index) {
// CHECK-NEXT:          memref.store %i, %m[%l] : memref<1xindex>
// CHECK-NEXT:          %y = memref.load %m[%l] : memref<1xindex>
// CHECK-NEXT:          scf.yield %y : index
// CHECK-NEXT:        }
// CHECK-NEXT:        memref.store %x, %o[%i] : memref<8xindex>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @execute_region(%l: index, %u: index, %s: index, %o: memref<8xindex>) {
  scf.for %i = %l to %u step %s {
    %x = scf.execute_region -> (index) {
      %m = memref.alloc() : memref<1xindex>
      memref.store %i, %m[%l] : memref<1xindex>
      %y = memref.load %m[%l] : memref<1xindex>
      scf.yield %y : index
    }
    memref.store %x, %o[%i] : memref<8xindex>
  }
  func.return
}

// Of a buffer that goes to the second region and to the result only, no run sees an earlier
// run's contents.
// CHECK-LABEL: func.func @while(%n: index, %c0: index, %c1: index) -> index {
// CHECK-NEXT:      %m = memref.alloc() : memref<1xindex>
// CHECK-NEXT:      %r = scf.while (%i = %c0) : (index) -> memref<1xindex> {
// CHECK-NEXT:        memref.store %i, %m[%c0] : memref<1xindex>
// CHECK-NEXT:        %c = arith.cmpi slt, %i, %n : index
// CHECK-NEXT:        scf.condition(%c) %m : memref<1xindex>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%x: memref<1xindex>):
// CHECK-NEXT:        %i_1 = memref.load %x[%c0] : memref<1xindex>
// CHECK-NEXT:        %j = arith.addi %i_1, %c1 : index
// CHECK-NEXT:        scf.yield %j : index
// CHECK-NEXT:      }
// CHECK-NEXT:      %i_2 = memref.load %r[%c0] : memref<1xindex>
// CHECK-NEXT:      func.return %i_2 : index
func.func @while(%n: index, %c0: index, %c1: index) -> index {
  %r = scf.while (%i = %c0) : (index) -> (memref<1xindex>) {
    %m = memref.alloc() : memref<1xindex>
    memref.store %i, %m[%c0] : memref<1xindex>
    %c = arith.cmpi slt, %i, %n : index
    scf.condition(%c) %m : memref<1xindex>
  } do {
  ^bb0(%x: memref<1xindex>):
    %i = memref.load %x[%c0] : memref<1xindex>
    %j = arith.addi %i, %c1 : index
    scf.yield %j : index
  }
  %i = memref.load %r[%c0] : memref<1xindex>
  func.return %i : index
}

// Each run sees the buffer of the one before.
// CHECK-LABEL: func.func @handed_on(%l: index, %u: index, %s: index, %given: memref<2xf32>) -> memref<2xf32> {
// CHECK-NEXT:      %r = scf.for %i = %l to %u step %s iter_args(%x = %given) -> (memref<2xf32>) {
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:        scf.yield %m : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<2xf32>
func.func @handed_on(%l: index, %u: index, %s: index, %given: memref<2xf32>) -> memref<2xf32> {
  %r = scf.for %i = %l to %u step %s iter_args(%x = %given) -> (memref<2xf32>) {
    %m = memref.alloc() : memref<2xf32>
    "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
    scf.yield %m : memref<2xf32>
  }
  func.return %r : memref<2xf32>
}

// A call may return what it is given.
// CHECK-LABEL: func.func private @callee(memref<2xf32>) -> memref<2xf32>
func.func private @callee(memref<2xf32>) -> memref<2xf32>
// CHECK-LABEL: func.func @handed_on_by_a_call(%l: index, %u: index, %s: index, %given: memref<2xf32>) -> memref<2xf32> {
// CHECK-NEXT:      %r = scf.for %i = %l to %u step %s iter_args(%x = %given) -> (memref<2xf32>) {
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:        %y = func.call @callee(%m) : (memref<2xf32>) -> memref<2xf32>
// CHECK-NEXT:        scf.yield %y : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<2xf32>
func.func @handed_on_by_a_call(%l: index, %u: index, %s: index, %given: memref<2xf32>) -> memref<2xf32> {
  %r = scf.for %i = %l to %u step %s iter_args(%x = %given) -> (memref<2xf32>) {
    %m = memref.alloc() : memref<2xf32>
    "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
    %y = func.call @callee(%m) : (memref<2xf32>) -> memref<2xf32>
    scf.yield %y : memref<2xf32>
  }
  func.return %r : memref<2xf32>
}

// What an iteration stores may be loaded in any later one.
// CHECK-LABEL: func.func @stored(%l: index, %u: index, %s: index, %o: memref<8xmemref<2xf32>>) {
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        memref.store %m, %o[%i] : memref<8xmemref<2xf32>>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @stored(%l: index, %u: index, %s: index, %o: memref<8xmemref<2xf32>>) {
  scf.for %i = %l to %u step %s {
    %m = memref.alloc() : memref<2xf32>
    memref.store %m, %o[%i] : memref<8xmemref<2xf32>>
  }
  func.return
}

// CHECK-LABEL: func.func @address(%l: index, %u: index, %s: index, %o: memref<8xindex>) {
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
func.func @address(%l: index, %u: index, %s: index, %o: memref<8xindex>) {
  scf.for %i = %l to %u step %s {
    %m = memref.alloc() : memref<2xf32>
    %p = memref.extract_aligned_pointer_as_index %m : memref<2xf32> -> index
    memref.store %p, %o[%i] : memref<8xindex>
  }
  func.return
}

// Runs at the same time need memory each; a loop within each of them does not.
// CHECK-LABEL: func.func @parallel(%l: index, %u: index, %s: index) {
// CHECK-NEXT:      "scf.parallel"(%l, %u, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:        %n = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        scf.for %j = %l to %u step %s {
// CHECK-NEXT:          "test.op"(%n) : (memref<2xf32>) -> ()
// CHECK-NEXT:        }
// CHECK-NEXT:        scf.reduce
// CHECK-NEXT:      }) : (index, index, index) -> ()
// CHECK-NEXT:      func.return
func.func @parallel(%l: index, %u: index, %s: index) {
  "scf.parallel"(%l, %u, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %m = memref.alloc() : memref<2xf32>
    "test.op"(%m) : (memref<2xf32>) -> ()
    scf.for %j = %l to %u step %s {
      %n = memref.alloc() : memref<2xf32>
      "test.op"(%n) : (memref<2xf32>) -> ()
    }
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @affine_parallel(%c0: index, %o: memref<2xindex>) {
// CHECK-NEXT:      "affine.parallel"()
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        %m = memref.alloc() : memref<1xindex>
// CHECK-NEXT:        memref.store %i, %m[%c0] : memref<1xindex>
// CHECK-NEXT:        affine.yield
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:      func.return
func.func @affine_parallel(%c0: index, %o: memref<2xindex>) {
  "affine.parallel"() <{reductions = [], lowerBoundsMap = affine_map<() -> (0)>, lowerBoundsGroups = dense<1> : tensor<1xi32>, upperBoundsMap = affine_map<() -> (2)>, upperBoundsGroups = dense<1> : tensor<1xi32>, steps = [1 : i64]}> ({
  ^bb0(%i: index):
    %m = memref.alloc() : memref<1xindex>
    memref.store %i, %m[%c0] : memref<1xindex>
    "affine.yield"() : () -> ()
  }) : () -> ()
  func.return
}

// CHECK-LABEL: func.func @affine_for(%c0: index) {
// CHECK-NEXT:      %m = memref.alloc() : memref<1xindex>
// CHECK-NEXT:      affine.for %i = 0 to 10 {
// CHECK-NEXT:        memref.store %i, %m[%c0] : memref<1xindex>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @affine_for(%c0: index) {
  "affine.for"() <{lowerBoundMap = affine_map<() -> (0)>, step = 1 : index, upperBoundMap = affine_map<() -> (10)>, operandSegmentSizes = array<i32: 0, 0, 0>}> ({
  ^bb0(%i: index):
    %m = memref.alloc() : memref<1xindex>
    memref.store %i, %m[%c0] : memref<1xindex>
    "affine.yield"() : () -> ()
  }) : () -> ()
  func.return
}

// Nothing is known of when the region runs.
// CHECK-LABEL: func.func @unknown_op(%l: index, %u: index, %s: index) {
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        "test.op"() ({
// CHECK-NEXT:          %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:          "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:          "test.termop"() : () -> ()
// CHECK-NEXT:        }) : () -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @unknown_op(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    "test.op"() ({
      %m = memref.alloc() : memref<2xf32>
      "test.op"(%m) : (memref<2xf32>) -> ()
      "test.termop"() : () -> ()
    }) : () -> ()
  }
  func.return
}

// A loop that branches make.
// CHECK-LABEL: func.func @blocks(%c: i1) {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      cf.br ^bb1
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      cf.cond_br %c, ^bb2, ^bb3
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:      cf.br ^bb1
// CHECK-NEXT:    ^bb3:
// CHECK-NEXT:      func.return
func.func @blocks(%c: i1) {
  cf.br ^bb1
^bb1:
  cf.cond_br %c, ^bb2, ^bb3
^bb2:
  %m = memref.alloc() : memref<2xf32>
  "test.op"(%m) : (memref<2xf32>) -> ()
  cf.br ^bb1
^bb3:
  func.return
}

// One that is entered in two places.
// CHECK-LABEL: func.func @irreducible(%c: i1) {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      cf.br ^bb2
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb3
// CHECK-NEXT:    ^bb3:
// CHECK-NEXT:      func.return
func.func @irreducible(%c: i1) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb2
^bb2:
  %m = memref.alloc() : memref<2xf32>
  "test.op"(%m) : (memref<2xf32>) -> ()
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  func.return
}

// CHECK-LABEL: func.func @blocks_hand_on(%c: i1, %given: memref<2xf32>) {
// CHECK-NEXT:      cf.br ^bb1(%given : memref<2xf32>)
// CHECK-NEXT:    ^bb1(%x: memref<2xf32>):
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:      cf.cond_br %c, ^bb1(%m : memref<2xf32>), ^bb2
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      func.return
func.func @blocks_hand_on(%c: i1, %given: memref<2xf32>) {
  cf.br ^bb1(%given : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  %m = memref.alloc() : memref<2xf32>
  "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
  cf.cond_br %c, ^bb1(%m : memref<2xf32>), ^bb2
^bb2:
  func.return
}

// CHECK-LABEL: func.func @freed(%l: index, %u: index, %s: index) {
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        memref.dealloc %m : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @freed(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %m = memref.alloc() : memref<2xf32>
    memref.dealloc %m : memref<2xf32>
  }
  func.return
}
