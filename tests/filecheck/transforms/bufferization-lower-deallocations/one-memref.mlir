// RUN: xdsl-opt %s -p bufferization-lower-deallocations | filecheck %s

// CHECK-LABEL: func.func @nothing() {
// CHECK-NEXT:    func.return
func.func @nothing() {
  bufferization.dealloc
  func.return
}

// Nobody owned what is retained.
// CHECK-LABEL: func.func @retained_only(%r0: memref<4xf32>, %r1: memref<?xi8>) -> (i1, i1) {
// CHECK-NEXT:    %o0 = arith.constant false
// CHECK-NEXT:    %o1 = arith.constant false
// CHECK-NEXT:    func.return %o0, %o1 : i1, i1
func.func @retained_only(%r0: memref<4xf32>, %r1: memref<?xi8>) -> (i1, i1) {
  %o0, %o1 = bufferization.dealloc retain (%r0, %r1 : memref<4xf32>, memref<?xi8>)
  func.return %o0, %o1 : i1, i1
}

// CHECK-LABEL: func.func @condition(%m: memref<?xf32>, %c: i1) {
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.dealloc %m : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @condition(%m: memref<?xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<?xf32>) if (%c)
  func.return
}

// CHECK-LABEL: func.func @always(%m: memref<?xf32>) {
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    memref.dealloc %m : memref<?xf32>
// CHECK-NEXT:    func.return
func.func @always(%m: memref<?xf32>) {
  %true = arith.constant true
  bufferization.dealloc (%m : memref<?xf32>) if (%true)
  func.return
}

// CHECK-LABEL: func.func @always_the_whole(%m: memref<4xf32, strided<[2]>>) {
// CHECK-NEXT:    %true = arith.constant true
// CHECK-NEXT:    %0, %1, %2, %3 = memref.extract_strided_metadata %m
// CHECK-NEXT:    memref.dealloc %0 : memref<f32>
// CHECK-NEXT:    func.return
func.func @always_the_whole(%m: memref<4xf32, strided<[2]>>) {
  %true = arith.constant true
  bufferization.dealloc (%m : memref<4xf32, strided<[2]>>) if (%true)
  func.return
}

// CHECK-LABEL: func.func @retained(%m: memref<?xf32>, %c: i1, %r: memref<4xf32, 1 : i64>) -> i1 {
// CHECK-NEXT:    %0 = "memref.extract_aligned_pointer_as_index"(%m) : (memref<?xf32>) -> index
// CHECK-NEXT:    %1 = "memref.extract_aligned_pointer_as_index"(%r) : (memref<4xf32, 1 : i64>) -> index
// CHECK-NEXT:    %2 = arith.cmpi ne, %0, %1 : index
// CHECK-NEXT:    %3 = arith.andi %2, %c : i1
// CHECK-NEXT:    scf.if %3 {
// CHECK-NEXT:      memref.dealloc %m : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %4 = arith.constant true
// CHECK-NEXT:    %5 = arith.xori %2, %4 : i1
// CHECK-NEXT:    %o = arith.andi %5, %c : i1
// CHECK-NEXT:    func.return %o : i1
func.func @retained(%m: memref<?xf32>, %c: i1, %r: memref<4xf32, 1>) -> i1 {
  %o = bufferization.dealloc (%m : memref<?xf32>) if (%c) retain (%r : memref<4xf32, 1>)
  func.return %o : i1
}

// Of what may be a part of a buffer the whole is freed.
// CHECK-LABEL: func.func @two_retained(%m: memref<4xf32, strided<[2], offset: ?>>, %c: i1, %r0: memref<4xf32>, %r1: memref<f32>) -> (i1, i1) {
// CHECK-NEXT:    %0 = "memref.extract_aligned_pointer_as_index"(%m) : (memref<4xf32, strided<[2], offset: ?>>) -> index
// CHECK-NEXT:    %1 = "memref.extract_aligned_pointer_as_index"(%r0) : (memref<4xf32>) -> index
// CHECK-NEXT:    %2 = arith.cmpi ne, %0, %1 : index
// CHECK-NEXT:    %3 = "memref.extract_aligned_pointer_as_index"(%r1) : (memref<f32>) -> index
// CHECK-NEXT:    %4 = arith.cmpi ne, %0, %3 : index
// CHECK-NEXT:    %5 = arith.andi %2, %4 : i1
// CHECK-NEXT:    %6 = arith.andi %5, %c : i1
// CHECK-NEXT:    scf.if %6 {
// CHECK-NEXT:      %7, %8, %9, %10 = memref.extract_strided_metadata %m : memref<4xf32, strided<[2], offset: ?>> -> memref<f32>, index, index, index
// CHECK-NEXT:      memref.dealloc %7 : memref<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %11 = arith.constant true
// CHECK-NEXT:    %12 = arith.xori %2, %11 : i1
// CHECK-NEXT:    %o0 = arith.andi %12, %c : i1
// CHECK-NEXT:    %13 = arith.xori %4, %11 : i1
// CHECK-NEXT:    %o1 = arith.andi %13, %c : i1
// CHECK-NEXT:    func.return %o0, %o1 : i1, i1
func.func @two_retained(%m: memref<4xf32, strided<[2], offset: ?>>, %c: i1, %r0: memref<4xf32>, %r1: memref<f32>) -> (i1, i1) {
  %o0, %o1 = bufferization.dealloc (%m : memref<4xf32, strided<[2], offset: ?>>) if (%c) retain (%r0, %r1 : memref<4xf32>, memref<f32>)
  func.return %o0, %o1 : i1, i1
}

// CHECK-LABEL: func.func @unranked(%m: memref<*xf32>, %c: i1) {
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.dealloc %m : memref<*xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @unranked(%m: memref<*xf32>, %c: i1) {
  bufferization.dealloc (%m : memref<*xf32>) if (%c)
  func.return
}

// CHECK-LABEL: func.func @nested(%m: memref<?xf32>, %c: i1) {
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        memref.dealloc %m : memref<?xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @nested(%m: memref<?xf32>, %c: i1) {
  scf.if %c {
    bufferization.dealloc (%m : memref<?xf32>) if (%c)
  }
  func.return
}
