// RUN: xdsl-opt %s -p buffer-deallocation | filecheck %s

// What is donated is neither copied nor freed; what is not is copied as ever.
// CHECK-LABEL: func.func @returns(%m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %n: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:      %0 = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%n, %0) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %m, %0 : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:    }
func.func @returns(%m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %n: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
  func.return %m, %n : memref<8xf32>, memref<8xf32>
}

// The same memory as another result.
// CHECK-LABEL: func.func @twice(%m: memref<8xf32> {bufferize.aliasing_result = 1 : i64}) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:      %0 = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%m, %0) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %0, %m : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:    }
func.func @twice(%m: memref<8xf32> {bufferize.aliasing_result = 1 : i64}) -> (memref<8xf32>, memref<8xf32>) {
  func.return %m, %m : memref<8xf32>, memref<8xf32>
}

// The first result is what the caller owned before: it is freed once, behind its last use.
// CHECK-LABEL: func.func @calls() {
// CHECK-NEXT:      %m = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %o = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %r, %s = func.call @returns(%m, %o) : (memref<8xf32>, memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
// CHECK-NEXT:      memref.dealloc %o : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%s, %m) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      memref.dealloc %s : memref<8xf32>
// CHECK-NEXT:      memref.dealloc %m : memref<8xf32>
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func @calls() {
  %m = memref.alloc() : memref<8xf32>
  %o = memref.alloc() : memref<8xf32>
  %r, %s = func.call @returns(%m, %o) : (memref<8xf32>, memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
  "memref.copy"(%s, %r) : (memref<8xf32>, memref<8xf32>) -> ()
  func.return
}

// The operand is an argument, which the caller may return only as a copy.
// CHECK-LABEL: func.func @hands_on(%m: memref<8xf32>, %o: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:      %r, %s = func.call @returns(%m, %o) : (memref<8xf32>, memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
// CHECK-NEXT:      memref.dealloc %s : memref<8xf32>
// CHECK-NEXT:      %0 = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%m, %0) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %0 : memref<8xf32>
// CHECK-NEXT:    }
func.func @hands_on(%m: memref<8xf32>, %o: memref<8xf32>) -> memref<8xf32> {
  %r, %s = func.call @returns(%m, %o) : (memref<8xf32>, memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
  func.return %r : memref<8xf32>
}

// Memory of its own, which the caller returns as it is.
// CHECK-LABEL: func.func @makes(%o: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %r, %s = func.call @returns(%m, %o) : (memref<8xf32>, memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
// CHECK-NEXT:      memref.dealloc %s : memref<8xf32>
// CHECK-NEXT:      func.return %m : memref<8xf32>
// CHECK-NEXT:    }
func.func @makes(%o: memref<8xf32>) -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  %r, %s = func.call @returns(%m, %o) : (memref<8xf32>, memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
  func.return %r : memref<8xf32>
}

// Carried by a loop that replaces another buffer in each iteration.
// CHECK-LABEL: func.func @loop(%n: index, %m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %o = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m, %y = %o) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:        memref.dealloc %y : memref<8xf32>
// CHECK-NEXT:        %p, %q = func.call @declared(%x) : (memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
// CHECK-NEXT:        scf.yield %x, %q : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %m, %s : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:    }
func.func @loop(%n: index, %m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}) -> (memref<8xf32>, memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = memref.alloc() : memref<8xf32>
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%x = %m, %y = %o) -> (memref<8xf32>, memref<8xf32>) {
    %p, %q = func.call @declared(%x) : (memref<8xf32>) -> (memref<8xf32>, memref<8xf32>)
    scf.yield %p, %q : memref<8xf32>, memref<8xf32>
  }
  func.return %r, %s : memref<8xf32>, memref<8xf32>
}

// CHECK-LABEL: "func.func"() <{sym_name = "declared", function_type = (memref<8xf32>) -> (memref<8xf32>, memref<8xf32>), sym_visibility = "private", arg_attrs = [{bufferize.aliasing_result = 0 : i64}]}> ({
func.func private @declared(%m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}) -> (memref<8xf32>, memref<8xf32>)

// CHECK-LABEL: func.func @recursive(%c: i1, %m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<8xf32> {
// CHECK-NEXT:      %false = arith.constant false
// CHECK-NEXT:      %r = scf.if %c -> (memref<8xf32>) {
// CHECK-NEXT:        %s = func.call @recursive(%false, %m) : (i1, memref<8xf32>) -> memref<8xf32>
// CHECK-NEXT:        scf.yield %m : memref<8xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %m : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %m : memref<8xf32>
// CHECK-NEXT:    }
func.func @recursive(%c: i1, %m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<8xf32> {
  %false = arith.constant false
  %r = scf.if %c -> (memref<8xf32>) {
    %s = func.call @recursive(%false, %m) : (i1, memref<8xf32>) -> memref<8xf32>
    scf.yield %s : memref<8xf32>
  } else {
    scf.yield %m : memref<8xf32>
  }
  func.return %r : memref<8xf32>
}

// A result of another layout.
// CHECK-LABEL: func.func @cast(%m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<?xf32> {
// CHECK-NEXT:      %r = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
// CHECK-NEXT:      %0 = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
// CHECK-NEXT:      func.return %0 : memref<?xf32>
// CHECK-NEXT:    }
func.func @cast(%m: memref<8xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<?xf32> {
  %r = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
  func.return %r : memref<?xf32>
}

// CHECK-LABEL: func.func @calls_cast(%m: memref<8xf32>, %f: f32, %i: index) {
// CHECK-NEXT:      %r = "memref.cast"(%m) : (memref<8xf32>) -> memref<?xf32>
// CHECK-NEXT:      %r_1 = func.call @cast(%m) : (memref<8xf32>) -> memref<?xf32>
// CHECK-NEXT:      memref.store %f, %r[%i] : memref<?xf32>
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func @calls_cast(%m: memref<8xf32>, %f: f32, %i: index) {
  %r = func.call @cast(%m) : (memref<8xf32>) -> memref<?xf32>
  memref.store %f, %r[%i] : memref<?xf32>
  func.return
}
