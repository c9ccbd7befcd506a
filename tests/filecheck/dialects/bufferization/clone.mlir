// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @same_type(%m: memref<4x?xf32>) {
// CHECK-NEXT:    %0 = bufferization.clone %m : memref<4x?xf32> to memref<4x?xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "same_type", function_type = (memref<4x?xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%m: memref<4x?xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.clone"(%m) : (memref<4x?xf32>) -> memref<4x?xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @same_type(%m: memref<4x?xf32>) {
  %0 = bufferization.clone %m : memref<4x?xf32> to memref<4x?xf32>
  func.return
}

// CHECK-LABEL: func.func @other_sizes(%m: memref<4x?xf32>) {
// CHECK-NEXT:    %0 = bufferization.clone %m : memref<4x?xf32> to memref<?x8xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "other_sizes", function_type = (memref<4x?xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%m: memref<4x?xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.clone"(%m) : (memref<4x?xf32>) -> memref<?x8xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @other_sizes(%m: memref<4x?xf32>) {
  %0 = bufferization.clone %m : memref<4x?xf32> to memref<?x8xf32>
  func.return
}

// CHECK-LABEL: func.func @other_layout(%m: memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:    %0 = bufferization.clone %m : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "other_layout", function_type = (memref<4xf32, strided<[?], offset: ?>>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%m: memref<4xf32, strided<[?], offset: ?>>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.clone"(%m) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @other_layout(%m: memref<4xf32, strided<[?], offset: ?>>) {
  %0 = bufferization.clone %m : memref<4xf32, strided<[?], offset: ?>> to memref<4xf32>
  func.return
}

// CHECK-LABEL: func.func @unranked(%m: memref<4xf32, 1 : i64>, %u: memref<*xf32>) {
// CHECK-NEXT:    %0 = bufferization.clone %m : memref<4xf32, 1 : i64> to memref<*xf32, 1 : i64>
// CHECK-NEXT:    %1 = bufferization.clone %u : memref<*xf32> to memref<*xf32>
// CHECK-NEXT:    %2 = bufferization.clone %u {note} : memref<*xf32> to memref<2xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "unranked", function_type = (memref<4xf32, 1 : i64>, memref<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%m: memref<4xf32, 1 : i64>, %u: memref<*xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.clone"(%m) : (memref<4xf32, 1 : i64>) -> memref<*xf32, 1 : i64>
// CHECK-GENERIC-NEXT:    %1 = "bufferization.clone"(%u) : (memref<*xf32>) -> memref<*xf32>
// CHECK-GENERIC-NEXT:    %2 = "bufferization.clone"(%u) {note} : (memref<*xf32>) -> memref<2xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @unranked(%m: memref<4xf32, 1 : i64>, %u: memref<*xf32>) {
  %0 = bufferization.clone %m : memref<4xf32, 1 : i64> to memref<*xf32, 1 : i64>
  %1 = bufferization.clone %u : memref<*xf32> to memref<*xf32>
  %2 = bufferization.clone %u {note} : memref<*xf32> to memref<2xf32>
  func.return
}
