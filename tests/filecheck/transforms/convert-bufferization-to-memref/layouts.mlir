// RUN: xdsl-opt %s -p convert-bufferization-to-memref | filecheck %s

// A new buffer is contiguous, and cast to what the clone's type says of it.

// CHECK-LABEL: func.func @drop(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %c = memref.alloc(%1) : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<?xf32>
func.func @drop(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
  %c = bufferization.clone %m : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32>
  func.return %c : memref<?xf32>
}

// CHECK-LABEL: func.func @unknown(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %2 = memref.alloc(%1) : memref<?xf32>
// CHECK-NEXT:    %c = "memref.cast"(%2) : (memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%m, %2) : (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<?xf32, strided<[?], offset: ?>>
func.func @unknown(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>> {
  %c = bufferization.clone %m : memref<?xf32, strided<[?], offset: ?>> to memref<?xf32, strided<[?], offset: ?>>
  func.return %c : memref<?xf32, strided<[?], offset: ?>>
}

// CHECK-LABEL: func.func @unknown_in_part(%m: memref<4x4xf32, strided<[?, 1], offset: ?>>) -> memref<4x4xf32, strided<[?, 1], offset: ?>> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4x4xf32>
// CHECK-NEXT:    %c = "memref.cast"(%0) : (memref<4x4xf32>) -> memref<4x4xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4x4xf32, strided<[?, 1], offset: ?>>, memref<4x4xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<4x4xf32, strided<[?, 1], offset: ?>>
func.func @unknown_in_part(%m: memref<4x4xf32, strided<[?, 1], offset: ?>>) -> memref<4x4xf32, strided<[?, 1], offset: ?>> {
  %c = bufferization.clone %m : memref<4x4xf32, strided<[?, 1], offset: ?>> to memref<4x4xf32, strided<[?, 1], offset: ?>>
  func.return %c : memref<4x4xf32, strided<[?, 1], offset: ?>>
}

// CHECK-LABEL: func.func @contiguous(%m: memref<4x4xf32, strided<[4, 1]>>) -> memref<4x4xf32, strided<[4, 1]>> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4x4xf32>
// CHECK-NEXT:    %c = "memref.cast"(%0) : (memref<4x4xf32>) -> memref<4x4xf32, strided<[4, 1]>>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4x4xf32, strided<[4, 1]>>, memref<4x4xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<4x4xf32, strided<[4, 1]>>
func.func @contiguous(%m: memref<4x4xf32, strided<[4, 1]>>) -> memref<4x4xf32, strided<[4, 1]>> {
  %c = bufferization.clone %m : memref<4x4xf32, strided<[4, 1]>> to memref<4x4xf32, strided<[4, 1]>>
  func.return %c : memref<4x4xf32, strided<[4, 1]>>
}

// CHECK-LABEL: func.func @known_from_sizes(%m: memref<4x8xf32>) -> memref<?x?xf32, strided<[8, 1], offset: ?>> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4x8xf32>
// CHECK-NEXT:    %c = "memref.cast"(%0) : (memref<4x8xf32>) -> memref<?x?xf32, strided<[8, 1], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<?x?xf32, strided<[8, 1], offset: ?>>
func.func @known_from_sizes(%m: memref<4x8xf32>) -> memref<?x?xf32, strided<[8, 1], offset: ?>> {
  %c = bufferization.clone %m : memref<4x8xf32> to memref<?x?xf32, strided<[8, 1], offset: ?>>
  func.return %c : memref<?x?xf32, strided<[8, 1], offset: ?>>
}

// CHECK-LABEL: func.func @layout_and_size(%m: memref<?x4xf32, strided<[8, 1], offset: 2>>) -> memref<3x4xf32> {
// CHECK-NEXT:    %v = "memref.cast"(%m) : (memref<?x4xf32, strided<[8, 1], offset: 2>>) -> memref<?x4xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:    %0 = "memref.cast"(%v) : (memref<?x4xf32, strided<[?, 1], offset: ?>>) -> memref<3x4xf32, strided<[?, 1], offset: ?>>
// CHECK-NEXT:    %c = memref.alloc() : memref<3x4xf32>
// CHECK-NEXT:    "memref.copy"(%0, %c) : (memref<3x4xf32, strided<[?, 1], offset: ?>>, memref<3x4xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<3x4xf32>
func.func @layout_and_size(%m: memref<?x4xf32, strided<[8, 1], offset: 2>>) -> memref<3x4xf32> {
  %v = "memref.cast"(%m) : (memref<?x4xf32, strided<[8, 1], offset: 2>>) -> memref<?x4xf32, strided<[?, 1], offset: ?>>
  %c = bufferization.clone %v : memref<?x4xf32, strided<[?, 1], offset: ?>> to memref<3x4xf32>
  func.return %c : memref<3x4xf32>
}

// A layout or memory space may be another one than that of the source, as it is a copy.
// CHECK-LABEL: func.func @to_contiguous(
// CHECK-NEXT:    %c = memref.alloc() : memref<8x8xf32>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<8x8xf32, strided<[16, 1], offset: ?>>, memref<8x8xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<8x8xf32>
func.func @to_contiguous(%m: memref<8x8xf32, strided<[16, 1], offset: ?>>) -> memref<8x8xf32> {
  %c = bufferization.clone %m : memref<8x8xf32, strided<[16, 1], offset: ?>> to memref<8x8xf32>
  func.return %c : memref<8x8xf32>
}

// CHECK-LABEL: func.func @memory_space(
// CHECK-NEXT:    %c = memref.alloc() : memref<8xf32, 1 : i64>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<8xf32>, memref<8xf32, 1 : i64>) -> ()
// CHECK-NEXT:    func.return %c : memref<8xf32, 1 : i64>
func.func @memory_space(%m: memref<8xf32>) -> memref<8xf32, 1 : i64> {
  %c = bufferization.clone %m : memref<8xf32> to memref<8xf32, 1 : i64>
  func.return %c : memref<8xf32, 1 : i64>
}
