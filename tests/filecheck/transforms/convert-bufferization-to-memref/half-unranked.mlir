// RUN: xdsl-opt %s -p convert-bufferization-to-memref | filecheck %s

// Where input or output has a rank, the new buffer has it.

// CHECK-LABEL: func.func @to_ranked(%m: memref<*xf32, 1 : i64>) -> memref<?x4xf32, 1 : i64> {
// CHECK-NEXT:    %0 = "memref.cast"(%m) : (memref<*xf32, 1 : i64>) -> memref<?x4xf32, strided<[?, ?], offset: ?>, 1 : i64>
// CHECK-NEXT:    %1 = arith.constant 0 : index
// CHECK-NEXT:    %2 = memref.dim %0, %1 : memref<?x4xf32, strided<[?, ?], offset: ?>, 1 : i64>
// CHECK-NEXT:    %c = memref.alloc(%2) : memref<?x4xf32, 1 : i64>
// CHECK-NEXT:    "memref.copy"(%0, %c) : (memref<?x4xf32, strided<[?, ?], offset: ?>, 1 : i64>, memref<?x4xf32, 1 : i64>) -> ()
// CHECK-NEXT:    func.return %c : memref<?x4xf32, 1 : i64>
func.func @to_ranked(%m: memref<*xf32, 1>) -> memref<?x4xf32, 1> {
  %c = bufferization.clone %m : memref<*xf32, 1> to memref<?x4xf32, 1>
  func.return %c : memref<?x4xf32, 1>
}

// CHECK-LABEL: func.func @to_layout(%m: memref<*xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    %0 = "memref.cast"(%m) : (memref<*xf32>) -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %1 = arith.constant 0 : index
// CHECK-NEXT:    %2 = memref.dim %0, %1 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %3 = memref.alloc(%2) : memref<?xf32>
// CHECK-NEXT:    %c = "memref.cast"(%3) : (memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%0, %3) : (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<?xf32, strided<[?], offset: ?>>
func.func @to_layout(%m: memref<*xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
  %c = bufferization.clone %m : memref<*xf32> to memref<?xf32, strided<[?], offset: ?>>
  func.return %c : memref<?xf32, strided<[?], offset: ?>>
}

// CHECK-LABEL: func.func @to_unranked(%m: memref<?x4xf32>) -> memref<*xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?x4xf32>
// CHECK-NEXT:    %2 = memref.alloc(%1) : memref<?x4xf32>
// CHECK-NEXT:    %c = "memref.cast"(%2) : (memref<?x4xf32>) -> memref<*xf32>
// CHECK-NEXT:    "memref.copy"(%m, %2) : (memref<?x4xf32>, memref<?x4xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<*xf32>
func.func @to_unranked(%m: memref<?x4xf32>) -> memref<*xf32> {
  %c = bufferization.clone %m : memref<?x4xf32> to memref<*xf32>
  func.return %c : memref<*xf32>
}

// CHECK-LABEL: func.func @layout_to_unranked(%m: memref<4xf32, strided<[2], offset: ?>>) -> memref<*xf32> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %c = "memref.cast"(%0) : (memref<4xf32>) -> memref<*xf32>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4xf32, strided<[2], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<*xf32>
func.func @layout_to_unranked(%m: memref<4xf32, strided<[2], offset: ?>>) -> memref<*xf32> {
  %c = bufferization.clone %m : memref<4xf32, strided<[2], offset: ?>> to memref<*xf32>
  func.return %c : memref<*xf32>
}
