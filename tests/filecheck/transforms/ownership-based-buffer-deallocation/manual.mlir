// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation,ownership-based-buffer-deallocation --split-input-file | filecheck %s

// What the program frees itself is left to it; so the pass may run twice.

// CHECK-LABEL: func.func @freed(%i: index) -> f32 {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %f = memref.load %m[%i] : memref<4xf32>
// CHECK-NEXT:      memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:      func.return %f : f32
func.func @freed(%i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %f = memref.load %m[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  func.return %f : f32
}

// CHECK-LABEL: func.func @freed_by_attribute(%m: memref<4xf32>) {
// CHECK-NEXT:      %n = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
// CHECK-NEXT:      memref.dealloc %m {bufferization.manual_deallocation} : memref<4xf32>
// CHECK-NEXT:      func.return
func.func @freed_by_attribute(%m: memref<4xf32>) {
  %n = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  memref.dealloc %m {bufferization.manual_deallocation} : memref<4xf32>
  func.return
}

// CHECK-LABEL: func.func @freed_after_loop(%n: index, %i: index, %j: index) {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r = scf.for %k = %i to %n step %j iter_args(%b = %m) -> (memref<4xf32>) {
// CHECK-NEXT:        %v = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        memref.dealloc %b : memref<4xf32>
// CHECK-NEXT:        scf.yield %v : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.dealloc %r : memref<4xf32>
// CHECK-NEXT:      func.return
func.func @freed_after_loop(%n: index, %i: index, %j: index) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %k = %i to %n step %j iter_args(%b = %m) -> (memref<4xf32>) {
    %v = memref.alloc() : memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  memref.dealloc %r : memref<4xf32>
  func.return
}

// CHECK-LABEL: func.func @run_twice(%n: index, %i: index, %j: index, %o: memref<4xf32>, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r = scf.for %k = %i to %n step %j iter_args(%b = %m) -> (memref<4xf32>) {
// CHECK-NEXT:        bufferization.dealloc (%b : memref<4xf32>) if (%0)
// CHECK-NEXT:        %v = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        scf.yield %v : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %s = arith.select %c, %r, %o : memref<4xf32>
// CHECK-NEXT:      %1 = bufferization.dealloc (%r : memref<4xf32>) if (%0) retain (%s : memref<4xf32>)
// CHECK-NEXT:      %2 = scf.if %1 -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %s : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %3 = bufferization.clone %s : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:        scf.yield %3 : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %2 : memref<4xf32>
func.func @run_twice(%n: index, %i: index, %j: index, %o: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %k = %i to %n step %j iter_args(%b = %m) -> (memref<4xf32>) {
    %v = memref.alloc() : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  %s = arith.select %c, %r, %o : memref<4xf32>
  func.return %s : memref<4xf32>
}

// %o is the caller's, although %s may be %o or memory that the program frees.
// CHECK-LABEL: func.func @joined(%o: memref<4xf32>, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = arith.select %c, %m, %o : memref<4xf32>
// CHECK-NEXT:      memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:      [[COPY:%.*]] = bufferization.clone %o : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:      func.return [[COPY]] : memref<4xf32>
func.func @joined(%o: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %m, %o : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  func.return %o : memref<4xf32>
}

// An op with the attribute frees what the pass would free otherwise.
// CHECK-LABEL: func.func @freed_by_op_with_attribute() {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      memref.dealloc %m {bufferization.manual_deallocation} : memref<4xf32>
// CHECK-NEXT:      func.return
func.func @freed_by_op_with_attribute() {
  %m = memref.alloc() : memref<4xf32>
  memref.dealloc %m {bufferization.manual_deallocation} : memref<4xf32>
  func.return
}
