// RUN: xdsl-opt %s -p plan-static-memory | filecheck %s --check-prefixes=CHECK,PLAN
// RUN: xdsl-opt %s -p buffer-loop-hoisting | filecheck %s --check-prefixes=CHECK,LOOP
// RUN: xdsl-opt %s -p promote-buffers-to-stack | filecheck %s --check-prefixes=CHECK,STACK

// A clone may become its source, so nothing else takes the place of the source.
// CHECK-LABEL: func.func @straight_line(
// CHECK:         %a = memref.alloc() : memref<4xf32>
// CHECK:         %b = bufferization.clone %a
func.func @straight_line(%i: index, %x: f32, %y: f32) -> (f32, f32) {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %c = memref.alloc() : memref<4xf32>
  linalg.fill ins(%y : f32) outs(%c : memref<4xf32>)
  %r = memref.load %b[%i] : memref<4xf32>
  %s = memref.load %c[%i] : memref<4xf32>
  func.return %r, %s : f32, f32
}

// The next iteration needs other memory: it reads the clone.
// CHECK-LABEL: func.func @loop(
// CHECK:         scf.for
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK:           %b = bufferization.clone %a
func.func @loop(%n: index, %x: f32) -> f32 {
  %z = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<4xf32>)
  %r = scf.for %i = %z to %n step %one iter_args(%m = %init) -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    linalg.add ins(%m, %m : memref<4xf32>, memref<4xf32>) outs(%a : memref<4xf32>)
    %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
    scf.yield %b : memref<4xf32>
  }
  %s = memref.load %r[%one] : memref<4xf32>
  func.return %s : f32
}

// A view of the memory is cloned.
// CHECK-LABEL: func.func @view(
// CHECK:         %a = memref.alloc() : memref<4xf32>
func.func @view(%x: f32) -> memref<?xf32> {
  %a = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<4xf32>)
  %v = "memref.cast"(%a) : (memref<4xf32>) -> memref<?xf32>
  %b = bufferization.clone %v : memref<?xf32> to memref<?xf32>
  func.return %b : memref<?xf32>
}

// A function that returns its argument returns a clone of it after deallocation. The caller may
// write that, while memory on the stack, in an arena or outside of a loop would still be there.
func.func private @identity(%m: memref<4xf32>) -> memref<4xf32> {
  func.return %m : memref<4xf32>
}
func.func private @copy(%m: memref<4xf32>) -> memref<4xf32> {
  %n = memref.alloc() : memref<4xf32>
  memref.copy %m, %n : memref<4xf32> to memref<4xf32>
  func.return %n : memref<4xf32>
}
func.func private @copies(%m: memref<4xf32>) -> memref<4xf32> {
  %n = func.call @copy(%m) : (memref<4xf32>) -> memref<4xf32>
  func.return %n : memref<4xf32>
}
// CHECK-LABEL: func.func @returned_by_callee(
// CHECK:         %m = memref.alloc() : memref<4xf32>
// CHECK:         scf.for
// CHECK-NEXT:      %k = memref.alloc() : memref<4xf32>
func.func @returned_by_callee(%i: index, %n: index, %x: f32) {
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
  %r = func.call @identity(%m) : (memref<4xf32>) -> memref<4xf32>
  memref.store %x, %r[%i] : memref<4xf32>
  scf.for %j = %i to %n step %n {
    %k = memref.alloc() : memref<4xf32>
    linalg.fill ins(%x : f32) outs(%k : memref<4xf32>)
    %s = func.call @identity(%k) : (memref<4xf32>) -> memref<4xf32>
    memref.store %x, %s[%i] : memref<4xf32>
  }
  func.return
}

// Not so with a function that returns new memory, or another one's.
// CHECK-LABEL: func.func @copied_by_callee(
// PLAN:          %k = memref.view
// LOOP:          %k = memref.alloc
// LOOP:          scf.for
// STACK:         %k = memref.alloca
// STACK:         scf.for
func.func @copied_by_callee(%i: index, %n: index, %x: f32) {
  scf.for %j = %i to %n step %n {
    %k = memref.alloc() : memref<4xf32>
    linalg.fill ins(%x : f32) outs(%k : memref<4xf32>)
    %s = func.call @copies(%k) : (memref<4xf32>) -> memref<4xf32>
    memref.store %x, %s[%i] : memref<4xf32>
  }
  func.return
}
