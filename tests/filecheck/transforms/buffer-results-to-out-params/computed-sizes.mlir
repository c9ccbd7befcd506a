// RUN: xdsl-opt %s -p 'buffer-results-to-out-params{hoist-dynamic-allocs}' | filecheck %s

// Callers compute sizes by the same ops, each once, also those of results that their callees return.

func.func private @inner(%n: i32, %k: index) -> memref<?x?xf32> {
  %c = arith.constant 3 : i32
  %m = arith.minsi %n, %c : i32
  %i = arith.index_cast %m : i32 to index
  %z = arith.constant 0 : index
  %p = arith.maxsi %k, %z : index
  %q = arith.muli %p, %i : index
  %a = memref.alloc(%q, %i) : memref<?x?xf32>
  func.return %a : memref<?x?xf32>
}

// CHECK-LABEL: func.func private @outer(%n: i32, %k: index, %a: memref<?xf32>) {
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.maxsi %k, %0 : index
// CHECK-NEXT:      %2 = arith.constant 3 : i32
// CHECK-NEXT:      %3 = arith.minsi %n, %2 : i32
// CHECK-NEXT:      %4 = arith.index_cast %3 : i32 to index
// CHECK-NEXT:      %5 = arith.muli %4, %1 : index
// CHECK-NEXT:      %r = memref.alloc(%5, %4) : memref<?x?xf32>
// CHECK-NEXT:      func.call @inner(%n, %k, %r) : (i32, index, memref<?x?xf32>) -> ()
func.func private @outer(%n: i32, %k: index) -> memref<?xf32> {
  %r = func.call @inner(%n, %k) : (i32, index) -> memref<?x?xf32>
  %z = arith.constant 0 : index
  %d = memref.dim %r, %z : memref<?x?xf32>
  %a = memref.alloc(%d) : memref<?xf32>
  func.return %a : memref<?xf32>
}

// CHECK-LABEL: func.func @caller(%n: i32) -> memref<?xf32> {
// CHECK:           %r = memref.alloc(%{{.*}}) : memref<?xf32>
// CHECK-NEXT:      func.call @outer(%n, %k, %r) : (i32, index, memref<?xf32>) -> ()
func.func @caller(%n: i32) -> memref<?xf32> {
  %k = arith.constant 7 : index
  %r = func.call @outer(%n, %k) : (i32, index) -> memref<?xf32>
  func.return %r : memref<?xf32>
}
