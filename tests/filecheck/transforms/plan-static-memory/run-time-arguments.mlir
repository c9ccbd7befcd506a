// RUN: xdsl-opt %s -p 'plan-static-memory{arena-as-argument allocate-in-public-functions}' 2>/dev/null | filecheck %s
// RUN: xdsl-opt %s -p 'plan-static-memory{arena-as-argument allocate-in-public-functions}' 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// A size that is loaded from memory is known to the function only, which allocates that buffer; the
// other one is its callers'. Sizes that may be negative are 0 then, as in the callee.

// REMARK:      remark: 'func.func' allocates an arena in each call: its size depends on more than arguments
// REMARK-NEXT:   at: {{.*}} in @callee
// CHECK-LABEL: func.func private @callee(%x: memref<?xf32>, %n: index, %i: index, %arena: memref<8xi8> {bufferize.arena = 16 : i64}, %arena_1: memref<?xi8> {bufferize.arena = 16 : i64}) {
// CHECK:         %[[loaded:.*]] = memref.load
// CHECK:         memref.alloc(%{{.*}}) {alignment = 16 : i64} : memref<?xi8>
// CHECK:         memref.view %arena_1[%{{.*}}][%n] : memref<?xi8> to memref<?xf32>
// CHECK-NOT:     memref.alloc
func.func private @callee(%x: memref<?xf32>, %n: index, %i: index) {
  %s = memref.alloc() : memref<1xindex>
  memref.store %i, %s[%i] : memref<1xindex>
  %m = memref.load %s[%i] : memref<1xindex>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%m) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  memref.copy %b, %x : memref<?xf32> to memref<?xf32>
  func.return
}

// CHECK-LABEL: func.func @caller(
// CHECK:         %[[positive:.*]] = arith.maxsi %n, %{{.*}}
// CHECK:         memref.alloc(%{{.*}}) {alignment = 16 : i64} : memref<?xi8>
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK:         func.call @callee(
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func @caller(%x: memref<?xf32>, %n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    func.call @callee(%x, %n, %c0) : (memref<?xf32>, index, index) -> ()
  }
  func.return
}

// In a branch, too, an arena whose size is a sum of sizes and numbers is the caller's: here, 16 more
// bytes for alignment.
// CHECK-LABEL: func.func private @unaligned(%x: memref<?xf32>, %arena: memref<?xi8> {bufferize.arena = 16 : i64}) {
// CHECK-LABEL: func.func @calls_in_branch(
// CHECK:         memref.alloc(%{{.*}}) {alignment = 16 : i64} : memref<?xi8>
// CHECK:         scf.if
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func private @unaligned(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  memref.copy %a, %b : memref<?xf32> to memref<?xf32>
  memref.copy %b, %x : memref<?xf32> to memref<?xf32>
  func.return
}

func.func @calls_in_branch(%c: i1, %x: memref<?xf32>) {
  scf.if %c {
    func.call @unaligned(%x) : (memref<?xf32>) -> ()
  }
  func.return
}

// A caller that knows the size only in its loop allocates there, and nothing of a negative size:
// the callee may end the program before it allocates.
// CHECK-LABEL: func.func @loads_in_loop(
// CHECK:         scf.for
// CHECK:           %[[loaded:.*]] = memref.load
// CHECK:           %[[positive:.*]] = arith.maxsi %[[loaded]], %{{.*}}
// CHECK:           arith.muli %[[positive]], %{{.*}}
// CHECK:           memref.alloc(%{{.*}}) {alignment = 16 : i64} : memref<?xi8>
// CHECK:           func.call @asserts(
// CHECK:         func.return
func.func private @asserts(%x: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %ok = arith.cmpi sge, %n, %c0 : index
  cf.assert %ok, "negative"
  %a = memref.alloc(%n) : memref<?xf32>
  memref.copy %x, %a : memref<?xf32> to memref<?xf32>
  memref.copy %a, %x : memref<?xf32> to memref<?xf32>
  func.return
}

func.func @loads_in_loop(%x: memref<?xf32>, %sizes: memref<8xindex>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    %n = memref.load %sizes[%i] : memref<8xindex>
    func.call @asserts(%x, %n) : (memref<?xf32>, index) -> ()
  }
  func.return
}
