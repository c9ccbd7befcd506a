// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map allow-return-allocs-from-loops=true}' | filecheck %s

// A slice of a slice, as large as that: nothing of it is left out, so that it is in place.
// CHECK-LABEL: func.func @slice_sizes(%t: memref<?x?xf32>, %n: index, %f: f32) -> memref<?x?xf32> {
// CHECK-NEXT:    %e = memref.subview %t[%n, 0] [%n, %n] [1, 1] : memref<?x?xf32> to memref<?x?xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%e : memref<?x?xf32, strided<[?, 1], offset: ?>>)
// CHECK-NEXT:    func.return %t : memref<?x?xf32>
func.func @slice_sizes(%t: tensor<?x?xf32>, %n: index, %f: f32) -> tensor<?x?xf32> {
  %e = tensor.extract_slice %t[%n, 0] [%n, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %g = tensor.extract_slice %e[0, 0] [%n, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  %x = linalg.fill ins(%f : f32) outs(%g : tensor<?x?xf32>) -> tensor<?x?xf32>
  %r = tensor.insert_slice %x into %e[0, 0] [%n, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  %q = tensor.insert_slice %r into %t[%n, 0] [%n, %n] [1, 1] : tensor<?x?xf32> into tensor<?x?xf32>
  func.return %q : tensor<?x?xf32>
}

// The loop carries a tensor as large as what it starts with. The copy behind it is for the
// layout: nothing tells that of the slice's.
// CHECK-LABEL: func.func @loop(%t: memref<?xf32>, %n: index, %f: f32) -> memref<?xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %d = memref.dim %t, %c0 : memref<?xf32>
// CHECK-NEXT:    %0 = "memref.cast"(%t) : (memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %0) -> (memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:      %e = memref.subview %a[0] [%d] [1] : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      memref.store %f, %e[%i] : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      scf.yield %e : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    }
// CHECK-NEXT:    %1 = arith.constant 0 : index
// CHECK-NEXT:    %2 = memref.dim %r, %1 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %3 = memref.alloc(%2) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%r, %3) : (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32>) -> ()
// CHECK-NEXT:    func.return %3 : memref<?xf32>
func.func @loop(%t: tensor<?xf32>, %n: index, %f: f32) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    %e = tensor.extract_slice %a[0] [%d] [1] : tensor<?xf32> to tensor<?xf32>
    %x = tensor.insert %f into %e[%i] : tensor<?xf32>
    scf.yield %x : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// And so does each of two, so that the slice behind them is all of the result.
// CHECK-LABEL: func.func @nested(%t: memref<?xf32>, %n: index, %f: f32, %s: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %d = memref.dim %t, %c0 : memref<?xf32>
// CHECK-NEXT:    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (memref<?xf32>) {
// CHECK-NEXT:      %b = scf.for %j = %c0 to %n step %c1 iter_args(%c = %a) -> (memref<?xf32>) {
// CHECK-NEXT:        memref.store %f, %c[%j] : memref<?xf32>
// CHECK-NEXT:        scf.yield %c : memref<?xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %b : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %e = memref.subview %r[0] [%d] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:    memref.store %f, %e[%n] : memref<?xf32, strided<[1]>>
// CHECK-NEXT:    %0 = "memref.cast"(%e) : (memref<?xf32, strided<[1]>>) -> memref<?xf32>
// CHECK-NEXT:    func.return %0 : memref<?xf32>
func.func @nested(%t: tensor<?xf32>, %n: index, %f: f32, %s: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    %b = scf.for %j = %c0 to %n step %c1 iter_args(%c = %a) -> (tensor<?xf32>) {
      %x = tensor.insert %f into %c[%j] : tensor<?xf32>
      scf.yield %x : tensor<?xf32>
    }
    scf.yield %b : tensor<?xf32>
  }
  %e = tensor.extract_slice %r[0] [%d] [1] : tensor<?xf32> to tensor<?xf32>
  %y = tensor.insert %f into %e[%n] : tensor<?xf32>
  func.return %y : tensor<?xf32>
}

// What the loop carries may grow, so that a slice is not all of it.
// CHECK-LABEL: func.func @growing(%t: memref<?xf32>, %s: memref<?xf32>, %n: index) -> (memref<?xf32>, memref<?xf32>) {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %d = memref.dim %t, %c0 : memref<?xf32>
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %t, %0 : memref<?xf32>
// CHECK-NEXT:    %2 = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%t, %2) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %2) -> (memref<?xf32>) {
// CHECK-NEXT:      %3 = arith.constant 0 : index
// CHECK-NEXT:      %4 = memref.dim %s, %3 : memref<?xf32>
// CHECK-NEXT:      %5 = memref.alloc(%4) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:      "memref.copy"(%s, %5) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:      scf.yield %5 : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %6 = arith.constant 0 : index
// CHECK-NEXT:    %7 = memref.dim %r, %6 : memref<?xf32>
// CHECK-NEXT:    %x = memref.alloc(%7) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%r, %x) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    %8 = memref.subview %x[0] [%d] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:    "memref.copy"(%t, %8) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:    func.return %x, %r : memref<?xf32>, memref<?xf32>
func.func @growing(%t: tensor<?xf32>, %s: tensor<?xf32> {bufferization.writable = false}, %n: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<?xf32>) {
    scf.yield %s : tensor<?xf32>
  }
  %x = tensor.insert_slice %t into %r[0] [%d] [1] : tensor<?xf32> into tensor<?xf32>
  func.return %x, %r : tensor<?xf32>, tensor<?xf32>
}

// As large as its copy, and as an output of a parallel loop.
// CHECK-LABEL: func.func @same_size(%t: memref<?xf32>, %s: memref<?xf32>) -> (memref<?xf32>, memref<?xf32>) {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %d = memref.dim %t, %c0 : memref<?xf32>
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %t, %0 : memref<?xf32>
// CHECK-NEXT:    %a = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%t, %a) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    "scf.forall"() <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 4>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
// CHECK-NEXT:    ^bb0(%i: index):
// CHECK-NEXT:      %2 = memref.subview %a[0] [%d] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:      "memref.copy"(%s, %2) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:      ^bb0:
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) : () -> ()
// CHECK-NEXT:    %3 = arith.constant 0 : index
// CHECK-NEXT:    %4 = memref.dim %a, %3 : memref<?xf32>
// CHECK-NEXT:    %x = memref.alloc(%4) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    %5 = memref.subview %x[0] [%d] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:    "memref.copy"(%s, %5) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:    func.return %x, %a : memref<?xf32>, memref<?xf32>
func.func @same_size(%t: tensor<?xf32>, %s: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %t, %c0 : tensor<?xf32>
  %a = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  %p = scf.forall (%i) in (4) shared_outs(%o = %a) -> (tensor<?xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[0] [%d] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  %x = tensor.insert_slice %s into %p[0] [%d] [1] : tensor<?xf32> into tensor<?xf32>
  func.return %x, %p : tensor<?xf32>, tensor<?xf32>
}

// What is computed in the buffer of a tensor is there already when it is inserted as all of
// it; at an offset that is not known, as no other than 0 is within the bounds.
// CHECK-LABEL: func.func @inserted_as_a_whole(
// CHECK-NEXT:    linalg.exp ins(%u {{.*}}) outs(%t {{.*}})
// CHECK-NEXT:    func.return %t
func.func @inserted_as_a_whole(%t: tensor<8xf32>, %u: tensor<8xf32>, %i: index) -> tensor<8xf32> {
  %f = linalg.exp ins(%u : tensor<8xf32>) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.insert_slice %f into %t[%i] [8] [1] : tensor<8xf32> into tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @inserted_in_parallel(
// CHECK:         "scf.forall"() <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 1>, staticStep = array<i64: 1>, operandSegmentSizes = array<i32: 0, 0, 0, 0>}> ({
// CHECK-NOT:       memref.alloc
// CHECK:           linalg.exp ins(%u {{.*}}) outs(%t {{.*}})
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:      ^bb0:
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) : () -> ()
// CHECK-NEXT:    func.return %t
func.func @inserted_in_parallel(%t: tensor<?xf32>, %u: tensor<?xf32>) -> tensor<?xf32> {
  %zero = arith.constant 0 : index
  %r = scf.forall (%i) in (1) shared_outs(%o = %t) -> (tensor<?xf32>) {
    %n = tensor.dim %o, %zero : tensor<?xf32>
    %f = linalg.exp ins(%u : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %f into %o[%i] [%n] [1] : tensor<?xf32> into tensor<?xf32>
    }
  }
  func.return %r : tensor<?xf32>
}
