// RUN: xdsl-opt %s -p canonicalize --split-input-file | filecheck %s
// REQUIRES: xdsl-0.64

// Allocations that are only stored to go, on the heap and on the stack, with the ops that free
// them, wherever these are.
// CHECK-LABEL: func.func @only_stored_to(
// CHECK-NEXT:    cf.cond_br
// CHECK-NEXT:  ^{{.*}}:
// CHECK-NEXT:    func.return
// CHECK-NEXT:  ^{{.*}}:
// CHECK-NEXT:    func.return
func.func @only_stored_to(%f: f32, %i: index, %c: i1) {
  %unused = memref.alloc() : memref<4xf32>
  %stack = memref.alloca(%i) : memref<?xf32>
  memref.store %f, %stack[%i] : memref<?xf32>
  %heap = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  memref.store %f, %heap[%i] : memref<4xf32>
  cf.cond_br %c, ^left, ^right
^left:
  memref.store %f, %heap[%i] {nontemporal = true} : memref<4xf32>
  memref.dealloc %heap : memref<4xf32>
  func.return
^right:
  memref.dealloc %heap : memref<4xf32>
  func.return
}

// -----

// Under other types, too, and when the memory is reallocated.
// CHECK-LABEL: func.func @under_other_types(
// CHECK-NEXT:    func.return
func.func @under_other_types(%f: f32, %i: index) {
  %a = memref.alloc() : memref<4xf32>
  %dynamic = memref.cast %a : memref<4xf32> to memref<?xf32>
  memref.store %f, %dynamic[%i] : memref<?xf32>
  %unranked = memref.cast %dynamic : memref<?xf32> to memref<*xf32>
  memref.dealloc %unranked : memref<*xf32>
  %b = memref.alloc() : memref<4xf32>
  %larger = memref.realloc %b : memref<4xf32> to memref<8xf32>
  memref.store %f, %larger[%i] : memref<8xf32>
  memref.dealloc %larger : memref<8xf32>
  func.return
}

// -----

// An allocation that is stored itself stays; if what it is stored in goes, it is unused.
// CHECK-LABEL: func.func @stored_itself(
// CHECK-NEXT:    %kept = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    memref.store %kept, %m[%i] : memref<4xmemref<4xf32>>
// CHECK-NEXT:    func.return
func.func @stored_itself(%i: index, %m: memref<4xmemref<4xf32>>) {
  %kept = memref.alloc() : memref<4xf32>
  memref.store %kept, %m[%i] : memref<4xmemref<4xf32>>
  %erased = memref.alloc() : memref<4xf32>
  %table = memref.alloc() : memref<4xmemref<4xf32>>
  memref.store %erased, %table[%i] : memref<4xmemref<4xf32>>
  func.return
}

// -----

// As in mlir-opt, copies into an allocation keep it, and so do stores into a part.
// CHECK-LABEL: func.func @kept(
// CHECK:         "memref.copy"(%m, %copy)
// CHECK:         memref.store %f, %part[%i]
// CHECK:         memref.load
func.func @kept(%f: f32, %i: index, %m: memref<4xf32>) -> f32 {
  %copy = memref.alloc() : memref<4xf32>
  memref.copy %m, %copy : memref<4xf32> to memref<4xf32>
  memref.dealloc %copy : memref<4xf32>
  %whole = memref.alloc() : memref<4xf32>
  %part = memref.subview %whole[0] [2] [1] : memref<4xf32> to memref<2xf32>
  memref.store %f, %part[%i] : memref<2xf32>
  memref.dealloc %whole : memref<4xf32>
  %read = memref.alloca() : memref<4xf32>
  memref.store %f, %read[%i] : memref<4xf32>
  %g = memref.load %read[%i] : memref<4xf32>
  func.return %g : f32
}

// -----

// The memory of the argument is freed by its reallocation. mlir-opt erases both ops.
// CHECK-LABEL: func.func @reallocated_argument(
// CHECK-NEXT:    %b = "memref.realloc"(%a)
// CHECK-NEXT:    memref.dealloc %b
func.func @reallocated_argument(%a: memref<4xf32>) {
  %b = memref.realloc %a : memref<4xf32> to memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  func.return
}

// -----

// Copies of memory to itself, and of no elements, go.
// CHECK-LABEL: func.func @copies_of_nothing(
// CHECK-NEXT:    func.return
func.func @copies_of_nothing(
  %m: memref<4xf32>, %u: memref<*xf32>, %n: memref<?x0xf32>, %o: memref<4x?xf32>
) {
  memref.copy %m, %m : memref<4xf32> to memref<4xf32>
  memref.copy %u, %u : memref<*xf32> to memref<*xf32>
  %dynamic = memref.cast %m : memref<4xf32> to memref<?xf32>
  memref.copy %dynamic, %m : memref<?xf32> to memref<4xf32>
  %strided = memref.cast %dynamic : memref<?xf32> to memref<4xf32, strided<[?], offset: ?>>
  memref.copy %strided, %dynamic : memref<4xf32, strided<[?], offset: ?>> to memref<?xf32>
  memref.copy %o, %n : memref<4x?xf32> to memref<?x0xf32>
  %sized = memref.cast %n : memref<?x0xf32> to memref<?x?xf32>
  memref.copy %sized, %o : memref<?x?xf32> to memref<4x?xf32>
  func.return
}

// -----

// CHECK-LABEL: func.func @other_copies(
// CHECK-NEXT:    "memref.copy"(%m, %n) : (memref<f32>, memref<f32>) -> ()
// CHECK-NEXT:    "memref.copy"(%d, %e) : (memref<?xf32>, memref<?xf32>) -> ()
func.func @other_copies(
  %m: memref<f32>, %n: memref<f32>, %d: memref<?xf32>, %e: memref<?xf32>
) {
  memref.copy %m, %n : memref<f32> to memref<f32>
  memref.copy %d, %e : memref<?xf32> to memref<?xf32>
  func.return
}
