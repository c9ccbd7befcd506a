// RUN: xdsl-opt %s -p buffer-deallocation-simplification | filecheck %s

// What is allocated in two places is freed by two ops; an argument is neither.
// CHECK-LABEL: func.func @distinct(%a: memref<4xf32>, %c: i1, %d: i1) -> (i1, i1) {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%n : memref<4xf32>) if (%d)
// CHECK-NEXT:      %r = arith.constant false
// CHECK-NEXT:      func.return %r, %c : i1, i1
func.func @distinct(%a: memref<4xf32>, %c: i1, %d: i1) -> (i1, i1) {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %r:2 = bufferization.dealloc (%m, %n : memref<4xf32>, memref<4xf32>) if (%c, %d) retain (%a, %m : memref<4xf32>, memref<4xf32>)
  func.return %r#0, %r#1 : i1, i1
}

// Two arguments may be the same memory.
// CHECK-LABEL: func.func @arguments(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %d: i1) -> (i1, i1) {
// CHECK-NEXT:      %r, %r_1 = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%c, %d) retain (%a, %b : memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:      func.return %r, %r_1 : i1, i1
func.func @arguments(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1, %d: i1) -> (i1, i1) {
  %r:2 = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%c, %d) retain (%a, %b : memref<4xf32>, memref<4xf32>)
  func.return %r#0, %r#1 : i1, i1
}

// CHECK-LABEL: func.func @select(%c: i1, %d: i1) -> i1 {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = arith.select %c, %m, %n : memref<4xf32>
// CHECK-NEXT:      %0 = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%s : memref<4xf32>)
// CHECK-NEXT:      %1 = bufferization.dealloc (%n : memref<4xf32>) if (%d) retain (%s : memref<4xf32>)
// CHECK-NEXT:      %r = arith.ori %0, %1 : i1
// CHECK-NEXT:      func.return %r : i1
func.func @select(%c: i1, %d: i1) -> i1 {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %m, %n : memref<4xf32>
  %r = bufferization.dealloc (%m, %n : memref<4xf32>, memref<4xf32>) if (%c, %d) retain (%s : memref<4xf32>)
  func.return %r : i1
}

// A view is certainly its base.
// CHECK-LABEL: func.func @view(%a: memref<4xf32>, %c: i1, %d: i1) -> i1 {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
// CHECK-NEXT:      bufferization.dealloc (%a : memref<4xf32>) if (%d)
// CHECK-NEXT:      func.return %c : i1
func.func @view(%a: memref<4xf32>, %c: i1, %d: i1) -> i1 {
  %m = memref.alloc() : memref<4xf32>
  %s = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %r = bufferization.dealloc (%m, %a : memref<4xf32>, memref<4xf32>) if (%c, %d) retain (%s : memref<2xf32, strided<[1]>>)
  func.return %r : i1
}

// What a call returns is not what never escaped, but may be what did.
// CHECK-LABEL: func.func private @external(memref<4xf32>) -> memref<4xf32>
func.func private @external(memref<4xf32>) -> memref<4xf32>
// CHECK-LABEL: func.func @call(%a: memref<4xf32>, %c: i1) {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r = func.call @external(%m) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%m, %r : memref<4xf32>, memref<4xf32>) if (%c, %c)
// CHECK-NEXT:      bufferization.dealloc (%n : memref<4xf32>) if (%c)
// CHECK-NEXT:      func.return
func.func @call(%a: memref<4xf32>, %c: i1) {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %r = func.call @external(%m) : (memref<4xf32>) -> memref<4xf32>
  bufferization.dealloc (%m, %n, %r : memref<4xf32>, memref<4xf32>, memref<4xf32>) if (%c, %c, %c)
  func.return
}

// CHECK-LABEL: func.func @result_of_if(%a: memref<4xf32>, %c: i1) -> i1 {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %m : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %a : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %r = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%s : memref<4xf32>)
// CHECK-NEXT:      bufferization.dealloc (%n : memref<4xf32>) if (%c)
// CHECK-NEXT:      func.return %r : i1
func.func @result_of_if(%a: memref<4xf32>, %c: i1) -> i1 {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %s = scf.if %c -> (memref<4xf32>) {
    scf.yield %m : memref<4xf32>
  } else {
    scf.yield %a : memref<4xf32>
  }
  %r = bufferization.dealloc (%m, %n : memref<4xf32>, memref<4xf32>) if (%c, %c) retain (%s : memref<4xf32>)
  func.return %r : i1
}

// CHECK-LABEL: func.func @never(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> i1 {
// CHECK-NEXT:      %f = arith.constant false
// CHECK-NEXT:      %r = arith.constant false
// CHECK-NEXT:      func.return %r : i1
func.func @never(%a: memref<4xf32>, %b: memref<4xf32>, %c: i1) -> i1 {
  %f = arith.constant false
  %r = bufferization.dealloc (%a : memref<4xf32>) if (%f) retain (%b : memref<4xf32>)
  func.return %r : i1
}

// Who owns memory in any case, and keeps it, owns it behind the op, too.
// CHECK-LABEL: func.func @always_owned(
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    func.return %true, %true : i1, i1
func.func @always_owned(%m: memref<4xi32>, %n: memref<4xi32>) -> (i1, i1) {
  %true = arith.constant true
  %0, %1 = bufferization.dealloc (%m, %n : memref<4xi32>, memref<4xi32>) if (%true, %true) retain (%m, %n : memref<4xi32>, memref<4xi32>)
  func.return %0, %1 : i1, i1
}

// CHECK-LABEL: func.func @owned_with_others(
// CHECK:         %0 = bufferization.dealloc (%n : memref<4xi32>) if (%c) retain (%m : memref<4xi32>)
// CHECK-NEXT:    func.return %true : i1
func.func @owned_with_others(%m: memref<4xi32>, %n: memref<4xi32>, %c: i1) -> i1 {
  %true = arith.constant true
  %0 = bufferization.dealloc (%m, %n : memref<4xi32>, memref<4xi32>) if (%true, %c) retain (%m : memref<4xi32>)
  func.return %0 : i1
}

// CHECK-LABEL: func.func @twice(
// CHECK:         bufferization.dealloc (%m : memref<4xi32>) if (%true)
// CHECK-LABEL: func.func @twice_on_conditions(
// CHECK-NEXT:    %0 = arith.ori %c, %d : i1
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xi32>) if (%0)
func.func @twice(%m: memref<4xi32>, %c: i1) {
  %true = arith.constant true
  bufferization.dealloc (%m, %m : memref<4xi32>, memref<4xi32>) if (%c, %true)
  func.return
}
func.func @twice_on_conditions(%m: memref<4xi32>, %c: i1, %d: i1) {
  bufferization.dealloc (%m, %m : memref<4xi32>, memref<4xi32>) if (%c, %d)
  func.return
}

// What an iteration allocates is not the memory that it started with.
// CHECK-LABEL: func.func @new_in_iteration(
// CHECK:           bufferization.dealloc (%a : memref<4xi32>) if (%p) retain (%m : memref<4xi32>)
// CHECK-NEXT:      scf.yield %new, %true : memref<4xi32>, i1
func.func @new_in_iteration(%n: index, %m: memref<4xi32>, %own: i1) -> memref<4xi32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %true = arith.constant true
  %r, %s = scf.for %i = %zero to %n step %one iter_args(%a = %m, %p = %own) -> (memref<4xi32>, i1) {
    %new = memref.alloc() : memref<4xi32>
    "memref.copy"(%a, %new) : (memref<4xi32>, memref<4xi32>) -> ()
    %q, %t = bufferization.dealloc (%a, %new : memref<4xi32>, memref<4xi32>) if (%p, %true) retain (%new, %m : memref<4xi32>, memref<4xi32>)
    scf.yield %new, %q : memref<4xi32>, i1
  }
  func.return %r : memref<4xi32>
}

// A constant decides `arith.ori`, or does not matter for it.
// CHECK-LABEL: func.func @ori_with_constants(
// CHECK:         bufferization.dealloc (%m : memref<4xi32>) if (%true)
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xi32>) if (%c)
// CHECK-NEXT:    func.return
func.func @ori_with_constants(%m: memref<4xi32>, %c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  %x = arith.ori %c, %true : i1
  %y = arith.ori %false, %c : i1
  bufferization.dealloc (%m, %m : memref<4xi32>, memref<4xi32>) if (%x, %y)
  bufferization.dealloc (%m : memref<4xi32>) if (%y)
  func.return
}

// CHECK-LABEL: func.func @retained_twice(
// CHECK:         [[OWNED:%.*]] = bufferization.dealloc (%m : memref<4xi32>) if (%c) retain (%r : memref<4xi32>)
// CHECK-NEXT:    func.return [[OWNED]], [[OWNED]] : i1, i1
func.func @retained_twice(%m: memref<4xi32>, %r: memref<4xi32>, %c: i1) -> (i1, i1) {
  %x, %y = bufferization.dealloc (%m : memref<4xi32>) if (%c) retain (%r, %r : memref<4xi32>, memref<4xi32>)
  func.return %x, %y : i1, i1
}

// An iteration argument or a block argument is certainly the one memref that is forwarded to it.
// CHECK-LABEL: func.func @carried(
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.call @flag(%c)
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return
func.func private @flag(i1)
func.func @carried(%lb: index, %ub: index, %step: index, %c: i1) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %lb to %ub step %step iter_args(%x = %m) -> (memref<4xf32>) {
    %s = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
    %f = bufferization.dealloc (%x : memref<4xf32>) if (%c) retain (%s : memref<2xf32, strided<[1]>>)
    func.call @flag(%f) : (i1) -> ()
    scf.yield %x : memref<4xf32>
  }
  %g = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%r : memref<4xf32>)
  func.return
}

// CHECK-LABEL: func.func @block_argument(
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return %c : i1
func.func @block_argument(%c: i1) -> i1 {
  %m = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1(%m : memref<4xf32>), ^bb2(%m : memref<4xf32>)
^bb1(%x: memref<4xf32>):
  cf.cond_br %c, ^bb1(%x : memref<4xf32>), ^bb2(%x : memref<4xf32>)
^bb2(%y: memref<4xf32>):
  %f = bufferization.dealloc (%y : memref<4xf32>) if (%c) retain (%m : memref<4xf32>)
  func.return %f : i1
}

// It may also be another one.
// CHECK-LABEL: func.func @replaced(
// CHECK:         bufferization.dealloc (%x : memref<4xf32>) if (%c) retain (%m : memref<4xf32>)
// CHECK:         bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%{{.*}}, %{{.*}} : memref<4xf32>, memref<4xf32>)
func.func @replaced(%lb: index, %ub: index, %step: index, %c: i1) {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %i = %lb to %ub step %step iter_args(%x = %m, %y = %n) -> (memref<4xf32>, memref<4xf32>) {
    %f = bufferization.dealloc (%x : memref<4xf32>) if (%c) retain (%m : memref<4xf32>)
    func.call @flag(%f) : (i1) -> ()
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  %g:2 = bufferization.dealloc (%m : memref<4xf32>) if (%c) retain (%r#0, %r#1 : memref<4xf32>, memref<4xf32>)
  func.return
}

// A fresh allocation is neither the argument of its loop, nor of a loop around it, nor of a block.
// CHECK-LABEL: func.func @fresh(
// CHECK:         bufferization.dealloc (%z : memref<4xf32>) if (%c){{$}}
// CHECK:         bufferization.dealloc (%x : memref<4xf32>) if (%c){{$}}
// CHECK:         bufferization.dealloc (%y : memref<4xf32>) if (%c){{$}}
func.func @fresh(%lb: index, %ub: index, %step: index, %m: memref<4xf32>, %c: i1) {
  cf.br ^bb1(%m : memref<4xf32>)
^bb1(%z: memref<4xf32>):
  %n = memref.alloc() : memref<4xf32>
  %e = bufferization.dealloc (%z : memref<4xf32>) if (%c) retain (%n : memref<4xf32>)
  %r = scf.for %i = %lb to %ub step %step iter_args(%x = %n) -> (memref<4xf32>) {
    %s = scf.for %j = %lb to %ub step %step iter_args(%y = %x) -> (memref<4xf32>) {
      %a = memref.alloc() : memref<4xf32>
      %f = bufferization.dealloc (%x : memref<4xf32>) if (%c) retain (%a : memref<4xf32>)
      %g = bufferization.dealloc (%y : memref<4xf32>) if (%c) retain (%a : memref<4xf32>)
      scf.yield %a : memref<4xf32>
    }
    scf.yield %s : memref<4xf32>
  }
  cf.cond_br %e, ^bb1(%r : memref<4xf32>), ^bb2
^bb2:
  func.return
}
