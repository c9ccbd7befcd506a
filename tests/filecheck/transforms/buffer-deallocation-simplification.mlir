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
