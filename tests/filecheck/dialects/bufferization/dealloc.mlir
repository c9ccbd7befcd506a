// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @nothing() {
// CHECK-NEXT:    bufferization.dealloc
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "nothing", function_type = () -> ()}> ({
// CHECK-GENERIC-NEXT:    "bufferization.dealloc"() <{operandSegmentSizes = array<i32: 0, 0, 0>}> : () -> ()
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @nothing() {
  bufferization.dealloc
  func.return
}

// CHECK-LABEL: func.func @memrefs(%a: memref<2xf32>, %b: memref<?xi32, 1 : i64>, %x: i1, %y: i1) {
// CHECK-NEXT:    bufferization.dealloc (%a : memref<2xf32>) if (%x)
// CHECK-NEXT:    bufferization.dealloc (%a, %b : memref<2xf32>, memref<?xi32, 1 : i64>) if (%x, %y)
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "memrefs", function_type = (memref<2xf32>, memref<?xi32, 1 : i64>, i1, i1) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%a: memref<2xf32>, %b: memref<?xi32, 1 : i64>, %x: i1, %y: i1):
// CHECK-GENERIC-NEXT:    "bufferization.dealloc"(%a, %x) <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (memref<2xf32>, i1) -> ()
// CHECK-GENERIC-NEXT:    "bufferization.dealloc"(%a, %b, %x, %y) <{operandSegmentSizes = array<i32: 2, 2, 0>}> : (memref<2xf32>, memref<?xi32, 1 : i64>, i1, i1) -> ()
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @memrefs(%a: memref<2xf32>, %b: memref<?xi32, 1 : i64>, %x: i1, %y: i1) {
  bufferization.dealloc (%a : memref<2xf32>) if (%x)
  bufferization.dealloc (%a, %b : memref<2xf32>, memref<?xi32, 1 : i64>) if (%x, %y)
  func.return
}

// CHECK-LABEL: func.func @retained(%a: memref<2xf32>, %u: memref<*xf32>) {
// CHECK-NEXT:    %0 = bufferization.dealloc retain (%a : memref<2xf32>)
// CHECK-NEXT:    %1, %2 = bufferization.dealloc retain (%a, %u : memref<2xf32>, memref<*xf32>)
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "retained", function_type = (memref<2xf32>, memref<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%a: memref<2xf32>, %u: memref<*xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.dealloc"(%a) <{operandSegmentSizes = array<i32: 0, 0, 1>}> : (memref<2xf32>) -> i1
// CHECK-GENERIC-NEXT:    %1, %2 = "bufferization.dealloc"(%a, %u) <{operandSegmentSizes = array<i32: 0, 0, 2>}> : (memref<2xf32>, memref<*xf32>) -> (i1, i1)
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @retained(%a: memref<2xf32>, %u: memref<*xf32>) {
  %0 = bufferization.dealloc retain (%a : memref<2xf32>)
  %1, %2 = bufferization.dealloc retain (%a, %u : memref<2xf32>, memref<*xf32>)
  func.return
}

// CHECK-LABEL: func.func @both(%a: memref<2xf32>, %r: memref<?xf32, strided<[?], offset: ?>>, %x: i1) -> i1 {
// CHECK-NEXT:    %0 = bufferization.dealloc (%a : memref<2xf32>) if (%x) retain (%r : memref<?xf32, strided<[?], offset: ?>>) {note}
// CHECK-NEXT:    func.return %0 : i1
// CHECK-GENERIC: "func.func"() <{sym_name = "both", function_type = (memref<2xf32>, memref<?xf32, strided<[?], offset: ?>>, i1) -> i1}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%a: memref<2xf32>, %r: memref<?xf32, strided<[?], offset: ?>>, %x: i1):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.dealloc"(%a, %x, %r) <{operandSegmentSizes = array<i32: 1, 1, 1>}> {note} : (memref<2xf32>, i1, memref<?xf32, strided<[?], offset: ?>>) -> i1
// CHECK-GENERIC-NEXT:    "func.return"(%0) : (i1) -> ()
func.func @both(%a: memref<2xf32>, %r: memref<?xf32, strided<[?], offset: ?>>, %x: i1) -> i1 {
  %0 = bufferization.dealloc (%a : memref<2xf32>) if (%x) retain (%r : memref<?xf32, strided<[?], offset: ?>>) {note}
  func.return %0 : i1
}
