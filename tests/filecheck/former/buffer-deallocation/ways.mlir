// RUN: xdsl-opt %s -p buffer-deallocation | filecheck %s

// Memory is freed once on each way, whichever blocks control passes.

// The last block argument owns either buffer, and nothing is copied.
// CHECK-LABEL: func.func @copies_on_one_way(%c: i1, %d: i1, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:    %0 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb3(%0 : memref<2xf32>)
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    memref.dealloc %0 : memref<2xf32>
// CHECK-NEXT:    %1 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%1 : memref<2xf32>)
// CHECK-NEXT:    cf.cond_br %d, ^bb2, ^bb3(%1 : memref<2xf32>)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    memref.dealloc %1 : memref<2xf32>
// CHECK-NEXT:    func.return %f : f32
// CHECK-NEXT:  ^bb3(%2: memref<2xf32>):
// CHECK-NEXT:    %x = memref.load %2[%i] : memref<2xf32>
// CHECK-NEXT:    memref.dealloc %2 : memref<2xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @copies_on_one_way(%c: i1, %d: i1, %f: f32, %i: index) -> f32 {
  %0 = memref.alloc() : memref<2xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
  cf.cond_br %c, ^bb1, ^bb3(%0 : memref<2xf32>)
^bb1:
  %1 = memref.alloc() : memref<2xf32>
  linalg.fill ins(%f : f32) outs(%1 : memref<2xf32>)
  cf.cond_br %d, ^bb2, ^bb3(%1 : memref<2xf32>)
^bb2:
  func.return %f : f32
^bb3(%2: memref<2xf32>):
  %x = memref.load %2[%i] : memref<2xf32>
  func.return %x : f32
}

// Where the ways meet, it is not known whether there is anything to free.
// CHECK-LABEL: func.func @allocates_on_one_way(%c: i1, %d: i1, %f: f32) {
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb4
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %0 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.cond_br %d, ^bb3, ^bb2
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    memref.dealloc %0 : memref<2xf32>
// CHECK-NEXT:    cf.br ^bb4
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
// CHECK-NEXT:    memref.dealloc %0 : memref<2xf32>
// CHECK-NEXT:    cf.br ^bb4
// CHECK-NEXT:  ^bb4:
// CHECK-NEXT:    func.return
func.func @allocates_on_one_way(%c: i1, %d: i1, %f: f32) {
  cf.cond_br %c, ^bb1, ^bb3
^bb1:
  %0 = memref.alloc() : memref<2xf32>
  cf.cond_br %d, ^bb2, ^bb3
^bb2:
  linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
  cf.br ^bb3
^bb3:
  func.return
}

// CHECK-LABEL: func.func @returns_on_one_way(%c: i1, %f: f32) -> memref<2xf32> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    %1 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%1 : memref<2xf32>)
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    memref.dealloc %1 : memref<2xf32>
// CHECK-NEXT:    func.return %0 : memref<2xf32>
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    memref.dealloc %0 : memref<2xf32>
// CHECK-NEXT:    func.return %1 : memref<2xf32>
func.func @returns_on_one_way(%c: i1, %f: f32) -> memref<2xf32> {
  %0 = memref.alloc() : memref<2xf32>
  %1 = memref.alloc() : memref<2xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
  linalg.fill ins(%f : f32) outs(%1 : memref<2xf32>)
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  func.return %0 : memref<2xf32>
^bb2:
  func.return %1 : memref<2xf32>
}

// The memory is used last in a region, through a view of what the region is given.
// CHECK-LABEL: func.func @nested_uses(%n: index, %f: f32, %c: i1, %i: index, %one: index) {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
// CHECK-NEXT:    %r = scf.for %k = %i to %n step %one iter_args(%b = %0) -> (memref<4xf32>) {
// CHECK-NEXT:      %v = memref.subview %b[%k] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        linalg.fill ins(%f : f32) outs(%v : memref<2xf32, strided<[1], offset: ?>>)
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %b : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %r : memref<4xf32>
// CHECK-NEXT:    %x = arith.addf %f, %f : f32
// CHECK-NEXT:    func.return
func.func @nested_uses(%n: index, %f: f32, %c: i1, %i: index, %one: index) {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  %r = scf.for %k = %i to %n step %one iter_args(%b = %0) -> (memref<4xf32>) {
    %v = memref.subview %b[%k] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
    scf.if %c {
      linalg.fill ins(%f : f32) outs(%v : memref<2xf32, strided<[1], offset: ?>>)
    }
    scf.yield %b : memref<4xf32>
  }
  %x = arith.addf %f, %f : f32
  func.return
}

// Two buffers, both allocated in front of the loop, are handed from run to run: none is copied.
// CHECK-LABEL: func.func @swaps(%n: index, %f: f32, %i: index, %one: index) -> f32 {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
// CHECK-NEXT:    %1 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%1 : memref<4xf32>)
// CHECK-NEXT:    %r, %s = scf.for %k = %i to %n step %one iter_args(%a = %0, %b = %1) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:      scf.yield %b, %a : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %r : memref<4xf32>
// CHECK-NEXT:    %x = memref.load %s[%i] : memref<4xf32>
// CHECK-NEXT:    memref.dealloc %s : memref<4xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @swaps(%n: index, %f: f32, %i: index, %one: index) -> f32 {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  %1 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%1 : memref<4xf32>)
  %r, %s = scf.for %k = %i to %n step %one iter_args(%a = %0, %b = %1) -> (memref<4xf32>, memref<4xf32>) {
    memref.store %f, %a[%i] : memref<4xf32>
    scf.yield %b, %a : memref<4xf32>, memref<4xf32>
  }
  %x = memref.load %s[%i] : memref<4xf32>
  func.return %x : f32
}

// Both regions of the loop own what they are given; what a run allocates has another size.
// CHECK-LABEL: func.func @while(%n: index, %f: f32, %zero: index) -> memref<?xf32> {
// CHECK-NEXT:    %one = arith.constant 1 : index
// CHECK-NEXT:    %0 = memref.alloc(%one) : memref<?xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<?xf32>)
// CHECK-NEXT:    %r, %last = scf.while (%a = %0, %k = %one) : (memref<?xf32>, index) -> (memref<?xf32>, index) {
// CHECK-NEXT:      %go = arith.cmpi slt, %k, %n : index
// CHECK-NEXT:      scf.condition(%go) %a, %k : memref<?xf32>, index
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%b: memref<?xf32>, %k_1: index):
// CHECK-NEXT:      memref.dealloc %b : memref<?xf32>
// CHECK-NEXT:      %next = arith.addi %k_1, %one : index
// CHECK-NEXT:      %new = memref.alloc(%next) : memref<?xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%new : memref<?xf32>)
// CHECK-NEXT:      scf.yield %new, %next : memref<?xf32>, index
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @while(%n: index, %f: f32, %zero: index) -> memref<?xf32> {
  %one = arith.constant 1 : index
  %0 = memref.alloc(%one) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<?xf32>)
  %r, %last = scf.while (%a = %0, %k = %one) : (memref<?xf32>, index) -> (memref<?xf32>, index) {
    %go = arith.cmpi slt, %k, %n : index
    scf.condition(%go) %a, %k : memref<?xf32>, index
  } do {
  ^bb0(%b: memref<?xf32>, %k: index):
    %next = arith.addi %k, %one : index
    %new = memref.alloc(%next) : memref<?xf32>
    linalg.fill ins(%f : f32) outs(%new : memref<?xf32>)
    scf.yield %new, %next : memref<?xf32>, index
  }
  func.return %r : memref<?xf32>
}

// Runs that may overlap free what they allocate themselves.
// CHECK-LABEL: func.func @parallel(%n: index, %f: f32, %i: index, %one: index, %o: memref<4xf32>) {
// CHECK-NEXT:    "scf.parallel"(%i, %n, %one) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
// CHECK-NEXT:    ^bb0(%k: index):
// CHECK-NEXT:      %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
// CHECK-NEXT:      "memref.copy"(%0, %o) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.dealloc %0 : memref<4xf32>
// CHECK-NEXT:      scf.reduce
// CHECK-NEXT:    }) : (index, index, index) -> ()
// CHECK-NEXT:    func.return
func.func @parallel(%n: index, %f: f32, %i: index, %one: index, %o: memref<4xf32>) {
  "scf.parallel"(%i, %n, %one) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%k: index):
    %0 = memref.alloc() : memref<4xf32>
    linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
    "memref.copy"(%0, %o) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.reduce
  }) : (index, index, index) -> ()
  func.return
}
