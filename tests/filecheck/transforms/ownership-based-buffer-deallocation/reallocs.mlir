// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation | filecheck %s
// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// The old buffer is freed by the op, the new one like any other.
// CHECK-LABEL: func.func @straight(
// CHECK:         "memref.realloc"(%m, %n)
// CHECK-NEXT:    "memref.realloc"(%a)
// CHECK-NEXT:    bufferization.dealloc (%b : memref<8xf32>)
// CHECK-NEXT:    func.return
// REMARK-NOT:  @straight
func.func @straight(%n: index) {
  %m = memref.alloc() : memref<2xf32>
  %a = memref.realloc %m(%n) : memref<2xf32> to memref<?xf32>
  %b = memref.realloc %a : memref<?xf32> to memref<8xf32>
  func.return
}

// CHECK-LABEL: func.func @yielded(
// CHECK-NOT:     bufferization.dealloc
// REMARK:      remark: 'memref.alloc' is left to the program: nothing frees it here, because memref.realloc frees it on some paths only
// REMARK-NEXT:   at: {{.*}}: in @yielded{{$}}
// REMARK:        it is freed: {{.*}}: in @yielded{{$}}
// REMARK:        hint: free it on all paths, or on none; run expand-realloc first
func.func @yielded(%c: i1, %s: index, %n: index) {
  %m = memref.alloc(%s) : memref<?xf32>
  %r = scf.if %c -> (memref<?xf32>) {
    %a = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
    scf.yield %a : memref<?xf32>
  } else {
    scf.yield %m : memref<?xf32>
  }
  func.return
}

// The new buffer is freed; the old one is not if there is no new one.
// CHECK-LABEL: func.func @in_branch(
// CHECK:         scf.if
// CHECK-NEXT:      %a = "memref.realloc"
// CHECK-NEXT:      bufferization.dealloc (%a : memref<?xf32>)
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// REMARK:        at: {{.*}}: in @in_branch{{$}}
func.func @in_branch(%c: i1, %s: index, %n: index) {
  %m = memref.alloc(%s) : memref<?xf32>
  scf.if %c {
    %a = memref.realloc %m(%n) : memref<?xf32> to memref<?xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @carried(
// CHECK-NOT:     bufferization.dealloc
// REMARK:        at: {{.*}}: in @carried{{$}}
func.func @carried(%lb: index, %ub: index, %step: index, %s: index) {
  %m = memref.alloc(%s) : memref<?xf32>
  %r = scf.for %i = %lb to %ub step %step iter_args(%x = %m) -> (memref<?xf32>) {
    %a = memref.realloc %x(%i) : memref<?xf32> to memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  func.return
}

// The program frees what the loop gives.
// CHECK-LABEL: func.func @freed(
// CHECK:         memref.dealloc
// REMARK-NOT:  @freed
func.func @freed(%lb: index, %ub: index, %step: index, %s: index) {
  %m = memref.alloc(%s) : memref<?xf32>
  %r = scf.for %i = %lb to %ub step %step iter_args(%x = %m) -> (memref<?xf32>) {
    %a = memref.realloc %x(%i) : memref<?xf32> to memref<?xf32>
    scf.yield %a : memref<?xf32>
  }
  memref.dealloc %r : memref<?xf32>
  func.return
}
