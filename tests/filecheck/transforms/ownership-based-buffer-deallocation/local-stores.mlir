// RUN: xdsl-opt %s -p buffer-deallocation-pipeline | filecheck %s
// RUN: xdsl-opt %s -p buffer-deallocation-pipeline 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK
// RUN: xdsl-opt %s -p buffer-deallocation-pipeline,optimize-allocation-liveness | filecheck %s

// A memref that is stored where only its function loads from is freed after the last use of what is
// loaded.

// CHECK-LABEL: func.func @stored(
// CHECK:         %l = memref.load %b
// CHECK-NEXT:    memref.dealloc %b
// CHECK-NEXT:    %f = memref.load %l
// CHECK-NEXT:    memref.dealloc %m
// CHECK-NEXT:    func.return %f
// REMARK-NOT:  @stored
func.func @stored(%i: index) -> f32 {
  %b = memref.alloc() : memref<memref<?xf32>>
  %m = memref.alloc() : memref<4xf32>
  %d = memref.cast %m : memref<4xf32> to memref<?xf32>
  memref.store %d, %b[] : memref<memref<?xf32>>
  %l = memref.load %b[] : memref<memref<?xf32>>
  %f = memref.load %l[%i] : memref<?xf32>
  func.return %f : f32
}

// CHECK-LABEL: func.func @two_levels(
// CHECK:         %f = memref.load %l
// CHECK-NEXT:    memref.dealloc %m
// CHECK-NEXT:    func.return %f
// REMARK-NOT:  @two_levels
func.func @two_levels() -> f32 {
  %c = memref.alloca() : memref<memref<memref<f32>>>
  %b = memref.alloc() : memref<memref<f32>>
  %m = memref.alloc() : memref<f32>
  memref.store %m, %b[] : memref<memref<f32>>
  memref.store %b, %c[] : memref<memref<memref<f32>>>
  %k = memref.load %c[] : memref<memref<memref<f32>>>
  %l = memref.load %k[] : memref<memref<f32>>
  %f = memref.load %l[] : memref<f32>
  func.return %f : f32
}

// A slot may be overwritten, also in a loop, by what is loaded from another one.
// CHECK-LABEL: func.func @overwritten(
// CHECK:         scf.for
// CHECK:         %f = memref.load %l
// CHECK-DAG:     memref.dealloc %m
// CHECK-DAG:     memref.dealloc %n
// CHECK:         func.return %f
// REMARK-NOT:  @overwritten
func.func @overwritten(%lb: index, %ub: index, %step: index) -> f32 {
  %b = memref.alloc() : memref<2xmemref<f32>>
  %m = memref.alloc() : memref<f32>
  %n = memref.alloc() : memref<f32>
  memref.store %m, %b[%lb] : memref<2xmemref<f32>>
  memref.store %n, %b[%ub] : memref<2xmemref<f32>>
  scf.for %i = %lb to %ub step %step {
    %p = memref.load %b[%lb] : memref<2xmemref<f32>>
    %q = memref.load %b[%ub] : memref<2xmemref<f32>>
    memref.store %q, %b[%lb] : memref<2xmemref<f32>>
    memref.store %p, %b[%ub] : memref<2xmemref<f32>>
  }
  %l = memref.load %b[%lb] : memref<2xmemref<f32>>
  %f = memref.load %l[] : memref<f32>
  func.return %f : f32
}

// In a loop, with the memory that it is stored in.
// CHECK-LABEL: func.func @in_loop(
// CHECK:         scf.for
// CHECK:           memref.dealloc %m
// CHECK:         }
// CHECK-NEXT:    memref.dealloc %n
// REMARK-NOT:  @in_loop
func.func @in_loop(%lb: index, %ub: index, %step: index) {
  %n = memref.alloc() : memref<f32>
  scf.for %i = %lb to %ub step %step {
    %b = memref.alloca() : memref<2xmemref<f32>>
    %m = memref.alloc() : memref<f32>
    memref.store %m, %b[%lb] : memref<2xmemref<f32>>
    memref.store %n, %b[%ub] : memref<2xmemref<f32>>
    %l = memref.load %b[%i] : memref<2xmemref<f32>>
    %f = memref.load %l[] : memref<f32>
    memref.store %f, %n[] : memref<f32>
  }
  func.return
}

// The counter-example: the memory outlives the iteration, and may be loaded in the next one.
// CHECK-LABEL: func.func @longer_than_iteration(
// CHECK-NOT:     memref.dealloc %m
// REMARK:        at: {{.*}}: in @longer_than_iteration{{$}}
// REMARK:        that is done: {{.*}}: in @longer_than_iteration{{$}}
func.func @longer_than_iteration(%lb: index, %ub: index, %step: index) -> f32 {
  %b = memref.alloc() : memref<4xmemref<f32>>
  scf.for %i = %lb to %ub step %step {
    %m = memref.alloc() : memref<f32>
    memref.store %m, %b[%i] : memref<4xmemref<f32>>
  }
  %l = memref.load %b[%lb] : memref<4xmemref<f32>>
  %f = memref.load %l[] : memref<f32>
  func.return %f : f32
}

// Others may load from memory that is copied, passed or returned.
// CHECK-LABEL: func.func @handed_over(
// CHECK-NOT:     memref.dealloc %{{[lmn]}}
// REMARK-COUNT-3: at: {{.*}}: in @handed_over{{$}}
func.func @handed_over() -> memref<memref<f32>> {
  %a = memref.alloc() : memref<memref<f32>>
  %l = memref.alloc() : memref<f32>
  memref.store %l, %a[] : memref<memref<f32>>
  %b = memref.alloc() : memref<memref<f32>>
  %m = memref.alloc() : memref<f32>
  memref.store %m, %b[] : memref<memref<f32>>
  func.call @use(%b) : (memref<memref<f32>>) -> ()
  %c = memref.alloc() : memref<memref<f32>>
  %n = memref.alloc() : memref<f32>
  memref.store %n, %c[] : memref<memref<f32>>
  %d = memref.alloc() : memref<memref<f32>>
  memref.copy %c, %d : memref<memref<f32>> to memref<memref<f32>>
  func.return %a : memref<memref<f32>>
}
func.func private @use(memref<memref<f32>>)

// What is loaded may be returned: then it is the stored memref, and not freed.
// CHECK-LABEL: func.func @returned(
// CHECK:         [[DIFFERS:%.*]] = arith.cmpi ne
// CHECK-NEXT:    scf.if [[DIFFERS]] {
// CHECK-NEXT:      memref.dealloc %m
// CHECK:         func.return
// REMARK-NOT:  @returned
func.func @returned() -> memref<f32> {
  %b = memref.alloc() : memref<memref<f32>>
  %m = memref.alloc() : memref<f32>
  memref.store %m, %b[] : memref<memref<f32>>
  %l = memref.load %b[] : memref<memref<f32>>
  func.return %l : memref<f32>
}
