// RUN: xdsl-opt %s -p buffer-deallocation | filecheck %s

// A function returns memory that it owns, and its caller frees that.

func.func private @make() -> memref<4xf32>

// It owns what a call returns, and not its arguments.
// CHECK-LABEL: func.func @calls(%m: memref<4xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %0 = func.call @make() : () -> memref<4xf32>
// CHECK-NEXT:    %1 = func.call @make() : () -> memref<4xf32>
// CHECK-NEXT:    memref.dealloc %1 : memref<4xf32>
// CHECK-NEXT:    %x = memref.load %0[%i] : memref<4xf32>
// CHECK-NEXT:    memref.dealloc %0 : memref<4xf32>
// CHECK-NEXT:    %y = memref.load %m[%i] : memref<4xf32>
// CHECK-NEXT:    %z = arith.addf %x, %y : f32
// CHECK-NEXT:    func.return %z : f32
func.func @calls(%m: memref<4xf32>, %i: index) -> f32 {
  %0 = func.call @make() : () -> memref<4xf32>
  %1 = func.call @make() : () -> memref<4xf32>
  %x = memref.load %0[%i] : memref<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  func.return %z : f32
}

// CHECK-LABEL: func.func @returns_argument(%m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %0 : memref<4xf32>
func.func @returns_argument(%m: memref<4xf32>) -> memref<4xf32> {
  func.return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @returns_twice(%f: f32) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
// CHECK-NEXT:    %1 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%0, %1) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %0, %1 : memref<4xf32>, memref<4xf32>
func.func @returns_twice(%f: f32) -> (memref<4xf32>, memref<4xf32>) {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  func.return %0, %0 : memref<4xf32>, memref<4xf32>
}

// Callers free all of the memory, through its base.
// CHECK-LABEL: func.func @returns_part(%f: f32, %i: index) -> memref<2xf32, strided<[1], offset: ?>> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
// CHECK-NEXT:    %1 = memref.subview %0[%i] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    func.return %1 : memref<2xf32, strided<[1], offset: ?>>
func.func @returns_part(%f: f32, %i: index) -> memref<2xf32, strided<[1], offset: ?>> {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  %1 = memref.subview %0[%i] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  func.return %1 : memref<2xf32, strided<[1], offset: ?>>
}

// It is the whole, by another name.
// CHECK-LABEL: func.func @returns_cast(%f: f32) -> memref<?xf32> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
// CHECK-NEXT:    %1 = "memref.cast"(%0) : (memref<4xf32>) -> memref<?xf32>
// CHECK-NEXT:    func.return %1 : memref<?xf32>
func.func @returns_cast(%f: f32) -> memref<?xf32> {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  %1 = "memref.cast"(%0) : (memref<4xf32>) -> memref<?xf32>
  func.return %1 : memref<?xf32>
}

// CHECK-LABEL: func.func @returns_one_of_two(%c: i1, %f: f32) -> memref<4xf32> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
// CHECK-NEXT:    %1 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%1 : memref<4xf32>)
// CHECK-NEXT:    %2 = arith.select %c, %0, %1 : memref<4xf32>
// CHECK-NEXT:    %3 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%2, %3) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.dealloc %1 : memref<4xf32>
// CHECK-NEXT:    memref.dealloc %0 : memref<4xf32>
// CHECK-NEXT:    func.return %3 : memref<4xf32>
func.func @returns_one_of_two(%c: i1, %f: f32) -> memref<4xf32> {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  %1 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%1 : memref<4xf32>)
  %2 = arith.select %c, %0, %1 : memref<4xf32>
  func.return %2 : memref<4xf32>
}

// What the program frees is left to it.
// CHECK-LABEL: func.func @frees_itself(%c: i1, %f: f32) -> memref<4xf32> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
// CHECK-NEXT:    %1 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%1 : memref<4xf32>)
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    memref.dealloc %0 : memref<4xf32>
// CHECK-NEXT:    func.return %1 : memref<4xf32>
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    memref.dealloc %1 : memref<4xf32>
// CHECK-NEXT:    func.return %0 : memref<4xf32>
func.func @frees_itself(%c: i1, %f: f32) -> memref<4xf32> {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  %1 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%1 : memref<4xf32>)
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %0 : memref<4xf32>
  func.return %1 : memref<4xf32>
^bb2:
  memref.dealloc %1 : memref<4xf32>
  func.return %0 : memref<4xf32>
}

// The loop gets a copy, and the program frees what is copied after the loop.
// CHECK-LABEL: func.func @frees_part_itself(%n: index, %f: f32, %i: index, %one: index) -> f32 {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
// CHECK-NEXT:    %1 = memref.subview %0[%i] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    %2 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    %3 = "memref.cast"(%2) : (memref<2xf32>) -> memref<2xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%1, %2) : (memref<2xf32, strided<[1], offset: ?>>, memref<2xf32>) -> ()
// CHECK-NEXT:    %r = scf.for %k = %i to %n step %one iter_args(%b = %3) -> (memref<2xf32, strided<[1], offset: ?>>) {
// CHECK-NEXT:      %4, %5, %6, %7 = memref.extract_strided_metadata %b : memref<2xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
// CHECK-NEXT:      memref.dealloc %4 : memref<f32>
// CHECK-NEXT:      %8 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%8 : memref<2xf32>)
// CHECK-NEXT:      %9 = "memref.cast"(%8) : (memref<2xf32>) -> memref<2xf32, strided<[1], offset: ?>>
// CHECK-NEXT:      scf.yield %9 : memref<2xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    }
// CHECK-NEXT:    memref.dealloc %0 : memref<4xf32>
// CHECK-NEXT:    %x = memref.load %r[%i] : memref<2xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    %10, %11, %12, %13 = memref.extract_strided_metadata %r : memref<2xf32, strided<[1], offset: ?>> -> memref<f32>, index, index, index
// CHECK-NEXT:    memref.dealloc %10 : memref<f32>
// CHECK-NEXT:    func.return %x : f32
func.func @frees_part_itself(%n: index, %f: f32, %i: index, %one: index) -> f32 {
  %0 = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<4xf32>)
  %1 = memref.subview %0[%i] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: ?>>
  %r = scf.for %k = %i to %n step %one iter_args(%b = %1) -> (memref<2xf32, strided<[1], offset: ?>>) {
    %2 = memref.alloc() : memref<2xf32>
    linalg.fill ins(%f : f32) outs(%2 : memref<2xf32>)
    %3 = "memref.cast"(%2) : (memref<2xf32>) -> memref<2xf32, strided<[1], offset: ?>>
    scf.yield %3 : memref<2xf32, strided<[1], offset: ?>>
  }
  memref.dealloc %0 : memref<4xf32>
  %x = memref.load %r[%i] : memref<2xf32, strided<[1], offset: ?>>
  func.return %x : f32
}

// CHECK-LABEL: func.func @frees_by_hand() {
// CHECK-NEXT:    %0 = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
// CHECK-NEXT:    func.return
func.func @frees_by_hand() {
  %0 = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  func.return
}

// A pointer may be used as long as the block runs.
// CHECK-LABEL: func.func @pointer(%f: f32) -> index {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %p = "memref.extract_aligned_pointer_as_index"(%0) : (memref<4xf32>) -> index
// CHECK-NEXT:    %q = arith.addi %p, %p : index
// CHECK-NEXT:    memref.dealloc %0 : memref<4xf32>
// CHECK-NEXT:    func.return %q : index
func.func @pointer(%f: f32) -> index {
  %0 = memref.alloc() : memref<4xf32>
  %p = "memref.extract_aligned_pointer_as_index"(%0) : (memref<4xf32>) -> index
  %q = arith.addi %p, %p : index
  func.return %q : index
}

// Memory that may be loaded from memory is left to the program.
// CHECK-LABEL: func.func @stored(
// CHECK-NOT:     memref.dealloc
func.func @stored(%t: memref<1xmemref<4xf32>>, %i: index) {
  %0 = memref.alloc() : memref<4xf32>
  memref.store %0, %t[%i] : memref<1xmemref<4xf32>>
  func.return
}
