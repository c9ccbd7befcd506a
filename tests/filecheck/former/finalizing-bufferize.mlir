// RUN: xdsl-opt %s -p finalizing-bufferize | filecheck %s

// CHECK-LABEL: func.func @pair(%m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    func.return %m : memref<4xf32>
func.func @pair(%m: memref<4xf32>) -> memref<4xf32> {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
  func.return %1 : memref<4xf32>
}

// CHECK-LABEL: func.func @chain(%m: memref<*xf32>) -> memref<*xf32> {
// CHECK-NEXT:    func.return %m : memref<*xf32>
func.func @chain(%m: memref<*xf32>) -> memref<*xf32> {
  %0 = bufferization.to_tensor %m : memref<*xf32> to tensor<*xf32>
  %1 = bufferization.to_buffer %0 : tensor<*xf32> to memref<*xf32>
  %2 = bufferization.to_tensor %1 : memref<*xf32> to tensor<*xf32>
  %3 = bufferization.to_buffer %2 : tensor<*xf32> to memref<*xf32>
  func.return %3 : memref<*xf32>
}

// CHECK-LABEL: func.func @unused(%m: memref<4xf32>) {
// CHECK-NEXT:    func.return
func.func @unused(%m: memref<4xf32>) {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  func.return
}

// Every memref without a layout has unknown strides and offset, too.
// CHECK-LABEL: func.func @cast(%m: memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    %0 = "memref.cast"(%m) : (memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %0 : memref<?xf32, strided<[?], offset: ?>>
func.func @cast(%m: memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  func.return %1 : memref<?xf32, strided<[?], offset: ?>>
}

// The other way round it takes a copy.
// CHECK-LABEL: func.func @copy(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %2 = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%m, %2) : (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32>) -> ()
// CHECK-NEXT:    func.return %2 : memref<?xf32>
func.func @copy(%m: memref<?xf32, strided<[?], offset: ?>>) -> memref<?xf32> {
  %0 = bufferization.to_tensor %m : memref<?xf32, strided<[?], offset: ?>> to tensor<?xf32>
  %1 = bufferization.to_buffer %0 : tensor<?xf32> to memref<?xf32>
  func.return %1 : memref<?xf32>
}

// CHECK-LABEL: func.func @memory_spaces(%m: memref<4xf32, 1 : i64>) -> memref<4xf32, 2 : i64> {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 2 : i64>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4xf32, 1 : i64>, memref<4xf32, 2 : i64>) -> ()
// CHECK-NEXT:    func.return %0 : memref<4xf32, 2 : i64>
func.func @memory_spaces(%m: memref<4xf32, 1>) -> memref<4xf32, 2> {
  %0 = bufferization.to_tensor %m : memref<4xf32, 1> to tensor<4xf32>
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, 2>
  func.return %1 : memref<4xf32, 2>
}

// CHECK-LABEL: func.func @regions(%c: i1, %m: memref<4xf32>, %n: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %0 = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:      scf.yield %m : memref<4xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %n : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %0 : memref<4xf32>
func.func @regions(%c: i1, %m: memref<4xf32>, %n: memref<4xf32>) -> memref<4xf32> {
  %0 = scf.if %c -> (memref<4xf32>) {
    %1 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32>
    scf.yield %2 : memref<4xf32>
  } else {
    scf.yield %n : memref<4xf32>
  }
  func.return %0 : memref<4xf32>
}

// What cannot be reached may have tensors as long as it is there.
// CHECK-LABEL: func.func @unreachable(%m: memref<4xf32>) {
// CHECK-NEXT:    func.return
func.func @unreachable(%m: memref<4xf32>) {
  func.return
^bb1:
  %0 = "test.op"() : () -> tensor<4xf32>
  func.return
}
