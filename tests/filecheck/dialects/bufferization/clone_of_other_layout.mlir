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

// What is freed may be the source in another shape.
// CHECK-LABEL: func.func @reshaped(
// CHECK-NEXT:    %r = "memref.reshape"(%m, %s) : (memref<8xf32>, memref<2xindex>) -> memref<2x4xf32>
// CHECK-NEXT:    func.return %r : memref<2x4xf32>
func.func @reshaped(%m: memref<8xf32>, %s: memref<2xindex>) -> memref<2x4xf32> {
  %r = memref.reshape %m(%s) : (memref<8xf32>, memref<2xindex>) -> memref<2x4xf32>
  %c = bufferization.clone %r : memref<2x4xf32> to memref<2x4xf32>
  memref.dealloc %m : memref<8xf32>
  func.return %c : memref<2x4xf32>
}

// A part cannot be freed instead of the whole.
// CHECK-LABEL: func.func @part(
// CHECK:         bufferization.clone
// CHECK-NEXT:    memref.dealloc %m
func.func @part(%m: memref<8xf32>) -> memref<4xf32, strided<[1], offset: 4>> {
  %v = memref.subview %m[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  %c = bufferization.clone %v : memref<4xf32, strided<[1], offset: 4>> to memref<4xf32, strided<[1], offset: 4>>
  memref.dealloc %m : memref<8xf32>
  func.return %c : memref<4xf32, strided<[1], offset: 4>>
}
