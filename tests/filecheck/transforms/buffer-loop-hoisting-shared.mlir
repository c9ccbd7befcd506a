// RUN: xdsl-opt %s -p 'buffer-loop-hoisting{share-memory}' | filecheck %s

// One allocation for buffers of one type that are live one after the other.
// CHECK-LABEL: func.func @same_type(
// CHECK-NEXT:      %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:        "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:      }
func.func @same_type(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<8xf32>
    "test.op"(%a) : (memref<8xf32>) -> ()
    %b = memref.alloc() : memref<8xf32>
    "test.op"(%b) : (memref<8xf32>) -> ()
  }
  func.return
}

// Those that are live together are allocations of their own.
// CHECK-LABEL: func.func @together(
// CHECK-NEXT:      %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %b = memref.alloc() : memref<16xf32>
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        "test.op"(%a, %b) : (memref<8xf32>, memref<16xf32>) -> ()
// CHECK-NEXT:      }
func.func @together(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<16xf32>
    "test.op"(%a, %b) : (memref<8xf32>, memref<16xf32>) -> ()
  }
  func.return
}

// Buffers of several types are parts of an arena, aligned as they were.
// CHECK-LABEL: func.func @several_types(
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 64 : i64} : memref<320xi8, "space">
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.constant 64 : index
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %a = memref.view %arena[%1][] : memref<320xi8, "space"> to memref<64xf32, "space">
// CHECK-NEXT:        %b = memref.view %arena[%0][] : memref<320xi8, "space"> to memref<16xf32, "space">
// CHECK-NEXT:        "test.op"(%a, %b) : (memref<64xf32, "space">, memref<16xf32, "space">) -> ()
// CHECK-NEXT:        %c = memref.view %arena[%1][] : memref<320xi8, "space"> to memref<32xf64, "space">
// CHECK-NEXT:        "test.op"(%b, %c) : (memref<16xf32, "space">, memref<32xf64, "space">) -> ()
// CHECK-NEXT:      }
func.func @several_types(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32, "space">
    %b = memref.alloc() {alignment = 64 : i64} : memref<16xf32, "space">
    "test.op"(%a, %b) : (memref<64xf32, "space">, memref<16xf32, "space">) -> ()
    %c = memref.alloc() {alignment = 64 : i64} : memref<32xf64, "space">
    "test.op"(%b, %c) : (memref<16xf32, "space">, memref<32xf64, "space">) -> ()
  }
  func.return
}

// Padding in the arena would raise the peak: what needs it is allocated besides.
// CHECK-LABEL: func.func @padding(
// CHECK-NEXT:      %n = memref.alloc() {alignment = 64 : i64} : memref<f32>
// CHECK-NEXT:      %k = memref.alloc() {alignment = 64 : i64} : memref<i32>
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 64 : i64} : memref<256xi8>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %a = memref.view %arena[%0][] : memref<256xi8> to memref<64xf32>
// CHECK-NEXT:        "test.op"(%n, %k, %a) : (memref<f32>, memref<i32>, memref<64xf32>) -> ()
// CHECK-NEXT:        %b = memref.view %arena[%0][] : memref<256xi8> to memref<32xf64>
// CHECK-NEXT:        "test.op"(%n, %k, %b) : (memref<f32>, memref<i32>, memref<32xf64>) -> ()
// CHECK-NEXT:      }
func.func @padding(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %n = memref.alloc() {alignment = 64 : i64} : memref<f32>
    %k = memref.alloc() {alignment = 64 : i64} : memref<i32>
    %a = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
    "test.op"(%n, %k, %a) : (memref<f32>, memref<i32>, memref<64xf32>) -> ()
    %b = memref.alloc() {alignment = 64 : i64} : memref<32xf64>
    "test.op"(%n, %k, %b) : (memref<f32>, memref<i32>, memref<32xf64>) -> ()
  }
  func.return
}

// Where other memory is allocated, hoisted buffers would be live besides it.
// CHECK-LABEL: func.func @beside(
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:        "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:        %b = memref.alloc(%i) : memref<?xf32>
// CHECK-NEXT:        "test.op"(%b) : (memref<?xf32>) -> ()
func.func @beside(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<8xf32>
    "test.op"(%a) : (memref<8xf32>) -> ()
    %b = memref.alloc(%i) : memref<?xf32>
    "test.op"(%b) : (memref<?xf32>) -> ()
  }
  func.return
}

// They are live there anyway.
// CHECK-LABEL: func.func @around(
// CHECK-NEXT:      %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %b = memref.alloc(%i) : memref<?xf32>
// CHECK-NEXT:        "test.op"(%a, %b) : (memref<8xf32>, memref<?xf32>) -> ()
func.func @around(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc(%i) : memref<?xf32>
    "test.op"(%a, %b) : (memref<8xf32>, memref<?xf32>) -> ()
  }
  func.return
}

// Buffers of the same unknown size share an allocation, too.
// CHECK-LABEL: func.func @unknown_size(
// CHECK-NEXT:      %a = memref.alloc(%u) : memref<?xf32>
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        "test.op"(%a) : (memref<?xf32>) -> ()
// CHECK-NEXT:        "test.op"(%a) : (memref<?xf32>) -> ()
// CHECK-NEXT:      }
func.func @unknown_size(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc(%u) : memref<?xf32>
    "test.op"(%a) : (memref<?xf32>) -> ()
    %b = memref.alloc(%u) : memref<?xf32>
    "test.op"(%b) : (memref<?xf32>) -> ()
  }
  func.return
}

// A branch may never be taken. Its buffer is hoisted into memory that iterations need anyway.
// CHECK-LABEL: func.func @branches(
// CHECK-NEXT:      %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:        scf.if %c {
// CHECK-NEXT:          "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.for %j = %l to %u step %s {
// CHECK-NEXT:        scf.if %c {
// CHECK-NEXT:          %d = memref.alloc() : memref<8xf32>
func.func @branches(%c: i1, %l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<8xf32>
    "test.op"(%a) : (memref<8xf32>) -> ()
    scf.if %c {
      %b = memref.alloc() : memref<8xf32>
      "test.op"(%b) : (memref<8xf32>) -> ()
    }
  }
  scf.for %j = %l to %u step %s {
    scf.if %c {
      %d = memref.alloc() : memref<8xf32>
      "test.op"(%d) : (memref<8xf32>) -> ()
    }
  }
  func.return
}

// A buffer whose last use is in a branch may be freed at the start of another one.
// CHECK-LABEL: func.func @freed_in_branch(
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:        scf.if %c {
// CHECK-NEXT:          %b = memref.alloc(%i) : memref<?xf32>
func.func @freed_in_branch(%c: i1, %l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<8xf32>
    scf.if %c {
      %b = memref.alloc(%i) : memref<?xf32>
      "test.op"(%b) : (memref<?xf32>) -> ()
    } else {
      "test.op"(%a) : (memref<8xf32>) -> ()
    }
  }
  func.return
}

// Inner loops share the memory of outer ones.
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT:      %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:        scf.for %j = %l to %u step %s {
// CHECK-NEXT:          "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:        }
// CHECK-NEXT:        "test.op"(%a) : (memref<8xf32>) -> ()
func.func @nested(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<8xf32>
    "test.op"(%a) : (memref<8xf32>) -> ()
    scf.for %j = %l to %u step %s {
      %b = memref.alloc() : memref<8xf32>
      "test.op"(%b) : (memref<8xf32>) -> ()
    }
    %d = memref.alloc() : memref<8xf32>
    "test.op"(%d) : (memref<8xf32>) -> ()
  }
  func.return
}

// What leaves an inner loop only is allocated by the outer one.
// CHECK-LABEL: func.func @inner(
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:        "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:        %b = memref.alloc(%i) : memref<?xf32>
// CHECK-NEXT:        scf.for %j = %l to %u step %s {
// CHECK-NEXT:          "test.op"(%b) : (memref<?xf32>) -> ()
func.func @inner(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<8xf32>
    "test.op"(%a) : (memref<8xf32>) -> ()
    scf.for %j = %l to %u step %s {
      %b = memref.alloc(%i) : memref<?xf32>
      "test.op"(%b) : (memref<?xf32>) -> ()
    }
  }
  func.return
}

// A function that is called may need much memory; one without a body does not count.
// CHECK-LABEL: func.func @calls(
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:        "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:        func.call @allocating() : () -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:      %b = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      scf.for %j = %l to %u step %s {
// CHECK-NEXT:        "test.op"(%b) : (memref<8xf32>) -> ()
// CHECK-NEXT:        func.call @external() : () -> ()
func.func @calls(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() : memref<8xf32>
    "test.op"(%a) : (memref<8xf32>) -> ()
    func.call @allocating() : () -> ()
  }
  scf.for %j = %l to %u step %s {
    %b = memref.alloc() : memref<8xf32>
    "test.op"(%b) : (memref<8xf32>) -> ()
    func.call @external() : () -> ()
  }
  func.return
}
func.func @allocating() {
  func.call @allocating_directly() : () -> ()
  func.return
}
func.func @allocating_directly() {
  %a = memref.alloc() : memref<1024xf32>
  "test.op"(%a) : (memref<1024xf32>) -> ()
  func.return
}
func.func private @external()

// Loops of blocks: those that each iteration executes dominate the one that branches back.
// CHECK-LABEL: func.func @blocks(
// CHECK-NEXT:      %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      cf.br ^loop
// CHECK-NEXT:    ^loop:
// CHECK-NEXT:      "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:      cf.cond_br %c, ^sometimes, ^latch
// CHECK-NEXT:    ^sometimes:
// CHECK-NEXT:      "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:      cf.br ^latch
// CHECK-NEXT:    ^latch:
// CHECK-NEXT:      "test.op"(%a) : (memref<8xf32>) -> ()
// CHECK-NEXT:      cf.cond_br %c, ^loop, ^other
// CHECK-NEXT:    ^other:
// CHECK-NEXT:      cf.cond_br %c, ^not_always, ^back
// CHECK-NEXT:    ^not_always:
// CHECK-NEXT:      %e = memref.alloc() : memref<8xf32>
func.func @blocks(%c: i1) {
  cf.br ^loop
^loop:
  %a = memref.alloc() : memref<8xf32>
  "test.op"(%a) : (memref<8xf32>) -> ()
  cf.cond_br %c, ^sometimes, ^latch
^sometimes:
  %b = memref.alloc() : memref<8xf32>
  "test.op"(%b) : (memref<8xf32>) -> ()
  cf.br ^latch
^latch:
  %d = memref.alloc() : memref<8xf32>
  "test.op"(%d) : (memref<8xf32>) -> ()
  cf.cond_br %c, ^loop, ^other
^other:
  cf.cond_br %c, ^not_always, ^back
^not_always:
  %e = memref.alloc() : memref<8xf32>
  "test.op"(%e) : (memref<8xf32>) -> ()
  cf.br ^back
^back:
  cf.cond_br %c, ^other, ^end
^end:
  func.return
}

// Attributes are kept.
// CHECK-LABEL: func.func @attributes(
// CHECK-NEXT:      %a = memref.alloc() {test.note} : memref<8xf32>
// CHECK-NEXT:      scf.for
func.func @attributes(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %a = memref.alloc() {test.note} : memref<8xf32>
    "test.op"(%a) : (memref<8xf32>) -> ()
  }
  func.return
}

// Memory that may be returned is not shared.
// CHECK-LABEL: func.func @returned(
// CHECK-NEXT:      %a = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %b = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %r = scf.while () : () -> memref<8xf32> {
// CHECK-NEXT:        %c = "test.op"(%a, %b) : (memref<8xf32>, memref<8xf32>) -> i1
// CHECK-NEXT:        scf.condition(%c) %b : memref<8xf32>
func.func @returned() -> memref<8xf32> {
  %r = scf.while () : () -> memref<8xf32> {
    %a = memref.alloc() : memref<8xf32>
    %b = memref.alloc() : memref<8xf32>
    %c = "test.op"(%a, %b) : (memref<8xf32>, memref<8xf32>) -> i1
    scf.condition(%c) %b : memref<8xf32>
  } do {
  ^bb0(%x: memref<8xf32>):
    scf.yield
  }
  func.return %r : memref<8xf32>
}

// Iterations that may overlap need memory of their own; so does what one passes to the next.
// CHECK-LABEL: func.func @own(
// CHECK:           scf.parallel
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        %a = memref.alloc() : memref<8xf32>
// CHECK:           scf.for
// CHECK-NEXT:        %b = memref.alloc() : memref<8xf32>
func.func @own(%l: index, %u: index, %s: index, %m: memref<8xf32>) {
  scf.parallel (%i) = (%l) to (%u) step (%s) {
    %a = memref.alloc() : memref<8xf32>
    "test.op"(%a) : (memref<8xf32>) -> ()
    scf.reduce
  }
  %r = scf.for %i = %l to %u step %s iter_args(%x = %m) -> (memref<8xf32>) {
    %b = memref.alloc() : memref<8xf32>
    "test.op"(%b, %x) : (memref<8xf32>, memref<8xf32>) -> ()
    scf.yield %b : memref<8xf32>
  }
  func.return
}

// A loop that has no iteration needs no memory.
// CHECK-LABEL: func.func @no_iteration(
// CHECK:           scf.for %i
// CHECK-NEXT:        memref.alloc
func.func @no_iteration(%u: index, %s: index) {
  %c4 = arith.constant 4 : index
  scf.for %j = %s to %u step %s {
    scf.for %i = %c4 to %c4 step %c4 {
      %a = memref.alloc() : memref<8xf32>
      "test.op"(%a) : (memref<8xf32>) -> ()
    }
  }
  func.return
}
