// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation | filecheck %s

// Ownership goes with what is handed over; an i1 tells of it only where it depends on the run.

// CHECK-LABEL: func.func @loop_replaces(%n: index, %i: index, %j: index, %o: memref<4xf32>, %f: f32) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r = scf.for %k = %i to %n step %j iter_args(%b = %m) -> (memref<4xf32>) {
// CHECK-NEXT:        %v = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        memref.store %f, %b[%k] : memref<4xf32>
// CHECK-NEXT:        bufferization.dealloc (%b : memref<4xf32>) if (%0)
// CHECK-NEXT:        memref.store %f, %v[%k] : memref<4xf32>
// CHECK-NEXT:        scf.yield %v : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.store %f, %r[%i] : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @loop_replaces(%n: index, %i: index, %j: index, %o: memref<4xf32>, %f: f32) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %k = %i to %n step %j iter_args(%b = %m) -> (memref<4xf32>) {
    %v = memref.alloc() : memref<4xf32>
    memref.store %f, %b[%k] : memref<4xf32>
    memref.store %f, %v[%k] : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  memref.store %f, %r[%i] : memref<4xf32>
  func.return
}

// The init is used behind the loop, so the loop must not free it.
// CHECK-LABEL: func.func @init_is_used(%n: index, %i: index, %j: index, %f: f32) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %1 = arith.constant false
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r, %2 = scf.for %k = %i to %n step %j iter_args(%b = %m, %3 = %1) -> (memref<4xf32>, i1) {
// CHECK-NEXT:        %v = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        memref.store %f, %b[%k] : memref<4xf32>
// CHECK-NEXT:        bufferization.dealloc (%b : memref<4xf32>) if (%3)
// CHECK-NEXT:        scf.yield %v, %0 : memref<4xf32>, i1
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.store %f, %m[%i] : memref<4xf32>
// CHECK-NEXT:      memref.store %f, %r[%i] : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%2)
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @init_is_used(%n: index, %i: index, %j: index, %f: f32) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %k = %i to %n step %j iter_args(%b = %m) -> (memref<4xf32>) {
    %v = memref.alloc() : memref<4xf32>
    memref.store %f, %b[%k] : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  memref.store %f, %m[%i] : memref<4xf32>
  memref.store %f, %r[%i] : memref<4xf32>
  func.return
}

// Nor if it is used in the loop by itself.
// CHECK-LABEL: func.func @init_is_captured(%n: index, %i: index, %j: index, %f: f32) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %1 = arith.constant false
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r, %2 = scf.for %k = %i to %n step %j iter_args(%b = %m, %3 = %1) -> (memref<4xf32>, i1) {
// CHECK-NEXT:        bufferization.dealloc (%b : memref<4xf32>) if (%3)
// CHECK-NEXT:        memref.store %f, %m[%k] : memref<4xf32>
// CHECK-NEXT:        %v = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        scf.yield %v, %0 : memref<4xf32>, i1
// CHECK-NEXT:      }
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%2)
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @init_is_captured(%n: index, %i: index, %j: index, %f: f32) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %k = %i to %n step %j iter_args(%b = %m) -> (memref<4xf32>) {
    memref.store %f, %m[%k] : memref<4xf32>
    %v = memref.alloc() : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @argument_is_init(%n: index, %i: index, %j: index, %a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %1 = arith.constant false
// CHECK-NEXT:      %r, %2 = scf.for %k = %i to %n step %j iter_args(%b = %a, %3 = %1) -> (memref<4xf32>, i1) {
// CHECK-NEXT:        bufferization.dealloc (%b : memref<4xf32>) if (%3)
// CHECK-NEXT:        %v = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        scf.yield %v, %0 : memref<4xf32>, i1
// CHECK-NEXT:      }
// CHECK-NEXT:      %4 = scf.if %2 -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %r : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %5 = bufferization.clone %r : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:        scf.yield %5 : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %4 : memref<4xf32>
func.func @argument_is_init(%n: index, %i: index, %j: index, %a: memref<4xf32>) -> memref<4xf32> {
  %r = scf.for %k = %i to %n step %j iter_args(%b = %a) -> (memref<4xf32>) {
    %v = memref.alloc() : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func @swapped(%n: index, %i: index, %j: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %b = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r, %r_1 = scf.for %k = %i to %n step %j iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:        scf.yield %y, %x : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r, %r_1 : memref<4xf32>, memref<4xf32>
func.func @swapped(%n: index, %i: index, %j: index) -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %k = %i to %n step %j iter_args(%x = %a, %y = %b) -> (memref<4xf32>, memref<4xf32>) {
    scf.yield %y, %x : memref<4xf32>, memref<4xf32>
  }
  func.return %r#0, %r#1 : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @same_init_twice(%n: index, %i: index, %j: index) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant false
// CHECK-NEXT:      %1 = arith.constant true
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r, %r_1, %2, %3 = scf.for %k = %i to %n step %j iter_args(%x = %a, %y = %a, %4 = %1, %5 = %0) -> (memref<4xf32>, memref<4xf32>, i1, i1) {
// CHECK-NEXT:        %v = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        %6 = bufferization.dealloc (%x : memref<4xf32>) if (%4) retain (%y : memref<4xf32>)
// CHECK-NEXT:        %7 = arith.ori %6, %5 : i1
// CHECK-NEXT:        scf.yield %y, %v, %7, %1 : memref<4xf32>, memref<4xf32>, i1, i1
// CHECK-NEXT:      }
// CHECK-NEXT:      bufferization.dealloc (%r_1 : memref<4xf32>) if (%3)
// CHECK-NEXT:      %8 = scf.if %2 -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %r : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %9 = bufferization.clone %r : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:        scf.yield %9 : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %8 : memref<4xf32>
func.func @same_init_twice(%n: index, %i: index, %j: index) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  %r:2 = scf.for %k = %i to %n step %j iter_args(%x = %a, %y = %a) -> (memref<4xf32>, memref<4xf32>) {
    %v = memref.alloc() : memref<4xf32>
    scf.yield %y, %v : memref<4xf32>, memref<4xf32>
  }
  func.return %r#0 : memref<4xf32>
}

// CHECK-LABEL: func.func @if_on_one_side(%c: i1, %a: memref<4xf32>, %i: index) -> f32 {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %1 = arith.constant false
// CHECK-NEXT:      %r, %2 = scf.if %c -> (memref<4xf32>, i1) {
// CHECK-NEXT:        scf.yield %a, %1 : memref<4xf32>, i1
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        scf.yield %m, %0 : memref<4xf32>, i1
// CHECK-NEXT:      }
// CHECK-NEXT:      %f = memref.load %r[%i] : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%2)
// CHECK-NEXT:      func.return %f : f32
func.func @if_on_one_side(%c: i1, %a: memref<4xf32>, %i: index) -> f32 {
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %a : memref<4xf32>
  } else {
    %m = memref.alloc() : memref<4xf32>
    scf.yield %m : memref<4xf32>
  }
  %f = memref.load %r[%i] : memref<4xf32>
  func.return %f : f32
}

// CHECK-LABEL: func.func @if_of_two(%c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %m : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %n : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %1 = bufferization.dealloc (%m : memref<4xf32>) if (%0) retain (%r : memref<4xf32>)
// CHECK-NEXT:      %2 = bufferization.dealloc (%n : memref<4xf32>) if (%0) retain (%r : memref<4xf32>)
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @if_of_two(%c: i1) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %m : memref<4xf32>
  } else {
    scf.yield %n : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func @while(%c: i1, %f: f32, %i: index) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r = scf.while (%b = %m) : (memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:        scf.condition(%c) %b : memref<4xf32>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%x: memref<4xf32>):
// CHECK-NEXT:        %v = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        memref.store %f, %x[%i] : memref<4xf32>
// CHECK-NEXT:        bufferization.dealloc (%x : memref<4xf32>) if (%0)
// CHECK-NEXT:        scf.yield %v : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @while(%c: i1, %f: f32, %i: index) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.while (%b = %m) : (memref<4xf32>) -> memref<4xf32> {
    scf.condition(%c) %b : memref<4xf32>
  } do {
  ^bb0(%x: memref<4xf32>):
    %v = memref.alloc() : memref<4xf32>
    memref.store %f, %x[%i] : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @parallel(%n: index, %i: index, %j: index, %f: f32) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      "scf.parallel"(%i, %n, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
// CHECK-NEXT:      ^bb0(%k: index):
// CHECK-NEXT:        %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        memref.store %f, %m[%k] : memref<4xf32>
// CHECK-NEXT:        bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:        scf.reduce
// CHECK-NEXT:      }) : (index, index, index) -> ()
// CHECK-NEXT:      func.return
func.func @parallel(%n: index, %i: index, %j: index, %f: f32) {
  "scf.parallel"(%i, %n, %j) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%k: index):
    %m = memref.alloc() : memref<4xf32>
    memref.store %f, %m[%k] : memref<4xf32>
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  func.return
}

// What is allocated in the loop is not what it returns.
// CHECK-LABEL: func.func @loop_allocates(%n: index, %i: index, %j: index, %a: memref<4xf32>, %f: f32) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %r = scf.for %k = %i to %n step %j iter_args(%b = %a) -> (memref<4xf32>) {
// CHECK-NEXT:        %v = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        memref.store %f, %v[%k] : memref<4xf32>
// CHECK-NEXT:        bufferization.dealloc (%v : memref<4xf32>) if (%0)
// CHECK-NEXT:        scf.yield %b : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @loop_allocates(%n: index, %i: index, %j: index, %a: memref<4xf32>, %f: f32) {
  %r = scf.for %k = %i to %n step %j iter_args(%b = %a) -> (memref<4xf32>) {
    %v = memref.alloc() : memref<4xf32>
    memref.store %f, %v[%k] : memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  func.return
}
