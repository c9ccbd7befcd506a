// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation | filecheck %s

// Blocks, with loops and critical edges among them.

// CHECK-LABEL: func.func @diamond(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %1 = arith.constant false
// CHECK-NEXT:      cf.cond_br %c, ^end(%a, %1 : memref<4xf32>, i1), ^fresh
// CHECK-NEXT:    ^fresh:
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      cf.br ^end(%m, %0 : memref<4xf32>, i1)
// CHECK-NEXT:    ^end(%r: memref<4xf32>, %2: i1):
// CHECK-NEXT:      %3 = scf.if %2 -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %r : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %4 = bufferization.clone %r : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:        scf.yield %4 : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %3 : memref<4xf32>
func.func @diamond(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  cf.cond_br %c, ^end(%a : memref<4xf32>), ^fresh
^fresh:
  %m = memref.alloc() : memref<4xf32>
  cf.br ^end(%m : memref<4xf32>)
^end(%r: memref<4xf32>):
  func.return %r : memref<4xf32>
}

// Each run of the loop frees what it was given.
// CHECK-LABEL: func.func @loop(%c: i1, %f: f32, %i: index) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      cf.br ^body(%m : memref<4xf32>)
// CHECK-NEXT:    ^body(%b: memref<4xf32>):
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%b : memref<4xf32>) if (%0)
// CHECK-NEXT:      cf.cond_br %c, ^body(%n : memref<4xf32>), ^end
// CHECK-NEXT:    ^end:
// CHECK-NEXT:      bufferization.dealloc (%n : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @loop(%c: i1, %f: f32, %i: index) {
  %m = memref.alloc() : memref<4xf32>
  cf.br ^body(%m : memref<4xf32>)
^body(%b: memref<4xf32>):
  %n = memref.alloc() : memref<4xf32>
  memref.store %f, %b[%i] : memref<4xf32>
  cf.cond_br %c, ^body(%n : memref<4xf32>), ^end
^end:
  func.return
}

// What only one of the successors uses is freed on the way to the other.
// CHECK-LABEL: func.func @used_on_one_side(%c: i1, %f: f32, %i: index) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      cf.cond_br %c, ^use, ^bb1
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      cf.br ^end
// CHECK-NEXT:    ^use:
// CHECK-NEXT:      memref.store %f, %m[%i] : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      cf.br ^end
// CHECK-NEXT:    ^end:
// CHECK-NEXT:      func.return
func.func @used_on_one_side(%c: i1, %f: f32, %i: index) {
  %m = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^use, ^end
^use:
  memref.store %f, %m[%i] : memref<4xf32>
  cf.br ^end
^end:
  func.return
}

// CHECK-LABEL: func.func @both_to_one_block(%c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb2, ^bb1
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      cf.br ^end(%n : memref<4xf32>)
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      bufferization.dealloc (%n : memref<4xf32>) if (%0)
// CHECK-NEXT:      cf.br ^end(%m : memref<4xf32>)
// CHECK-NEXT:    ^end(%r: memref<4xf32>):
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @both_to_one_block(%c: i1) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^end(%m : memref<4xf32>), ^end(%n : memref<4xf32>)
^end(%r: memref<4xf32>):
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func @self_loop(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %1 = arith.constant false
// CHECK-NEXT:      cf.br ^body(%a, %1 : memref<4xf32>, i1)
// CHECK-NEXT:    ^body(%b: memref<4xf32>, %2: i1):
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = arith.select %c, %b, %n : memref<4xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb2, ^end
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %3 = bufferization.dealloc (%n : memref<4xf32>) if (%0) retain (%s : memref<4xf32>)
// CHECK-NEXT:      %4 = bufferization.dealloc (%b : memref<4xf32>) if (%2) retain (%s : memref<4xf32>)
// CHECK-NEXT:      %5 = arith.ori %3, %4 : i1
// CHECK-NEXT:      cf.br ^body(%s, %5 : memref<4xf32>, i1)
// CHECK-NEXT:    ^end:
// CHECK-NEXT:      %6 = bufferization.dealloc (%b : memref<4xf32>) if (%2) retain (%s : memref<4xf32>)
// CHECK-NEXT:      %7 = bufferization.dealloc (%n : memref<4xf32>) if (%0) retain (%s : memref<4xf32>)
// CHECK-NEXT:      %8 = arith.ori %6, %7 : i1
// CHECK-NEXT:      %9 = scf.if %8 -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %s : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %10 = bufferization.clone %s : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:        scf.yield %10 : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %9 : memref<4xf32>
func.func @self_loop(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  cf.br ^body(%a : memref<4xf32>)
^body(%b: memref<4xf32>):
  %n = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %b, %n : memref<4xf32>
  cf.cond_br %c, ^body(%s : memref<4xf32>), ^end
^end:
  func.return %s : memref<4xf32>
}
