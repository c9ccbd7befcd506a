// RUN: xdsl-opt %s -p canonicalize | filecheck %s

// A clone in another layout or memory space is a copy, also where one of the two is freed.
// CHECK-LABEL: func.func @layout(
// CHECK-NEXT:    %c = bufferization.clone %m : memref<8xf32, strided<[2]>> to memref<8xf32>
func.func @layout(%m: memref<8xf32, strided<[2]>>) -> memref<8xf32> {
  %c = bufferization.clone %m : memref<8xf32, strided<[2]>> to memref<8xf32>
  memref.dealloc %m : memref<8xf32, strided<[2]>>
  func.return %c : memref<8xf32>
}

// CHECK-LABEL: func.func @unknown_layout(
// CHECK-NEXT:    %c = bufferization.clone %m : memref<8xf32, strided<[?]>> to memref<8xf32>
func.func @unknown_layout(%m: memref<8xf32, strided<[?]>>) -> memref<8xf32> {
  %c = bufferization.clone %m : memref<8xf32, strided<[?]>> to memref<8xf32>
  memref.dealloc %m : memref<8xf32, strided<[?]>>
  func.return %c : memref<8xf32>
}

// CHECK-LABEL: func.func @memory_space(
// CHECK-NEXT:    %c = bufferization.clone %m : memref<8xf32> to memref<8xf32, 1 : i64>
func.func @memory_space(%m: memref<8xf32>) -> memref<8xf32, 1 : i64> {
  %c = bufferization.clone %m : memref<8xf32> to memref<8xf32, 1 : i64>
  memref.dealloc %m : memref<8xf32>
  func.return %c : memref<8xf32, 1 : i64>
}
