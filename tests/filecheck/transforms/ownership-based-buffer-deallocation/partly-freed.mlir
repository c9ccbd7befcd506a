// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation | filecheck %s
// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Memory that the program frees on some paths only is freed as if the program did not.

// CHECK-LABEL: func.func @in_one_branch(
// CHECK:         scf.if %c {
// CHECK-NEXT:    }
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xf32>)
// CHECK-NEXT:    func.return
// REMARK-NOT:  @in_one_branch
func.func @in_one_branch(%c: i1) {
  %m = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %m : memref<4xf32>
  }
  func.return
}

// On the other path, it becomes the result of the conditional.
// CHECK-LABEL: func.func @or_handed_on(
// CHECK:         %r, [[OWNED:%.*]] = scf.if %c -> (memref<4xf32>, i1) {
// CHECK-NOT:     memref.dealloc
// CHECK-DAG:     bufferization.dealloc (%r : memref<4xf32>) if ([[OWNED]])
// CHECK-DAG:     bufferization.dealloc (%m : memref<4xf32>) if (%{{.*}})
// CHECK:         func.return
// REMARK-NOT:  @or_handed_on
func.func @or_handed_on(%c: i1, %i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.if %c -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    memref.dealloc %m : memref<4xf32>
    scf.yield %n : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  %f = memref.load %r[%i] : memref<4xf32>
  func.return %f : f32
}

// CHECK-LABEL: func.func @on_one_edge(
// CHECK:         cf.cond_br %c, ^{{.*}}, ^{{.*}}
// CHECK-NEXT:  ^{{.*}}:
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xf32>)
// CHECK-NEXT:    func.return
// CHECK-NEXT:  ^{{.*}}:
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xf32>)
// CHECK-NEXT:    func.return
// REMARK-NOT:  @on_one_edge
func.func @on_one_edge(%c: i1) {
  %m = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  memref.dealloc %m : memref<4xf32>
  func.return
^bb2:
  func.return
}

// One of two buffers.
// CHECK-LABEL: func.func @one_of_two(
// CHECK-NOT:     memref.dealloc
// CHECK-DAG:     bufferization.dealloc (%m : memref<4xf32>)
// CHECK-DAG:     bufferization.dealloc (%n : memref<4xf32>)
// CHECK:         func.return
// REMARK-NOT:  @one_of_two
func.func @one_of_two(%c: i1) {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %m, %n : memref<4xf32>
  memref.dealloc %s : memref<4xf32>
  func.return
}

// A loop frees what it replaces, and the last buffer is left over.
// CHECK-LABEL: func.func @last_of_loop(
// CHECK:         scf.for
// CHECK-NEXT:      %n = memref.alloc
// CHECK-NEXT:      bufferization.dealloc (%b : memref<4xf32>)
// CHECK-NEXT:      scf.yield %n
// CHECK-NEXT:    }
// CHECK-NEXT:    bufferization.dealloc (%r : memref<4xf32>)
// CHECK-NEXT:    func.return
// REMARK-NOT:  @last_of_loop
func.func @last_of_loop(%lb: index, %ub: index, %step: index) {
  %m = memref.alloc() : memref<4xf32>
  %r = scf.for %i = %lb to %ub step %step iter_args(%b = %m) -> (memref<4xf32>) {
    %n = memref.alloc() : memref<4xf32>
    memref.dealloc %b : memref<4xf32>
    scf.yield %n : memref<4xf32>
  }
  func.return
}

// What is freed on all paths stays as it is.
// CHECK-LABEL: func.func @in_both_branches(
// CHECK-COUNT-3: memref.dealloc %m : memref<4xf32>
// CHECK-NOT:     bufferization.dealloc
// CHECK:         func.return
// REMARK-NOT:  @in_both_branches
func.func @in_both_branches(%c: i1, %d: i1) {
  %m = memref.alloc() : memref<4xf32>
  scf.if %c {
    memref.dealloc %m : memref<4xf32>
  } else {
    scf.if %d {
      memref.dealloc %m : memref<4xf32>
    } else {
      memref.dealloc %m : memref<4xf32>
    }
  }
  func.return
}

// Memory that something else than `memref.dealloc` frees is left to the program.
// CHECK-LABEL: func.func @by_call(
// CHECK-NOT:     dealloc
// CHECK:         func.return
// REMARK:      remark: 'memref.alloc' is left to the program: nothing frees it here, because func.call frees it on some paths only
// REMARK-NEXT:   at: {{.*}}: in @by_call{{$}}
// REMARK:        it is freed: {{.*}}: in @by_call{{$}}
// REMARK:        hint: free it on all paths, or on none; run expand-realloc first
func.func @by_call(%c: i1) {
  %m = memref.alloc() : memref<4xf32>
  scf.if %c {
    func.call @frees(%m) : (memref<4xf32>) -> ()
  }
  func.return
}
func.func private @frees(%m: memref<4xf32>) {
  memref.dealloc %m {bufferization.manual_deallocation} : memref<4xf32>
  func.return
}

// So is memory that may be an argument.
// CHECK-LABEL: func.func @or_argument(
// CHECK:         memref.dealloc %r
// REMARK:        at: {{.*}}: in @or_argument{{$}}
func.func @or_argument(%c: i1, %a: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  %r = arith.select %c, %m, %a : memref<4xf32>
  scf.if %c {
    memref.dealloc %r : memref<4xf32>
  }
  func.return
}
