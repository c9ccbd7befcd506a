// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation,bufferization-lower-deallocations | filecheck %s
// RUN: xdsl-opt %s -p buffer-deallocation | filecheck %s

// Memory of which an op takes the address is freed at the end of a block behind the last use of
// the address, and of what is computed from it.

func.func private @use(%p: index)
func.func private @use_pointer(%p: !llvm.ptr)
func.func private @use_all(%p: memref<?xindex>)

// CHECK-LABEL: func.func @load_at_address
// CHECK:           llvm.load
// CHECK-NEXT:      memref.dealloc %m
// CHECK-NEXT:      func.return
func.func @load_at_address() -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  %i = arith.index_cast %p : index to i64
  %q = "llvm.inttoptr"(%i) : (i64) -> !llvm.ptr
  %v = "llvm.load"(%q) : (!llvm.ptr) -> f32
  func.return %v : f32
}

// CHECK-LABEL: func.func @of_a_view
// CHECK:           func.call @use(%p)
// CHECK-NEXT:      memref.dealloc %m
func.func @of_a_view() {
  %m = memref.alloc() : memref<4xf32>
  %v = memref.subview %m[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
  %p = memref.extract_aligned_pointer_as_index %v : memref<2xf32, strided<[1], offset: 1>> -> index
  func.call @use(%p) : (index) -> ()
  func.return
}

// CHECK-LABEL: func.func @conversion
// CHECK:           func.call @use_pointer(%p)
// CHECK-NEXT:      memref.dealloc %m
func.func @conversion() {
  %m = memref.alloc() : memref<4xf32>
  %p = builtin.unrealized_conversion_cast %m : memref<4xf32> to !llvm.ptr
  func.call @use_pointer(%p) : (!llvm.ptr) -> ()
  func.return
}

// CHECK-LABEL: func.func @conversion_back
// CHECK:           memref.load %n
// CHECK-NEXT:      memref.dealloc %m
func.func @conversion_back(%i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %p = builtin.unrealized_conversion_cast %m : memref<4xf32> to !llvm.ptr
  %n = builtin.unrealized_conversion_cast %p : !llvm.ptr to memref<4xf32>
  %v = memref.load %n[%i] : memref<4xf32>
  func.return %v : f32
}

// What is stored is used before control leaves the block, as in mlir-opt.
// CHECK-LABEL: func.func @stored
// CHECK:             func.call @use_all
// CHECK-NEXT:        memref.dealloc %m
// CHECK-NEXT:      }
func.func @stored(%all: memref<?xindex>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc() : memref<4xf32>
    %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
    memref.store %p, %all[%i] : memref<?xindex>
    func.call @use_all(%all) : (memref<?xindex>) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @in_the_next_block
// CHECK:           func.call @use(%q)
// CHECK-NEXT:      memref.dealloc %m
// CHECK-NEXT:      cf.br
func.func @in_the_next_block() {
  %m = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  cf.br ^next(%p : index)
^next(%q: index):
  func.call @use(%q) : (index) -> ()
  cf.br ^last
^last:
  func.return
}

// CHECK-LABEL: func.func @from_a_region
// CHECK:           func.call @use(%r)
// CHECK-NEXT:      memref.dealloc %m
func.func @from_a_region() {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.execute_region -> index {
    %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
    scf.yield %p : index
  }
  func.call @use(%r) : (index) -> ()
  func.return
}

// CHECK-LABEL: func.func @through_a_loop
// CHECK:           func.call @use(%r)
// CHECK-NEXT:      memref.dealloc %m
func.func @through_a_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %m = memref.alloc() : memref<4xf32>
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%q = %p) -> (index) {
    %next = arith.addi %q, %c1 : index
    scf.yield %next : index
  }
  func.call @use(%r) : (index) -> ()
  func.return
}

// An op that gives a token runs until something waits for that.
// CHECK-LABEL: func.func @asynchronous
// CHECK:           "gpu.wait"(%t)
// CHECK-NEXT:      memref.dealloc %m
func.func @asynchronous(%o: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  %before = "gpu.wait"() : () -> !gpu.async.token
  %t = "gpu.memcpy"(%before, %o, %m) {operandSegmentSizes = array<i32: 1, 1, 1>} : (!gpu.async.token, memref<4xf32>, memref<4xf32>) -> !gpu.async.token
  "gpu.wait"(%t) : (!gpu.async.token) -> ()
  func.return
}

// CHECK-LABEL: func.func @transfer
// CHECK:           {{"?}}memref.dma_wait
// CHECK-NEXT:      memref.dealloc %m
func.func @transfer(%o: memref<4xf32>, %tag: memref<1xi32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %m = memref.alloc() : memref<4xf32, 1>
  "memref.dma_start"(%m, %c0, %o, %c0, %c4, %tag, %c0) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1>} : (memref<4xf32, 1>, index, memref<4xf32>, index, index, memref<1xi32>, index) -> ()
  "memref.dma_wait"(%tag, %c0, %c4) : (memref<1xi32>, index, index) -> ()
  func.return
}

// What is loaded from memory is no address of it.
// CHECK-LABEL: func.func @loaded
// CHECK:           memref.load
// CHECK-NEXT:      memref.dealloc %m
// CHECK-NEXT:      func.call @use_pointer
func.func @loaded(%i: index) {
  %m = memref.alloc() : memref<4x!llvm.ptr>
  %p = memref.load %m[%i] : memref<4x!llvm.ptr>
  func.call @use_pointer(%p) : (!llvm.ptr) -> ()
  func.return
}
