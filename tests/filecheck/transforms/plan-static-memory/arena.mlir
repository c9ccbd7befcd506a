// RUN: xdsl-opt %s -p plan-static-memory | filecheck %s

// The first and the last buffer are not needed at the same time.
// CHECK-LABEL: func.func @in_turn(%a: memref<16xf32>, %o: memref<16xf32>) {
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 64 : i64} : memref<128xi8>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.constant 64 : index
// CHECK-NEXT:      %x = memref.view %arena[%0][] : memref<128xi8> to memref<16xf32>
// CHECK-NEXT:      %y = memref.view %arena[%1][] : memref<128xi8> to memref<16xf32>
// CHECK-NEXT:      %z = memref.view %arena[%0][] : memref<128xi8> to memref<4x4xf32>
// CHECK-NEXT:      %v = memref.collapse_shape %z [[0 : i64, 1 : i64]] : memref<4x4xf32> into memref<16xf32>
// CHECK-NEXT:      "memref.copy"(%a, %x) : (memref<16xf32>, memref<16xf32>) -> ()
// CHECK-NEXT:      "memref.copy"(%x, %y) : (memref<16xf32>, memref<16xf32>) -> ()
// CHECK-NEXT:      "memref.copy"(%y, %v) : (memref<16xf32>, memref<16xf32>) -> ()
// CHECK-NEXT:      "memref.copy"(%v, %o) : (memref<16xf32>, memref<16xf32>) -> ()
// CHECK-NEXT:      func.return
func.func @in_turn(%a: memref<16xf32>, %o: memref<16xf32>) {
  %x = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  %y = memref.alloc() {alignment = 64 : i64} : memref<16xf32>
  %z = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
  %v = "memref.collapse_shape"(%z) <{reassociation = [[0 : i64, 1 : i64]]}> : (memref<4x4xf32>) -> memref<16xf32>
  "memref.copy"(%a, %x) : (memref<16xf32>, memref<16xf32>) -> ()
  "memref.copy"(%x, %y) : (memref<16xf32>, memref<16xf32>) -> ()
  "memref.copy"(%y, %v) : (memref<16xf32>, memref<16xf32>) -> ()
  "memref.copy"(%v, %o) : (memref<16xf32>, memref<16xf32>) -> ()
  func.return
}

// Of two regions only one runs.
// CHECK-LABEL: func.func @exclusive(%c: i1, %a: memref<16xf32>) {
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 16 : i64} : memref<64xi8>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        %x = memref.view %arena[%0][] : memref<64xi8> to memref<16xf32>
// CHECK-NEXT:        "test.op"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %y = memref.view %arena[%0][] : memref<64xi8> to memref<16xf32>
// CHECK-NEXT:        "test.op"(%y, %a) : (memref<16xf32>, memref<16xf32>) -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @exclusive(%c: i1, %a: memref<16xf32>) {
  scf.if %c {
    %x = memref.alloc() : memref<16xf32>
    "test.op"(%x, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  } else {
    %y = memref.alloc() : memref<16xf32>
    "test.op"(%y, %a) : (memref<16xf32>, memref<16xf32>) -> ()
  }
  func.return
}

// What is allocated before a loop and used in it is needed in all of it; what is allocated in
// it is not.
// CHECK-LABEL: func.func @loop(%l: index, %u: index, %s: index) {
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 16 : i64} : memref<32xi8>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.constant 16 : index
// CHECK-NEXT:      %x = memref.view %arena[%0][] : memref<32xi8> to memref<4xf32>
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        %y = memref.view %arena[%1][] : memref<32xi8> to memref<4xf32>
// CHECK-NEXT:        "test.op"(%y) : (memref<4xf32>) -> ()
// CHECK-NEXT:        %z = memref.view %arena[%1][] : memref<32xi8> to memref<4xf32>
// CHECK-NEXT:        "test.op"(%z) : (memref<4xf32>) -> ()
// CHECK-NEXT:        "test.op"(%x) : (memref<4xf32>) -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @loop(%l: index, %u: index, %s: index) {
  %x = memref.alloc() : memref<4xf32>
  scf.for %i = %l to %u step %s {
    %y = memref.alloc() : memref<4xf32>
    "test.op"(%y) : (memref<4xf32>) -> ()
    %z = memref.alloc() : memref<4xf32>
    "test.op"(%z) : (memref<4xf32>) -> ()
    "test.op"(%x) : (memref<4xf32>) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @loop_of_blocks(%c: i1) {
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 16 : i64} : memref<32xi8>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.constant 16 : index
// CHECK-NEXT:      %x = memref.view %arena[%0][] : memref<32xi8> to memref<4xf32>
// CHECK-NEXT:      cf.br ^bb1
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      %y = memref.view %arena[%1][] : memref<32xi8> to memref<4xf32>
// CHECK-NEXT:      "test.op"(%y) : (memref<4xf32>) -> ()
// CHECK-NEXT:      "test.op"(%x) : (memref<4xf32>) -> ()
// CHECK-NEXT:      %z = memref.view %arena[%1][] : memref<32xi8> to memref<4xf32>
// CHECK-NEXT:      "test.op"(%z) : (memref<4xf32>) -> ()
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      func.return
func.func @loop_of_blocks(%c: i1) {
  %x = memref.alloc() : memref<4xf32>
  cf.br ^bb1
^bb1:
  %y = memref.alloc() : memref<4xf32>
  "test.op"(%y) : (memref<4xf32>) -> ()
  "test.op"(%x) : (memref<4xf32>) -> ()
  %z = memref.alloc() : memref<4xf32>
  "test.op"(%z) : (memref<4xf32>) -> ()
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  func.return
}

// One that is handed over is in use until the last use of what it is handed to. Those of two
// branches are never handed over both.
// CHECK-LABEL: func.func @handed_over(%c: i1) {
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 16 : i64} : memref<16xi8>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:        %x = memref.view %arena[%0][] : memref<16xi8> to memref<4xf32>
// CHECK-NEXT:        scf.yield %x : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %y = memref.view %arena[%0][] : memref<16xi8> to memref<4xf32>
// CHECK-NEXT:        scf.yield %y : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      "test.op"(%r) : (memref<4xf32>) -> ()
// CHECK-NEXT:      %z = memref.view %arena[%0][] : memref<16xi8> to memref<4xf32>
// CHECK-NEXT:      "test.op"(%z) : (memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
func.func @handed_over(%c: i1) {
  %r = scf.if %c -> (memref<4xf32>) {
    %x = memref.alloc() : memref<4xf32>
    scf.yield %x : memref<4xf32>
  } else {
    %y = memref.alloc() : memref<4xf32>
    scf.yield %y : memref<4xf32>
  }
  "test.op"(%r) : (memref<4xf32>) -> ()
  %z = memref.alloc() : memref<4xf32>
  "test.op"(%z) : (memref<4xf32>) -> ()
  func.return
}

// Sizes are in bytes, offsets multiples of what each allocation asks for.
// CHECK-LABEL: func.func @sizes() {
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 128 : i64} : memref<88xi8>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.constant 32 : index
// CHECK-NEXT:      %2 = arith.constant 40 : index
// CHECK-NEXT:      %3 = arith.constant 48 : index
// CHECK-NEXT:      %4 = memref.view %arena[%2][] : memref<88xi8> to memref<3xi1>
// CHECK-NEXT:      %5 = memref.view %arena[%0][] : memref<88xi8> to memref<2xvector<3xf32>>
// CHECK-NEXT:      %6 = memref.view %arena[%3][] : memref<88xi8> to memref<5xindex>
// CHECK-NEXT:      %7 = memref.view %arena[%0][] : memref<88xi8> to memref<0xf32>
// CHECK-NEXT:      %8 = memref.view %arena[%1][] : memref<88xi8> to memref<f64>
// CHECK-NEXT:      "test.op"(%4, %5, %6, %7, %8) : (memref<3xi1>, memref<2xvector<3xf32>>, memref<5xindex>, memref<0xf32>, memref<f64>) -> ()
// CHECK-NEXT:      func.return
func.func @sizes() {
  %0 = memref.alloc() {alignment = 4 : i64} : memref<3xi1>
  %1 = memref.alloc() {alignment = 128 : i64} : memref<2xvector<3xf32>>
  %2 = memref.alloc() : memref<5xindex>
  %3 = memref.alloc() : memref<0xf32>
  %4 = memref.alloc() : memref<f64>
  "test.op"(%0, %1, %2, %3, %4) : (memref<3xi1>, memref<2xvector<3xf32>>, memref<5xindex>, memref<0xf32>, memref<f64>) -> ()
  func.return
}

// Each memory space has an arena.
// CHECK-LABEL: func.func @memory_spaces() {
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 16 : i64} : memref<16xi8, 1 : i32>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %arena_1 = memref.alloc() {alignment = 16 : i64} : memref<16xi8>
// CHECK-NEXT:      %1 = arith.constant 0 : index
// CHECK-NEXT:      %2 = memref.view %arena_1[%1][] : memref<16xi8> to memref<4xf32>
// CHECK-NEXT:      %3 = memref.view %arena[%0][] : memref<16xi8, 1 : i32> to memref<4xf32, 1 : i32>
// CHECK-NEXT:      "test.op"(%2, %3) : (memref<4xf32>, memref<4xf32, 1 : i32>) -> ()
// CHECK-NEXT:      func.return
func.func @memory_spaces() {
  %0 = memref.alloc() : memref<4xf32>
  %1 = memref.alloc() : memref<4xf32, 1 : i32>
  "test.op"(%0, %1) : (memref<4xf32>, memref<4xf32, 1 : i32>) -> ()
  func.return
}

// These keep memory of their own.
// CHECK-LABEL: func.func @others(%n: index, %o: memref<8xmemref<4xf32>>) -> memref<4xf32> {
// CHECK-NEXT:      %dynamic = memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT:      %of_memrefs = memref.alloc() : memref<4xmemref<4xf32>>
// CHECK-NEXT:      "test.op"(%dynamic, %of_memrefs) : (memref<?xf32>, memref<4xmemref<4xf32>>) -> ()
// CHECK-NEXT:      %stored = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      memref.store %stored, %o[%n] : memref<8xmemref<4xf32>>
// CHECK-NEXT:      %freed = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      memref.dealloc %freed : memref<4xf32>
// CHECK-NEXT:      %stack = memref.alloca() : memref<4xf32>
// CHECK-NEXT:      %returned = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.return %returned : memref<4xf32>
func.func @others(%n: index, %o: memref<8xmemref<4xf32>>) -> memref<4xf32> {
  %dynamic = memref.alloc(%n) : memref<?xf32>
  %of_memrefs = memref.alloc() : memref<4xmemref<4xf32>>
  "test.op"(%dynamic, %of_memrefs) : (memref<?xf32>, memref<4xmemref<4xf32>>) -> ()
  %stored = memref.alloc() : memref<4xf32>
  memref.store %stored, %o[%n] : memref<8xmemref<4xf32>>
  %freed = memref.alloc() : memref<4xf32>
  memref.dealloc %freed : memref<4xf32>
  %stack = memref.alloca() : memref<4xf32>
  %returned = memref.alloc() : memref<4xf32>
  func.return %returned : memref<4xf32>
}

// CHECK-LABEL: func.func @handed_on(%l: index, %u: index, %s: index, %given: memref<2xf32>) {
// CHECK-NEXT:      %r = scf.for %i = %l to %u step %s iter_args(%x = %given) -> (memref<2xf32>) {
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:        scf.yield %m : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @handed_on(%l: index, %u: index, %s: index, %given: memref<2xf32>) {
  %r = scf.for %i = %l to %u step %s iter_args(%x = %given) -> (memref<2xf32>) {
    %m = memref.alloc() : memref<2xf32>
    "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
    scf.yield %m : memref<2xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @parallel(%l: index, %u: index, %s: index) {
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 16 : i64} : memref<8xi8>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %x = memref.view %arena[%0][] : memref<8xi8> to memref<2xf32>
// CHECK-NEXT:      "scf.parallel"(%l, %u, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:        scf.reduce
// CHECK-NEXT:      }) : (index, index, index) -> ()
// CHECK-NEXT:      "test.op"(%x) : (memref<2xf32>) -> ()
// CHECK-NEXT:      func.return
func.func @parallel(%l: index, %u: index, %s: index) {
  %x = memref.alloc() : memref<2xf32>
  "scf.parallel"(%l, %u, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %m = memref.alloc() : memref<2xf32>
    "test.op"(%m) : (memref<2xf32>) -> ()
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  "test.op"(%x) : (memref<2xf32>) -> ()
  func.return
}

// The second region's buffer is seen by the first one's next run.
// CHECK-LABEL: func.func @while(%c: i1, %given: memref<2xf32>) {
// CHECK-NEXT:      %r = scf.while (%x = %given) : (memref<2xf32>) -> i1 {
// CHECK-NEXT:        "test.op"(%x) : (memref<2xf32>) -> ()
// CHECK-NEXT:        scf.condition(%c) %c : i1
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%d: i1):
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:        scf.yield %m : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @while(%c: i1, %given: memref<2xf32>) {
  %r = scf.while (%x = %given) : (memref<2xf32>) -> (i1) {
    "test.op"(%x) : (memref<2xf32>) -> ()
    scf.condition(%c) %c : i1
  } do {
  ^bb0(%d: i1):
    %m = memref.alloc() : memref<2xf32>
    "test.op"(%m) : (memref<2xf32>) -> ()
    scf.yield %m : memref<2xf32>
  }
  func.return
}
