// RUN: xdsl-opt %s -p plan-static-memory 2>/dev/null | filecheck %s
// RUN: xdsl-opt %s -p plan-static-memory 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// No memory is as large as what the branch allocates. In an arena, calls that do not take it would fail.
// REMARK:      remark: 'memref.alloc' stays an allocation of its own: no memory is so large, and executions that do not need it would allocate it
// REMARK-NEXT:   at: {{.*}} in @static
// CHECK-LABEL: func.func @static(
// CHECK:         memref.alloc() {alignment = 16 : i64} : memref<16xi8>
// CHECK:         scf.if
// CHECK-NEXT:      memref.alloc() : memref<4294967296x4294967296xf32>
func.func @static(%c: i1) {
  %s = memref.alloc() : memref<4xf32>
  "test.op"(%s) : (memref<4xf32>) -> ()
  scf.if %c {
    %m = memref.alloc() : memref<4294967296x4294967296xf32>
    "test.op"(%m) : (memref<4294967296x4294967296xf32>) -> ()
  }
  func.return
}

// Several that are live at once, each within the numbers of `index`.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT:     memref.view
// CHECK:         func.return
func.func @sum() {
  %a = memref.alloc() : memref<4611686018427387904xi8>
  %b = memref.alloc() : memref<4611686018427387904xi8>
  "test.op"(%a, %b) : (memref<4611686018427387904xi8>, memref<4611686018427387904xi8>) -> ()
  func.return
}

// The number of bytes, 2^37 times the size of %x, may wrap.
// REMARK:      remark: 'memref.alloc' stays an allocation of its own: no memory is so large
// REMARK:        at: {{.*}} in @rows
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:     memref.view
// CHECK:         func.return
func.func @rows(%x: memref<?xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  scf.if %c {
    %m = memref.alloc(%n) : memref<?x4294967296x8xf32>
    "test.op"(%m) : (memref<?x4294967296x8xf32>) -> ()
  }
  func.return
}

// So may a product of integers; the loop may have no iteration.
// REMARK:      remark: 'memref.alloc' stays an allocation of its own: it is in a branch
// REMARK-NEXT:   at: {{.*}} in @product
// CHECK-LABEL: func.func @product(
// CHECK:         scf.for
// CHECK-NEXT:      memref.alloc(%n, %k) : memref<?x?xf32>
func.func @product(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %m = memref.alloc(%n, %k) : memref<?x?xf32>
    "test.op"(%m) : (memref<?x?xf32>) -> ()
  }
  func.return
}

// This loop has four.
// CHECK-LABEL: func.func @product_of_certain_loop(
// CHECK:         scf.for
// CHECK-NEXT:      memref.view
func.func @product_of_certain_loop(%n: index, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    %m = memref.alloc(%n, %k) : memref<?x?xf32>
    "test.op"(%m) : (memref<?x?xf32>) -> ()
  }
  func.return
}
