// RUN: xdsl-opt %s -p optimize-allocation-liveness | filecheck %s

// CHECK-LABEL: func.func @view_is_used(%f: f32, %i: index, %o: memref<4xf32>) {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %v = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
// CHECK-NEXT:      memref.store %f, %v[%i] : memref<?xf32>
// CHECK-NEXT:      memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:      memref.store %f, %o[%i] : memref<4xf32>
// CHECK-NEXT:      func.return
func.func @view_is_used(%f: f32, %i: index, %o: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  %v = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
  memref.store %f, %v[%i] : memref<?xf32>
  memref.store %f, %o[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  func.return
}

// CHECK-LABEL: func.func @used_in_region(%f: f32, %i: index, %c: i1, %o: memref<4xf32>) {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        memref.store %f, %m[%i] : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:      memref.store %f, %o[%i] : memref<4xf32>
// CHECK-NEXT:      func.return
func.func @used_in_region(%f: f32, %i: index, %c: i1, %o: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.store %f, %m[%i] : memref<4xf32>
  }
  memref.store %f, %o[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  func.return
}

// CHECK-LABEL: func.func @handed_over(%f: f32, %i: index, %c: i1, %o: memref<4xf32>) {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %m : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %o : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.store %f, %r[%i] : memref<4xf32>
// CHECK-NEXT:      memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:      func.return
func.func @handed_over(%f: f32, %i: index, %c: i1, %o: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    scf.yield %m : memref<4xf32>
  } else {
    scf.yield %o : memref<4xf32>
  }
  memref.store %f, %r[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  func.return
}

// The last use is in another block.
// CHECK-LABEL: func.func @other_block(%f: f32, %i: index, %o: memref<4xf32>) {
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      memref.store %f, %m[%i] : memref<4xf32>
// CHECK-NEXT:      cf.br ^end
// CHECK-NEXT:    ^end:
// CHECK-NEXT:      memref.store %f, %o[%i] : memref<4xf32>
// CHECK-NEXT:      memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:      func.return
func.func @other_block(%f: f32, %i: index, %o: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  memref.store %f, %m[%i] : memref<4xf32>
  cf.br ^end
^end:
  memref.store %f, %o[%i] : memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  func.return
}

// Results of calls may be the same memory: the one is freed behind the last use of the other.
// CHECK-LABEL: func.func @results_may_alias(
// CHECK:         "memref.copy"(%{{.*}}, %1)
// CHECK-NEXT:    memref.dealloc %0
// CHECK-NEXT:    func.return %x
func.func private @h(memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
func.func @results_may_alias(%m: memref<4xf32>, %i: index) -> f32 {
  %0:2 = func.call @h(%m) : (memref<4xf32>) -> (memref<4xf32>, memref<4xf32>)
  %a = memref.alloc() : memref<4xf32>
  %x = memref.load %0#0[%i] : memref<4xf32>
  "memref.copy"(%a, %0#1) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %0#0 : memref<4xf32>
  func.return %x : f32
}

// What was stored may be loaded again.
// CHECK-LABEL: func.func @loaded(
// CHECK:         %b = memref.load %c[%i]
// CHECK-NEXT:    %x = memref.load %b[%i]
// CHECK-NEXT:    memref.dealloc %a
func.func @loaded(%c: memref<4xmemref<4xf32>>, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  memref.store %a, %c[%i] : memref<4xmemref<4xf32>>
  %b = memref.load %c[%i] : memref<4xmemref<4xf32>>
  %x = memref.load %b[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  func.return %x : f32
}

// A call may return what it was given.
// CHECK-LABEL: func.func @may_be_returned(
// CHECK:         memref.store %f, %r[%i]
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    memref.store %f, %o[%i]
func.func private @g(memref<4xf32>) -> memref<4xf32>
func.func @may_be_returned(%f: f32, %i: index, %o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %r = func.call @g(%a) : (memref<4xf32>) -> memref<4xf32>
  memref.store %f, %r[%i] : memref<4xf32>
  memref.store %f, %o[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  func.return
}

func.func private @use_address(%p: index)

// CHECK-LABEL: func.func @address_is_used
// CHECK:           func.call @use_address
// CHECK-NEXT:      memref.dealloc %m
func.func @address_is_used(%i: index) {
  %m = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  func.call @use_address(%p) : (index) -> ()
  memref.dealloc %m : memref<4xf32>
  func.return
}
