// RUN: xdsl-opt %s -p promote-buffers-to-stack | filecheck %s
// RUN: xdsl-opt %s -p 'promote-buffers-to-stack{max-alloc-size-in-bytes=64}' | filecheck %s --check-prefix=SMALL
// RUN: xdsl-opt %s -p 'promote-buffers-to-stack{max-rank-of-allocated-memref=2}' | filecheck %s --check-prefix=RANK

// A kilobyte at most, unless an option says otherwise.
// CHECK-LABEL: func.func @sizes() {
// CHECK-NEXT:      %0 = memref.alloca() {alignment = 64 : i64} : memref<256xf32>
// CHECK-NEXT:      %1 = memref.alloc() : memref<257xf32>
// CHECK-NEXT:      %2 = memref.alloca() : memref<16xf32, 1 : i32>
// CHECK-NEXT:      %3 = memref.alloca() : memref<8192xi1>
// CHECK-NEXT:      %4 = memref.alloc() : memref<129xindex>
// CHECK-NEXT:      %5 = memref.alloca() : memref<64xvector<3xf32>>
// CHECK-NEXT:      %6 = memref.alloc() : memref<65xvector<3xf32>>
// CHECK-NEXT:      %7 = memref.alloc() : memref<129xcomplex<f32>>
// CHECK-NEXT:      "test.op"(%0, %1, %2, %3, %4, %5, %6, %7) : (memref<256xf32>, memref<257xf32>, memref<16xf32, 1 : i32>, memref<8192xi1>, memref<129xindex>, memref<64xvector<3xf32>>, memref<65xvector<3xf32>>, memref<129xcomplex<f32>>) -> ()
// CHECK-NEXT:      func.return
// SMALL-LABEL: func.func @sizes
// SMALL-NEXT:      %0 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
// SMALL-NEXT:      %1 = memref.alloc() : memref<257xf32>
// SMALL-NEXT:      %2 = memref.alloca() : memref<16xf32, 1 : i32>
// SMALL-NEXT:      %3 = memref.alloc() : memref<8192xi1>
func.func @sizes() {
  %0 = memref.alloc() {alignment = 64 : i64} : memref<256xf32>
  %1 = memref.alloc() : memref<257xf32>
  %2 = memref.alloc() : memref<16xf32, 1 : i32>
  %3 = memref.alloc() : memref<8192xi1>
  %4 = memref.alloc() : memref<129xindex>
  %5 = memref.alloc() : memref<64xvector<3xf32>>
  %6 = memref.alloc() : memref<65xvector<3xf32>>
  %7 = memref.alloc() : memref<129xcomplex<f32>>
  "test.op"(%0, %1, %2, %3, %4, %5, %6, %7) : (memref<256xf32>, memref<257xf32>, memref<16xf32, 1 : i32>, memref<8192xi1>, memref<129xindex>, memref<64xvector<3xf32>>, memref<65xvector<3xf32>>, memref<129xcomplex<f32>>) -> ()
  func.return
}

// More than 64 bits can count.
// CHECK-LABEL: func.func @huge() {
// CHECK-NEXT:      %0 = memref.alloc() : memref<2147483648x2147483648x4xf32>
// CHECK-NEXT:      "test.op"(%0) : (memref<2147483648x2147483648x4xf32>) -> ()
// CHECK-NEXT:      func.return
func.func @huge() {
  %0 = memref.alloc() : memref<2147483648x2147483648x4xf32>
  "test.op"(%0) : (memref<2147483648x2147483648x4xf32>) -> ()
  func.return
}

// Memrefs in memory have no size that is known.
// CHECK-LABEL: func.func @of_memrefs() {
// CHECK-NEXT:      %0 = memref.alloc() : memref<2xmemref<4xf32>>
// CHECK-NEXT:      "test.op"(%0) : (memref<2xmemref<4xf32>>) -> ()
// CHECK-NEXT:      func.return
func.func @of_memrefs() {
  %0 = memref.alloc() : memref<2xmemref<4xf32>>
  "test.op"(%0) : (memref<2xmemref<4xf32>>) -> ()
  func.return
}

// A rank is a small number.
// CHECK-LABEL: func.func @ranks(%t: memref<*xf32>, %n: index) {
// CHECK-NEXT:      %rank = "memref.rank"(%t) : (memref<*xf32>) -> index
// CHECK-NEXT:      %0 = memref.alloca(%rank) : memref<?xindex>
// CHECK-NEXT:      %1 = memref.alloc(%rank, %rank) : memref<?x?xindex>
// CHECK-NEXT:      %2 = memref.alloc(%n) : memref<?xindex>
// CHECK-NEXT:      "test.op"(%0, %1, %2) : (memref<?xindex>, memref<?x?xindex>, memref<?xindex>) -> ()
// CHECK-NEXT:      func.return
// RANK-LABEL: func.func @ranks
// RANK:            %0 = memref.alloca(%rank) : memref<?xindex>
// RANK-NEXT:       %1 = memref.alloca(%rank, %rank) : memref<?x?xindex>
// RANK-NEXT:       %2 = memref.alloc(%n) : memref<?xindex>
func.func @ranks(%t: memref<*xf32>, %n: index) {
  %rank = "memref.rank"(%t) : (memref<*xf32>) -> index
  %0 = memref.alloc(%rank) : memref<?xindex>
  %1 = memref.alloc(%rank, %rank) : memref<?x?xindex>
  %2 = memref.alloc(%n) : memref<?xindex>
  "test.op"(%0, %1, %2) : (memref<?xindex>, memref<?x?xindex>, memref<?xindex>) -> ()
  func.return
}

// The stack is not freed between blocks, nor at the end of a conditional.
// CHECK-LABEL: func.func @blocks(%c: i1, %given: memref<2xf32>) {
// CHECK-NEXT:      cf.cond_br %c, ^bb1(%given : memref<2xf32>), ^bb2
// CHECK-NEXT:    ^bb1(%x: memref<2xf32>):
// CHECK-NEXT:      "test.op"(%x) : (memref<2xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %m = memref.alloca() : memref<2xf32>
// CHECK-NEXT:      cf.br ^bb1(%m : memref<2xf32>)
func.func @blocks(%c: i1, %given: memref<2xf32>) {
  cf.cond_br %c, ^bb1(%given : memref<2xf32>), ^bb2
^bb1(%x: memref<2xf32>):
  "test.op"(%x) : (memref<2xf32>) -> ()
  func.return
^bb2:
  %m = memref.alloc() : memref<2xf32>
  cf.br ^bb1(%m : memref<2xf32>)
}

// CHECK-LABEL: func.func @conditional(%c: i1, %given: memref<2xf32>) {
// CHECK-NEXT:      %r = scf.if %c -> (memref<2xf32>) {
// CHECK-NEXT:        %m = memref.alloca() : memref<2xf32>
// CHECK-NEXT:        scf.yield %m : memref<2xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %given : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      "test.op"(%r) : (memref<2xf32>) -> ()
// CHECK-NEXT:      func.return
func.func @conditional(%c: i1, %given: memref<2xf32>) {
  %r = scf.if %c -> (memref<2xf32>) {
    %m = memref.alloc() : memref<2xf32>
    scf.yield %m : memref<2xf32>
  } else {
    scf.yield %given : memref<2xf32>
  }
  "test.op"(%r) : (memref<2xf32>) -> ()
  func.return
}

// In a loop the stack would grow.
// CHECK-LABEL: func.func @loop(%l: index, %u: index, %s: index, %c: i1) {
// CHECK-NEXT:      %m = memref.alloca() : memref<2xf32>
// CHECK-NEXT:      scf.for %i = %l to %u step %s {
// CHECK-NEXT:        scf.if %c {
// CHECK-NEXT:          "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:        }
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @loop(%l: index, %u: index, %s: index, %c: i1) {
  scf.for %i = %l to %u step %s {
    scf.if %c {
      %m = memref.alloc() : memref<2xf32>
      "test.op"(%m) : (memref<2xf32>) -> ()
    }
  }
  func.return
}

// CHECK-LABEL: func.func @loop_of_blocks(%c: i1) {
// CHECK-NEXT:      %m = memref.alloca() : memref<2xf32>
// CHECK-NEXT:      cf.br ^bb1
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      func.return
func.func @loop_of_blocks(%c: i1) {
  cf.br ^bb1
^bb1:
  %m = memref.alloc() : memref<2xf32>
  "test.op"(%m) : (memref<2xf32>) -> ()
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  func.return
}

// Two buffers are alive at a time.
// CHECK-LABEL: func.func @handed_on(%l: index, %u: index, %s: index, %given: memref<2xf32>) {
// CHECK-NEXT:      %r = scf.for %i = %l to %u step %s iter_args(%x = %given) -> (memref<2xf32>) {
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:        scf.yield %m : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @handed_on(%l: index, %u: index, %s: index, %given: memref<2xf32>) {
  %r = scf.for %i = %l to %u step %s iter_args(%x = %given) -> (memref<2xf32>) {
    %m = memref.alloc() : memref<2xf32>
    "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
    scf.yield %m : memref<2xf32>
  }
  func.return
}

// So many, and nobody knows when they run.
// CHECK-LABEL: func.func @parallel(%l: index, %u: index, %s: index) {
// CHECK-NEXT:      "scf.parallel"(%l, %u, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
// CHECK-NEXT:      ^bb0(%i: index):
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:        scf.reduce
// CHECK-NEXT:      }) : (index, index, index) -> ()
// CHECK-NEXT:      func.return
func.func @parallel(%l: index, %u: index, %s: index) {
  "scf.parallel"(%l, %u, %s) <{operandSegmentSizes = array<i32: 1, 1, 1, 0>}> ({
  ^bb0(%i: index):
    %m = memref.alloc() : memref<2xf32>
    "test.op"(%m) : (memref<2xf32>) -> ()
    "scf.reduce"() : () -> ()
  }) : (index, index, index) -> ()
  func.return
}

// Still used when the function is over.
// CHECK-LABEL: func.func @returned() -> memref<?xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      %v = "memref.cast"(%m) : (memref<2xf32>) -> memref<?xf32>
// CHECK-NEXT:      func.return %v : memref<?xf32>
func.func @returned() -> memref<?xf32> {
  %m = memref.alloc() : memref<2xf32>
  %v = "memref.cast"(%m) : (memref<2xf32>) -> memref<?xf32>
  func.return %v : memref<?xf32>
}

// CHECK-LABEL: func.func private @callee(memref<2xf32>) -> memref<2xf32>
func.func private @callee(memref<2xf32>) -> memref<2xf32>
// CHECK-LABEL: func.func @returned_by_a_call() -> memref<2xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      %r = func.call @callee(%m) : (memref<2xf32>) -> memref<2xf32>
// CHECK-NEXT:      func.return %r : memref<2xf32>
func.func @returned_by_a_call() -> memref<2xf32> {
  %m = memref.alloc() : memref<2xf32>
  %r = func.call @callee(%m) : (memref<2xf32>) -> memref<2xf32>
  func.return %r : memref<2xf32>
}

// CHECK-LABEL: func.func @stored(%o: memref<8xmemref<2xf32>>, %i: index) {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      memref.store %m, %o[%i] : memref<8xmemref<2xf32>>
// CHECK-NEXT:      func.return
func.func @stored(%o: memref<8xmemref<2xf32>>, %i: index) {
  %m = memref.alloc() : memref<2xf32>
  memref.store %m, %o[%i] : memref<8xmemref<2xf32>>
  func.return
}

// CHECK-LABEL: func.func @as_tensor() -> tensor<2xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      %t = bufferization.to_tensor %m restrict : memref<2xf32> to tensor<2xf32>
// CHECK-NEXT:      func.return %t : tensor<2xf32>
func.func @as_tensor() -> tensor<2xf32> {
  %m = memref.alloc() : memref<2xf32>
  %t = bufferization.to_tensor %m restrict : memref<2xf32> to tensor<2xf32>
  func.return %t : tensor<2xf32>
}

// CHECK-LABEL: func.func @as_pointer() -> index {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      %p = "memref.extract_aligned_pointer_as_index"(%m) : (memref<2xf32>) -> index
// CHECK-NEXT:      func.return %p : index
func.func @as_pointer() -> index {
  %m = memref.alloc() : memref<2xf32>
  %p = "memref.extract_aligned_pointer_as_index"(%m) : (memref<2xf32>) -> index
  func.return %p : index
}

// A scope frees the stack at its end. Until xDSL 0.74 it has no custom form.
// CHECK-LABEL: func.func @scope() {
// CHECK-NEXT:      %r = {{"?}}memref.alloca_scope
// CHECK-NEXT:        %m = memref.alloca() : memref<2xf32>
// CHECK-NEXT:        %n = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "test.op"(%m) : (memref<2xf32>) -> ()
// CHECK-NEXT:        {{"?}}memref.alloca_scope.return{{.*}}%n
// CHECK-NEXT:      }
// CHECK-NEXT:      "test.op"(%r) : (memref<2xf32>) -> ()
// CHECK-NEXT:      func.return
func.func @scope() {
  %r = "memref.alloca_scope"() ({
    %m = memref.alloc() : memref<2xf32>
    %n = memref.alloc() : memref<2xf32>
    "test.op"(%m) : (memref<2xf32>) -> ()
    "memref.alloca_scope.return"(%n) : (memref<2xf32>) -> ()
  }) : () -> memref<2xf32>
  "test.op"(%r) : (memref<2xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func @freed() {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      memref.dealloc %m : memref<2xf32>
// CHECK-NEXT:      func.return
func.func @freed() {
  %m = memref.alloc() : memref<2xf32>
  memref.dealloc %m : memref<2xf32>
  func.return
}

// The data layout says how large an index is.
// CHECK-LABEL: func.func @narrow_indices(
// CHECK-NEXT:      %a = memref.alloca() : memref<256xindex>
// CHECK-NEXT:      %b = memref.alloc() : memref<257xindex>
builtin.module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64>} {
  func.func @narrow_indices(%i: index) -> (index, index) {
    %a = memref.alloc() : memref<256xindex>
    %b = memref.alloc() : memref<257xindex>
    memref.store %i, %a[%i] : memref<256xindex>
    memref.store %i, %b[%i] : memref<257xindex>
    %x = memref.load %a[%i] : memref<256xindex>
    %y = memref.load %b[%i] : memref<257xindex>
    func.return %x, %y : index, index
  }
}

// An allocation whose rank is not known stays on the heap.
// CHECK-LABEL: func.func @unknown_rank(
// CHECK-NEXT:    %c = bufferization.clone %m : memref<4xf32> to memref<*xf32>
func.func @unknown_rank(%m: memref<4xf32>, %i: index) -> f32 {
  %c = bufferization.clone %m : memref<4xf32> to memref<*xf32>
  %r = "memref.cast"(%c) : (memref<*xf32>) -> memref<4xf32>
  %x = memref.load %r[%i] : memref<4xf32>
  func.return %x : f32
}

// A branch without ops.
// CHECK-LABEL: func.func @no_else(
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        %m = memref.alloca() : memref<4xf32>
// CHECK-NEXT:        "test.op"() : () -> ()
func.func @no_else(%c: i1) {
  scf.if %c {
    %m = memref.alloc() : memref<4xf32>
    "test.op"() : () -> ()
  }
  scf.if %c {
    "test.op"() : () -> ()
  }
  func.return
}
