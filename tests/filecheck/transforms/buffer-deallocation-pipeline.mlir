// RUN: xdsl-opt %s --allow-unregistered-dialect -p buffer-deallocation-pipeline | filecheck %s

// No i1, no comparison: all is known.
// CHECK-LABEL: func.func @loop(%n: index, %i: index, %j: index, %f: f32) -> memref<4xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r = scf.for %k = %i to %n step %j iter_args(%b = %m) -> (memref<4xf32>) {
// CHECK-NEXT:        %v = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        memref.store %f, %b[%k] : memref<4xf32>
// CHECK-NEXT:        memref.dealloc %b : memref<4xf32>
// CHECK-NEXT:        memref.store %f, %v[%k] : memref<4xf32>
// CHECK-NEXT:        scf.yield %v : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @loop(%n: index, %i: index, %j: index, %f: f32) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %k = %i to %n step %j iter_args(%b = %m) -> (memref<4xf32>) {
    %v = memref.alloc() : memref<4xf32>
    memref.store %f, %b[%k] : memref<4xf32>
    memref.store %f, %v[%k] : memref<4xf32>
    scf.yield %v : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func @one_of_two(%c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = arith.select %c, %m, %n : memref<4xf32>
// CHECK-NEXT:      %0 = "memref.extract_aligned_pointer_as_index"(%m) : (memref<4xf32>) -> index
// CHECK-NEXT:      %1 = "memref.extract_aligned_pointer_as_index"(%s) : (memref<4xf32>) -> index
// CHECK-NEXT:      %2 = arith.cmpi ne, %0, %1 : index
// CHECK-NEXT:      scf.if %2 {
// CHECK-NEXT:        memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %3 = "memref.extract_aligned_pointer_as_index"(%n) : (memref<4xf32>) -> index
// CHECK-NEXT:      %4 = arith.cmpi ne, %3, %1 : index
// CHECK-NEXT:      scf.if %4 {
// CHECK-NEXT:        memref.dealloc %n : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %s : memref<4xf32>
func.func @one_of_two(%c: i1) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %m, %n : memref<4xf32>
  func.return %s : memref<4xf32>
}

// CHECK-LABEL: func.func @reallocated(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:      %b = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %0 = memref.subview %b[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:      "memref.copy"(%a, %0) : (memref<4xf32>, memref<4xf32, strided<[1]>>) -> ()
// CHECK-NEXT:      memref.dealloc %a : memref<4xf32>
// CHECK-NEXT:      %g = memref.load %b[%i] : memref<8xf32>
// CHECK-NEXT:      memref.dealloc %b : memref<8xf32>
// CHECK-NEXT:      func.return %g : f32
func.func @reallocated(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %b = memref.realloc %a : memref<4xf32> to memref<8xf32>
  %g = memref.load %b[%i] : memref<8xf32>
  func.return %g : f32
}

// An op that no dialect defines stays in its loop.

// CHECK-LABEL: func.func @unregistered_in_loop
// CHECK: scf.for
// CHECK-NEXT: "linalg.later_map"(%a, %a)
func.func @unregistered_in_loop(%m: memref<4xf32>, %l: index, %n: index, %s: index) {
  %r = scf.for %i = %l to %n step %s iter_args(%a = %m) -> (memref<4xf32>) {
    "linalg.later_map"(%a, %a) ({
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.yield %a : memref<4xf32>
  }
  func.return
}

// A region that yields nothing is not inlined.
// CHECK-LABEL: func.func @no_yield
// CHECK: scf.execute_region
// CHECK-NEXT: llvm.unreachable
func.func @no_yield(%f: f32) -> f32 {
  %r = scf.execute_region -> (f32) {
    "llvm.unreachable"() : () -> ()
  }
  func.return %r : f32
}

// The program frees the result of memref.realloc, so what that frees is the program's, too.
// CHECK-LABEL: func.func @freed_behind_realloc
// CHECK:             "memref.copy"(%m,
// CHECK-NEXT:        memref.dealloc %m : memref<?xf32>
// CHECK:           memref.dealloc %{{[a-z0-9]+}} : memref<?xf32>
// CHECK-NOT:       memref.dealloc
func.func @freed_behind_realloc(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%c1) : memref<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  %l = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
  %v = memref.load %l[%c0] : memref<?xf32>
  memref.dealloc %l : memref<?xf32>
  func.return %v : f32
}

// CHECK-LABEL: func.func @freed_behind_loop
// CHECK:           scf.for
// CHECK:               memref.dealloc %l : memref<?xf32>
// CHECK:           memref.load %r
// CHECK-NEXT:      memref.dealloc %r : memref<?xf32>
func.func @freed_behind_loop(%n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc(%c1) : memref<?xf32>
  memref.store %x, %m[%c0] : memref<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%l = %m) -> (memref<?xf32>) {
    %size = arith.addi %i, %c1 : index
    %larger = memref.realloc %l(%size) : memref<?xf32> to memref<?xf32>
    memref.store %x, %larger[%i] : memref<?xf32>
    scf.yield %larger : memref<?xf32>
  }
  %v = memref.load %r[%c0] : memref<?xf32>
  memref.dealloc %r : memref<?xf32>
  func.return %v : f32
}
