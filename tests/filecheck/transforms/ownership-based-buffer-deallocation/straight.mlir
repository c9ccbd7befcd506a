// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation | filecheck %s

// Memory is freed behind its last use, through whatever view.

// CHECK-LABEL: func.func @last_use(%o: memref<4xf32>, %i: index, %f: f32) -> f32 {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %v = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
// CHECK-NEXT:      %c = "memref.cast"(%v) : (memref<2xf32, strided<[1]>>) -> memref<?xf32, strided<[1]>>
// CHECK-NEXT:      memref.store %f, %m[%i] : memref<4xf32>
// CHECK-NEXT:      %r = memref.load %c[%i] : memref<?xf32, strided<[1]>>
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      memref.store %r, %o[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %r : f32
func.func @last_use(%o: memref<4xf32>, %i: index, %f: f32) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %v = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  %c = "memref.cast"(%v) : (memref<2xf32, strided<[1]>>) -> memref<?xf32, strided<[1]>>
  memref.store %f, %m[%i] : memref<4xf32>
  %r = memref.load %c[%i] : memref<?xf32, strided<[1]>>
  memref.store %r, %o[%i] : memref<4xf32>
  func.return %r : f32
}

// CHECK-LABEL: func.func @not_used() {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @not_used() {
  %m = memref.alloc() : memref<4xf32>
  func.return
}

// What is returned is its caller's.
// CHECK-LABEL: func.func @returned() -> memref<4xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.return %m : memref<4xf32>
func.func @returned() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  func.return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @view_returned() -> memref<2xf32, strided<[1]>> {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %v = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
// CHECK-NEXT:      func.return %v : memref<2xf32, strided<[1]>>
func.func @view_returned() -> memref<2xf32, strided<[1]>> {
  %m = memref.alloc() : memref<4xf32>
  %v = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  func.return %v : memref<2xf32, strided<[1]>>
}

// CHECK-LABEL: func.func @returned_twice() -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.return %m, %m : memref<4xf32>, memref<4xf32>
func.func @returned_twice() -> (memref<4xf32>, memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  func.return %m, %m : memref<4xf32>, memref<4xf32>
}

// An argument is not.
// CHECK-LABEL: func.func @argument_returned(%m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:      func.return %0 : memref<4xf32>
func.func @argument_returned(%m: memref<4xf32>) -> memref<4xf32> {
  func.return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @on_the_stack() -> memref<4xf32> {
// CHECK-NEXT:      %m = memref.alloca() : memref<4xf32>
// CHECK-NEXT:      %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:      func.return %0 : memref<4xf32>
func.func @on_the_stack() -> memref<4xf32> {
  %m = memref.alloca() : memref<4xf32>
  func.return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @one_of_two(%c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = arith.select %c, %m, %n : memref<4xf32>
// CHECK-NEXT:      %1 = bufferization.dealloc (%m : memref<4xf32>) if (%0) retain (%s : memref<4xf32>)
// CHECK-NEXT:      %2 = bufferization.dealloc (%n : memref<4xf32>) if (%0) retain (%s : memref<4xf32>)
// CHECK-NEXT:      func.return %s : memref<4xf32>
func.func @one_of_two(%c: i1) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %m, %n : memref<4xf32>
  func.return %s : memref<4xf32>
}

// CHECK-LABEL: func.func @perhaps_an_argument(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = arith.select %c, %m, %a : memref<4xf32>
// CHECK-NEXT:      %1 = bufferization.dealloc (%m : memref<4xf32>) if (%0) retain (%s : memref<4xf32>)
// CHECK-NEXT:      %2 = scf.if %1 -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %s : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %3 = bufferization.clone %s : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:        scf.yield %3 : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %2 : memref<4xf32>
func.func @perhaps_an_argument(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %m, %a : memref<4xf32>
  func.return %s : memref<4xf32>
}

// What is stored somewhere else is not owned by what is loaded.
// CHECK-LABEL: func.func @loaded(%a: memref<4xmemref<4xf32>>, %i: index) -> memref<4xf32> {
// CHECK-NEXT:      %m = memref.load %a[%i] : memref<4xmemref<4xf32>>
// CHECK-NEXT:      %0 = bufferization.clone %m : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:      func.return %0 : memref<4xf32>
func.func @loaded(%a: memref<4xmemref<4xf32>>, %i: index) -> memref<4xf32> {
  %m = memref.load %a[%i] : memref<4xmemref<4xf32>>
  func.return %m : memref<4xf32>
}
