// RUN: xdsl-opt %s --allow-unregistered-dialect -p 'buffer-results-to-out-params{hoist-static-allocs hoist-dynamic-allocs}' | filecheck %s

// CHECK-LABEL: func.func private @hoisted(%f: f32, %i: index, %a: memref<4xf32>) {
// CHECK-NEXT:      memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @hoisted(%f: f32, %i: index) -> memref<4xf32> {
  %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  func.return %a : memref<4xf32>
}

// What the callee's caller allocates is the caller's own result.
// CHECK-LABEL: func.func private @through(%f: f32, %i: index, %r: memref<4xf32>) {
// CHECK-NEXT:      func.call @hoisted(%f, %i, %r) : (f32, index, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @through(%f: f32, %i: index) -> memref<4xf32> {
  %r = func.call @hoisted(%f, %i) : (f32, index) -> memref<4xf32>
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func @calls_through(%f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:      %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      func.call @through(%f, %i, %r) : (f32, index, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return %r : memref<4xf32>
// CHECK-NEXT:    }
func.func @calls_through(%f: f32, %i: index) -> memref<4xf32> {
  %r = func.call @through(%f, %i) : (f32, index) -> memref<4xf32>
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func private @dynamic(%m: memref<?xf32>, %a: memref<?xf32>) {
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %n = memref.dim %m, %zero : memref<?xf32>
// CHECK-NEXT:      "memref.copy"(%m, %a) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @dynamic(%m: memref<?xf32>) -> memref<?xf32> {
  %zero = arith.constant 0 : index
  %n = "memref.dim"(%m, %zero) : (memref<?xf32>, index) -> index
  %a = memref.alloc(%n) : memref<?xf32>
  "memref.copy"(%m, %a) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return %a : memref<?xf32>
}

// CHECK-LABEL: func.func @calls_dynamic(%m: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = memref.dim %m, %0 : memref<?xf32>
// CHECK-NEXT:      %r = memref.alloc(%1) : memref<?xf32>
// CHECK-NEXT:      func.call @dynamic(%m, %r) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:      func.return %r : memref<?xf32>
// CHECK-NEXT:    }
func.func @calls_dynamic(%m: memref<?xf32>) -> memref<?xf32> {
  %r = func.call @dynamic(%m) : (memref<?xf32>) -> memref<?xf32>
  func.return %r : memref<?xf32>
}

// CHECK-LABEL: func.func private @through_cast(%a: memref<4xf32>) {
// CHECK-NEXT:      %c = "memref.cast"(%a) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @through_cast() -> memref<4xf32, strided<[?], offset: ?>> {
  %a = memref.alloc() : memref<4xf32>
  %c = "memref.cast"(%a) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
  func.return %c : memref<4xf32, strided<[?], offset: ?>>
}

// CHECK-LABEL: func.func private @twice(%a: memref<4xf32>) {
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @twice() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  func.return %a, %a : memref<4xf32>, memref<4xf32>
}

// Each of the two results may be in either of the allocations, so they cannot be swapped by
// copies to each other.
// CHECK-LABEL: func.func private @swapped(%c: i1, %0: memref<4xf32>, %1: memref<4xf32>) {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %b = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      "memref.copy"(%a, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      "memref.copy"(%b, %1) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      "memref.copy"(%b, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      "memref.copy"(%a, %1) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @swapped(%c: i1) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  func.return %a, %b : memref<4xf32>, memref<4xf32>
^bb2:
  func.return %b, %a : memref<4xf32>, memref<4xf32>
}

// Both are alive at the same time: one of them can be the result's memory.
// CHECK-LABEL: func.func private @either(%c: i1, %a: memref<4xf32>) {
// CHECK-NEXT:      %b = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      func.return
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      "memref.copy"(%b, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @either(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  func.return %a : memref<4xf32>
^bb2:
  func.return %b : memref<4xf32>
}

// Only one of them is made.
// CHECK-LABEL: func.func private @one_or_the_other(%c: i1, %a: memref<4xf32>) {
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      func.return
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @one_or_the_other(%c: i1) -> memref<4xf32> {
  "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  %a = memref.alloc() : memref<4xf32>
  func.return %a : memref<4xf32>
^bb2:
  %b = memref.alloc() : memref<4xf32>
  func.return %b : memref<4xf32>
}

// It is not there any more on one of the ways.
// CHECK-LABEL: func.func private @freed(%c: i1, %b: memref<4xf32>) {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      "memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      memref.dealloc %a : memref<4xf32>
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @freed(%c: i1) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  func.return %a : memref<4xf32>
^bb2:
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  func.return %b : memref<4xf32>
}

// Each iteration reads what the one before it allocated.
// CHECK-LABEL: func.func private @in_loop(%c: i1, %0: memref<4xf32>) {
// CHECK-NEXT:      %first = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      cf.br ^bb1(%first : memref<4xf32>)
// CHECK-NEXT:    ^bb1(%last: memref<4xf32>):
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      "test.combine"(%last, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb2
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      "memref.copy"(%a, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @in_loop(%c: i1) -> memref<4xf32> {
  %first = memref.alloc() : memref<4xf32>
  "cf.br"(%first) [^bb1] : (memref<4xf32>) -> ()
^bb1(%last: memref<4xf32>):
  %a = memref.alloc() : memref<4xf32>
  "test.combine"(%last, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  "cf.cond_br"(%c, %a) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, memref<4xf32>) -> ()
^bb2:
  func.return %a : memref<4xf32>
}

// CHECK-LABEL: func.func private @in_branch(%c: i1, %0: memref<4xf32>) {
// CHECK-NEXT:      %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:        %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        scf.yield %a : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %b = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        scf.yield %b : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      "memref.copy"(%r, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @in_branch(%c: i1) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// What is copied to the result is a part of what would be hoisted.
// CHECK-LABEL: func.func private @part_of_itself(%c: i1, %0: memref<4xf32>) {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %b = "memref.cast"(%a) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      "memref.copy"(%b, %0) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %v = memref.reinterpret_cast %a to offset: [3], sizes: [4], strides: [0] : memref<4xf32> to memref<4xf32, strided<[0], offset: 3>>
// CHECK-NEXT:      %w = "memref.cast"(%v) : (memref<4xf32, strided<[0], offset: 3>>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      "memref.copy"(%w, %0) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @part_of_itself(%c: i1) -> memref<4xf32, strided<[?], offset: ?>> {
  %a = memref.alloc() : memref<4xf32>
  %b = "memref.cast"(%a) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
  "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  func.return %b : memref<4xf32, strided<[?], offset: ?>>
^bb2:
  %v = "memref.reinterpret_cast"(%a) <{operandSegmentSizes = array<i32: 1, 0, 0, 0>, static_offsets = array<i64: 3>, static_sizes = array<i64: 4>, static_strides = array<i64: 0>}> : (memref<4xf32>) -> memref<4xf32, strided<[0], offset: 3>>
  %w = "memref.cast"(%v) : (memref<4xf32, strided<[0], offset: 3>>) -> memref<4xf32, strided<[?], offset: ?>>
  func.return %w : memref<4xf32, strided<[?], offset: ?>>
}
