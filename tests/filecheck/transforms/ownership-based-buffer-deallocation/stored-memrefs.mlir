// RUN: xdsl-opt %s -p buffer-deallocation-pipeline --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt %s -p buffer-deallocation-pipeline --allow-unregistered-dialect 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

memref.global "private" @box : memref<1xmemref<4xf32>> = uninitialized

func.func private @make() -> memref<4xf32>
func.func private @use(memref<4xf32>)
func.func private @keep(memref<4xf32>, memref<1xmemref<4xf32>>)

// A memref that is stored may be loaded anywhere: its memory is left to the program.
// CHECK-LABEL: func.func @stored(
// CHECK-NOT:     memref.dealloc
// REMARK:      remark: 'memref.alloc' is left to the program: nothing frees it here, because it is stored in memory, from where any op may load it
// REMARK-NEXT:   at: {{.*}}: in @stored{{$}}
// REMARK:        that is done: {{.*}}: in @stored{{$}}
// REMARK-NEXT:   {{[0-9]+}} | memref.store %m, %b[%i]
// REMARK:        hint: free it where it is no longer needed, or hand over a copy of its contents
func.func @stored(%i: index) {
  %m = memref.alloc() : memref<4xf32>
  %b = memref.get_global @box : memref<1xmemref<4xf32>>
  memref.store %m, %b[%i] : memref<1xmemref<4xf32>>
  func.return
}

// So is the result of a call.
// CHECK-LABEL: func.func @result_stored(
// CHECK-NOT:     memref.dealloc
// REMARK:      remark: 'func.call' is left to the program
// REMARK-NEXT:   at: {{.*}}: in @result_stored{{$}}
func.func @result_stored(%i: index) {
  %m = func.call @make() : () -> memref<4xf32>
  %b = memref.get_global @box : memref<1xmemref<4xf32>>
  memref.store %m, %b[%i] : memref<1xmemref<4xf32>>
  func.return
}

// Nobody owns a memref that is loaded; a caller gets a copy of it.
// CHECK-LABEL: func.func @loaded(
// CHECK:         [[M:%.*]] = memref.load
// CHECK-NEXT:    [[COPY:%.*]] = bufferization.clone [[M]]
// CHECK-NEXT:    func.return [[COPY]]
func.func @loaded(%i: index) -> memref<4xf32> {
  %b = memref.get_global @box : memref<1xmemref<4xf32>>
  %m = memref.load %b[%i] : memref<1xmemref<4xf32>>
  func.return %m : memref<4xf32>
}

// The program may free it through what is loaded; that says nothing about the memory that it is
// loaded from.
// CHECK-LABEL: func.func @frees_loaded(
// CHECK-DAG:     memref.dealloc %l : memref<4xf32>
// CHECK-DAG:     memref.dealloc %b : memref<1xmemref<4xf32>>
// CHECK:         func.return
// REMARK-NOT:  in @frees_loaded
func.func @frees_loaded(%i: index) {
  %b = memref.alloc() : memref<1xmemref<4xf32>>
  %m = memref.alloc() : memref<4xf32>
  memref.store %m, %b[%i] : memref<1xmemref<4xf32>>
  %l = memref.load %b[%i] : memref<1xmemref<4xf32>>
  memref.dealloc %l : memref<4xf32>
  func.return
}

// All memory of an iteration argument that is stored is left.
// CHECK-LABEL: func.func @carried(
// CHECK-NOT:     memref.dealloc
// REMARK:        at: {{.*}}: in @carried{{$}}
// REMARK:        at: {{.*}}: in @carried{{$}}
func.func @carried(%lb: index, %ub: index, %step: index) {
  %m = memref.alloc() : memref<4xf32>
  %b = memref.get_global @box : memref<1xmemref<4xf32>>
  %r = scf.for %i = %lb to %ub step %step iter_args(%x = %m) -> (memref<4xf32>) {
    memref.store %x, %b[%lb] : memref<1xmemref<4xf32>>
    %y = memref.alloc() : memref<4xf32>
    scf.yield %y : memref<4xf32>
  }
  func.return
}

// Other ops that may store a memref among the elements of another one.
// CHECK-LABEL: func.func @other_stores(
// CHECK-NOT:     memref.dealloc
// REMARK-COUNT-4:  at: {{.*}}: in @other_stores{{$}}
func.func @other_stores(%i: index) {
  %b = memref.get_global @box : memref<1xmemref<4xf32>>
  %0 = memref.alloc() : memref<4xf32>
  affine.store %0, %b[0] : memref<1xmemref<4xf32>>
  %1 = memref.alloc() : memref<4xf32>
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%b : memref<1xmemref<4xf32>>) {
  ^bb0(%o: memref<4xf32>):
    linalg.yield %1 : memref<4xf32>
  }
  %2 = memref.alloc() : memref<4xf32>
  "some.put"(%2, %b) {bufferization.touches_only} : (memref<4xf32>, memref<1xmemref<4xf32>>) -> ()
  %3 = memref.alloc() : memref<4xf32>
  func.call @keep(%3, %b) : (memref<4xf32>, memref<1xmemref<4xf32>>) -> ()
  func.return
}

// A function of the module is looked into; one without a body keeps no memref.
// CHECK-LABEL: func.func @stored_by_callee(
// CHECK:         memref.dealloc %n
// CHECK-NOT:     memref.dealloc
// REMARK:        at: {{.*}}: in @stored_by_callee{{$}}
// REMARK:        that is done: {{.*}}: in @stored_by_callee{{$}}
// REMARK-NEXT:   {{[0-9]+}} | func.call @stores_cast(%m, %i)
func.func @stored_by_callee(%i: index) {
  %m = memref.alloc() : memref<4xf32>
  func.call @stores_cast(%m, %i) : (memref<4xf32>, index) -> ()
  %n = memref.alloc() : memref<4xf32>
  func.call @use(%n) : (memref<4xf32>) -> ()
  func.return
}
func.func private @stores_cast(%m: memref<4xf32>, %i: index) {
  %c = memref.cast %m : memref<4xf32> to memref<?xf32>
  func.call @stores(%c, %i) : (memref<?xf32>, index) -> ()
  func.return
}
func.func private @stores(%c: memref<?xf32>, %i: index) {
  %m = memref.cast %c : memref<?xf32> to memref<4xf32>
  %b = memref.get_global @box : memref<1xmemref<4xf32>>
  memref.store %m, %b[%i] : memref<1xmemref<4xf32>>
  func.return
}

// CHECK-LABEL: func.func @stored_by_indirect_callee(
// CHECK-NOT:     memref.dealloc
// REMARK:        at: {{.*}}: in @stored_by_indirect_callee{{$}}
func.func @stored_by_indirect_callee(%f: (memref<4xf32>, index) -> (), %i: index) {
  %m = memref.alloc() : memref<4xf32>
  func.call_indirect %f(%m, %i) : (memref<4xf32>, index) -> ()
  func.return
}

// A value that holds the memref, or a pointer to its memory, is stored or returned.
// CHECK-LABEL: func.func @held(
// CHECK-NOT:     memref.dealloc
// REMARK:      remark: 'memref.alloc' is left to the program: nothing frees it here, because a value that may point to it is returned
// REMARK-NEXT:   at: {{.*}}: in @held{{$}}
// REMARK:      remark: 'memref.alloc' is left to the program: nothing frees it here, because it is stored in memory
// REMARK-NEXT:   at: {{.*}}: in @held{{$}}
func.func @held(%p: !llvm.ptr) -> tuple<memref<4xf32>> {
  %0 = memref.alloc() : memref<4xf32>
  %t = "some.tuple"(%0) {bufferization.touches_only} : (memref<4xf32>) -> tuple<memref<4xf32>>
  %1 = memref.alloc() : memref<4xf32>
  %a = memref.extract_aligned_pointer_as_index %1 : memref<4xf32> -> index
  %b = arith.index_cast %a : index to i64
  %q = "llvm.inttoptr"(%b) : (i64) -> !llvm.ptr
  "llvm.store"(%q, %p) <{ordering = 0 : i64}> : (!llvm.ptr, !llvm.ptr) -> ()
  func.return %t : tuple<memref<4xf32>>
}
