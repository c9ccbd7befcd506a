// RUN: xdsl-opt %s -p 'plan-static-memory{remarks=false}' | filecheck %s
// RUN: xdsl-opt %s -p 'plan-static-memory{report}' 2>&1 >/dev/null | filecheck %s --check-prefix=REPORT
// RUN: xdsl-opt %s -p 'plan-static-memory{remarks=false arena-as-argument}' | filecheck %s --check-prefix=ARGUMENT
// RUN: xdsl-opt %s -p 'plan-static-memory{max-size-in-bytes=1000}' 2>&1 >/dev/null | filecheck %s --check-prefix=LIMIT
// RUN: xdsl-opt %s -p 'plan-static-memory{remarks=false offsets-as-attributes}' | filecheck %s --check-prefix=OFFSETS

// The buffers of N rows are planned as one row each: 64 bytes and 128 bytes side by side, then 64
// again, in one arena with the buffer of static size.

// CHECK-LABEL: func.func @one_unit
// CHECK:         %[[B:.*]] = arith.constant 32 : index
// CHECK:         %[[N:.*]] = memref.dim %x
// CHECK:         %[[A:.*]] = arith.addi %[[B]], %{{.*}} : index
// CHECK:         %[[ARENA:.*]] = memref.alloc(%{{.*}}) {alignment = 16 : i64} : memref<?xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         %s = memref.view %[[ARENA]][%{{.*}}][] : memref<?xi8> to memref<5xf32>
// CHECK:         %a = memref.view %[[ARENA]][%[[A]]][%n] : memref<?xi8> to memref<?x16xf32>
// CHECK:         %b = memref.view %[[ARENA]][%[[B]]][%n] : memref<?xi8> to memref<?x32xf32>
// CHECK:         %c = memref.view %[[ARENA]][%[[A]]][%n] : memref<?xi8> to memref<?x16xf32>
// REPORT-LABEL: @one_unit: 192*%x.0 bytes for 3 buffers; 192*%x.0 bytes are needed at once
// REPORT-NEXT:      offset       bytes  times %x.0; life, in numbers of ops
// REPORT-NEXT:         128          64  {{.*}} %a = memref.alloc
// REPORT-NEXT:           0         128  {{.*}} %b = memref.alloc
// REPORT-NEXT:         128          64  {{.*}} %c = memref.alloc
// ARGUMENT-LABEL: func.func @one_unit(%x: memref<?xf32>, %arena: memref<?xi8> {bufferize.arena = 16 : i64, bufferize.arena_size = @one_unit_arena_size}) {
// ARGUMENT-LABEL: func.func @one_unit_arena_size(%x: memref<?xf32>) -> index {
// ARGUMENT:         %[[N:.*]] = memref.dim %x
// ARGUMENT:         %[[ROW:.*]] = arith.constant 192 : index
// ARGUMENT:         %[[ROWS:.*]] = arith.muli %[[N]], %[[ROW]] : index
// ARGUMENT-NEXT:    %[[SIZE:.*]] = arith.addi %{{.*}}, %[[ROWS]] : index
// ARGUMENT-NEXT:    func.return %[[SIZE]] : index
// LIMIT:        remark: 'memref.alloc' stays an allocation of its own: its size is known at run time only, and that of the arena is limited
// OFFSETS-LABEL: func.func @one_unit
// OFFSETS:         memref.alloc() {bufferize.offset = 0 : i64, bufferization.manual_deallocation} : memref<5xf32>
// OFFSETS:         memref.alloc(%n) : memref<?x16xf32>
func.func @one_unit(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %s = memref.alloc() : memref<5xf32>
  "test.op"(%s) : (memref<5xf32>) -> ()
  %a = memref.alloc(%n) : memref<?x16xf32>
  %b = memref.alloc(%n) : memref<?x32xf32>
  "test.op"(%a, %b) : (memref<?x16xf32>, memref<?x32xf32>) -> ()
  %c = memref.alloc(%n) : memref<?x16xf32>
  "test.op"(%b, %c, %s) : (memref<?x32xf32>, memref<?x16xf32>, memref<5xf32>) -> ()
  func.return
}

// The second offset is a multiple of 4 bytes only: it is rounded up, for which the arena has a few
// bytes more.

// CHECK-LABEL: func.func @unaligned
// CHECK:         %[[ROWS:.*]] = arith.muli %{{.*}}, %{{.*}} : index
// CHECK:         %[[MORE:.*]] = arith.addi %[[ROWS]], %{{.*}} : index
// CHECK:         %[[QUOTIENT:.*]] = arith.divui %[[MORE]], %[[SIXTEEN:.*]] : index
// CHECK:         %[[OFFSET:.*]] = arith.muli %[[QUOTIENT]], %[[SIXTEEN]] : index
// CHECK:         %b = memref.view %arena[%[[OFFSET]]][%n] : memref<?xi8> to memref<?xf32>
// REPORT-LABEL: @unaligned: 8*%x.0 + 16 for alignment bytes for 2 buffers
func.func @unaligned(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  "test.op"(%a, %b) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return
}

// A number may be negative where nothing is allocated. Regions that are not live together share
// memory; their units are different.

// CHECK-LABEL: func.func @two_units
// CHECK:         arith.maxsi %n, %{{.*}} : index
// CHECK:         arith.maxsi %m, %{{.*}} : index
// CHECK:         %[[SIZE:.*]] = arith.maxsi %{{.*}}, %{{.*}} : index
// CHECK:         %arena = memref.alloc(%[[SIZE]])
// CHECK:         %a = memref.view %arena[%[[O:.*]]][%n] : memref<?xi8> to memref<?x4xf32>
// CHECK:         %b = memref.view %arena[%[[O]]][%m] : memref<?xi8> to memref<?x4xf32>
func.func @two_units(%n: index, %m: index) {
  %a = memref.alloc(%n) : memref<?x4xf32>
  "test.op"(%a) : (memref<?x4xf32>) -> ()
  %b = memref.alloc(%m) : memref<?x4xf32>
  "test.op"(%b) : (memref<?x4xf32>) -> ()
  func.return
}

// The size is that of the argument, in each iteration.

// CHECK-LABEL: func.func @in_loop
// CHECK:         memref.alloc
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK:         memref.view
func.func @in_loop(%x: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %k step %c1 iter_args(%h = %x) -> (memref<?xf32>) {
    %n = memref.dim %h, %c0 : memref<?xf32>
    %a = memref.alloc(%n) : memref<?xf32>
    "test.op"(%a) : (memref<?xf32>) -> ()
    scf.yield %h : memref<?xf32>
  }
  func.return
}

// A branch may be there to keep the size small. The size of an argument is not large.

// CHECK-LABEL: func.func @in_branch
// CHECK:         memref.alloc
// CHECK:         scf.if
// CHECK:           %a = memref.alloc(%n) : memref<?xf32>
// CHECK:           %b = memref.view
// REPORT-LABEL: @in_branch: 4*%x.0 bytes
// REPORT:       @in_branch: 1 buffer left as allocated
// REPORT-NEXT:    %a = memref.alloc (line {{[0-9]+}}): it is in a branch, and executions that do not take the branch would need more memory
func.func @in_branch(%x: memref<?xf32>, %n: index, %c: i1) {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?xf32>
  scf.if %c {
    %a = memref.alloc(%n) : memref<?xf32>
    "test.op"(%a) : (memref<?xf32>) -> ()
    %b = memref.alloc(%m) : memref<?xf32>
    "test.op"(%b) : (memref<?xf32>) -> ()
  }
  func.return
}

// A buffer before the branch is as large.

// CHECK-LABEL: func.func @in_branch_as_before
// CHECK:         memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func @in_branch_as_before(%n: index, %c: i1) {
  %a = memref.alloc(%n) : memref<?xf32>
  "test.op"(%a) : (memref<?xf32>) -> ()
  scf.if %c {
    %b = memref.alloc(%n) : memref<?xf32>
    "test.op"(%b) : (memref<?xf32>) -> ()
  }
  func.return
}

// The size is known after an op; the buffer before it is in another arena.

// CHECK-LABEL: func.func @known_late
// CHECK:         %arena = memref.alloc() {alignment = 16 : i64} : memref<16xi8>
// CHECK:         %n = "test.op"
// CHECK:         %arena_1 = memref.alloc(%{{.*}}) {alignment = 16 : i64} : memref<?xi8>
// CHECK:         %b = memref.view %arena_1
// CHECK:         %c = memref.view %arena_1
func.func @known_late() {
  %a = memref.alloc() : memref<4xf32>
  %n = "test.op"(%a) : (memref<4xf32>) -> index
  %m = arith.addi %n, %n : index
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%m) : memref<?xf32>
  "test.op"(%b, %c) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return
}

// The size is a result of a loop; the buffers in that loop are in an arena that is allocated before it.

// CHECK-LABEL: func.func @known_after_loop
// CHECK:         %arena = memref.alloc(%{{.*}}) {alignment = 16 : i64} : memref<?xi8>
// CHECK:         scf.for
// CHECK-NEXT:      memref.view %arena[%{{.*}}][%n]
// CHECK:         %arena_1 = memref.alloc(%{{.*}}) {alignment = 16 : i64} : memref<?xi8>
// CHECK:         %b = memref.view %arena_1[%{{.*}}][%k]
func.func @known_after_loop(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c1) -> (index) {
    %a = memref.alloc(%n) : memref<?xf32>
    %next = "test.op"(%a) : (memref<?xf32>) -> index
    scf.yield %next : index
  }
  %b = memref.alloc(%k) : memref<?xf32>
  "test.op"(%b) : (memref<?xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func @static_in_loop_before
// CHECK:         %arena = memref.alloc() {alignment = 16 : i64} : memref<16xi8>
// CHECK:         scf.for
// CHECK-NEXT:      memref.view %arena
// CHECK:         %arena_1 = memref.alloc(%{{.*}}) {alignment = 16 : i64} : memref<?xi8>
func.func @static_in_loop_before(%n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = scf.for %i = %c0 to %n step %c1 iter_args(%s = %c1) -> (index) {
    %a = memref.alloc() : memref<4xf32>
    %next = "test.op"(%a) : (memref<4xf32>) -> index
    scf.yield %next : index
  }
  %b = memref.alloc(%k) : memref<?xf32>
  "test.op"(%b) : (memref<?xf32>) -> ()
  func.return
}

// The arena is allocated after all ops that its size depends on, so after the buffer of static size.

// CHECK-LABEL: func.func @static_between_sizes
// CHECK:         %arena = memref.alloc() {alignment = 16 : i64} : memref<16xi8>
// CHECK:         %a = memref.view %arena
// CHECK:         %m = "test.op"(%a)
// CHECK:         %arena_1 = memref.alloc(%{{.*}}) {alignment = 16 : i64} : memref<?xi8>
// CHECK:         %b = memref.view %arena_1
// CHECK:         %c = memref.view %arena_1
func.func @static_between_sizes() {
  %n = "test.op"() : () -> index
  %a = memref.alloc() : memref<4xf32>
  %m = "test.op"(%a) : (memref<4xf32>) -> index
  %b = memref.alloc(%n) : memref<?xf32>
  %c = memref.alloc(%m) : memref<?xf32>
  "test.op"(%b, %c) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return
}

// No arena can have what needs another size in each iteration, or several at once.

// CHECK-LABEL: func.func @left
// CHECK:           %a = memref.alloc(%i)
// CHECK:           %b = memref.alloc(%k)
// CHECK:         %c = memref.alloc(%k)
// REPORT-LABEL: @left: 4 buffers left as allocated
// REPORT-NEXT:    %a = {{.*}}: its size is known only in a loop, a branch or another block
// REPORT-NEXT:    %b = {{.*}}: several executions of it may need memory at the same time
// REPORT-NEXT:    %c = {{.*}}: it is returned
// REPORT-NEXT:    %d = {{.*}}: its size is not known, and neither are the strides of its layout
func.func @left(%k: index) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    %a = memref.alloc(%i) : memref<?xf32>
    "test.op"(%a) : (memref<?xf32>) -> ()
  }
  scf.parallel (%i) = (%c0) to (%k) step (%c1) {
    %b = memref.alloc(%k) : memref<?xf32>
    "test.op"(%b) : (memref<?xf32>) -> ()
  }
  %c = memref.alloc(%k) : memref<?xf32>
  %d = memref.alloc(%k) : memref<?xf32, strided<[2]>>
  "test.op"(%d) : (memref<?xf32, strided<[2]>>) -> ()
  func.return %c : memref<?xf32>
}
