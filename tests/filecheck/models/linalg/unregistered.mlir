// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt --allow-unregistered-dialect %s -p one-shot-bufferize | filecheck %s --check-prefix=PLAIN

// Structured ops that no dialect defines take part by their name.
// CHECK-LABEL: func.func @later_matmul(%a: memref<2x3x4xf32>, %b: memref<2x4x5xf32>, %o: memref<2x3x5xf32>) -> memref<2x3x5xf32> {
// CHECK-NEXT:    "linalg.later_matmul"(%a, %b, %o) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// CHECK-NEXT:    ^bb0(%x: f32, %y: f32, %z: f32):
// CHECK-NEXT:      %p = arith.mulf %x, %y : f32
// CHECK-NEXT:      %s = arith.addf %z, %p : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }) : (memref<2x3x4xf32>, memref<2x4x5xf32>, memref<2x3x5xf32>) -> ()
// CHECK-NEXT:    func.return %o : memref<2x3x5xf32>
// PLAIN-LABEL: func.func @later_matmul(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %o: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
// PLAIN-NEXT:    %0 = bufferization.to_buffer %b : tensor<2x4x5xf32> to memref<2x4x5xf32, strided<[?, ?, ?], offset: ?>>
// PLAIN-NEXT:    %1 = bufferization.to_buffer %a : tensor<2x3x4xf32> to memref<2x3x4xf32, strided<[?, ?, ?], offset: ?>>
// PLAIN-NEXT:    %2 = bufferization.to_buffer %o : tensor<2x3x5xf32> to memref<2x3x5xf32, strided<[?, ?, ?], offset: ?>>
// PLAIN-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<2x3x5xf32>
// PLAIN-NEXT:    "memref.copy"(%2, %r) : (memref<2x3x5xf32, strided<[?, ?, ?], offset: ?>>, memref<2x3x5xf32>) -> ()
// PLAIN-NEXT:    "linalg.later_matmul"(%1, %0, %r) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// PLAIN-NEXT:    ^bb0(%x: f32, %y: f32, %z: f32):
// PLAIN-NEXT:      %p = arith.mulf %x, %y : f32
// PLAIN-NEXT:      %s = arith.addf %z, %p : f32
// PLAIN-NEXT:      linalg.yield %s : f32
// PLAIN-NEXT:    }) : (memref<2x3x4xf32, strided<[?, ?, ?], offset: ?>>, memref<2x4x5xf32, strided<[?, ?, ?], offset: ?>>, memref<2x3x5xf32>) -> ()
// PLAIN-NEXT:    %3 = bufferization.to_tensor %r : memref<2x3x5xf32> to tensor<2x3x5xf32>
// PLAIN-NEXT:    func.return %3 : tensor<2x3x5xf32>
func.func @later_matmul(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %o: tensor<2x3x5xf32>) -> tensor<2x3x5xf32> {
  %r = "linalg.later_matmul"(%a, %b, %o) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  func.return %r : tensor<2x3x5xf32>
}

// Its init is read, and needed afterwards.
// CHECK-LABEL: func.func @out_of_place(%a: memref<2x3x4xf32>, %b: memref<2x4x5xf32>, %o: memref<2x3x5xf32>) -> (memref<2x3x5xf32>, memref<2x3x5xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<2x3x5xf32>
// CHECK-NEXT:    "memref.copy"(%o, %r) : (memref<2x3x5xf32>, memref<2x3x5xf32>) -> ()
// CHECK-NEXT:    "linalg.later_matmul"(%a, %b, %r) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// CHECK-NEXT:    ^bb0(%x: f32, %y: f32, %z: f32):
// CHECK-NEXT:      %p = arith.mulf %x, %y : f32
// CHECK-NEXT:      %s = arith.addf %z, %p : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }) : (memref<2x3x4xf32>, memref<2x4x5xf32>, memref<2x3x5xf32>) -> ()
// CHECK-NEXT:    func.return %r, %o : memref<2x3x5xf32>, memref<2x3x5xf32>
// PLAIN-LABEL: func.func @out_of_place(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %o: tensor<2x3x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
// PLAIN-NEXT:    %0 = bufferization.to_buffer %b : tensor<2x4x5xf32> to memref<2x4x5xf32, strided<[?, ?, ?], offset: ?>>
// PLAIN-NEXT:    %1 = bufferization.to_buffer %a : tensor<2x3x4xf32> to memref<2x3x4xf32, strided<[?, ?, ?], offset: ?>>
// PLAIN-NEXT:    %2 = bufferization.to_buffer %o : tensor<2x3x5xf32> to memref<2x3x5xf32, strided<[?, ?, ?], offset: ?>>
// PLAIN-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<2x3x5xf32>
// PLAIN-NEXT:    "memref.copy"(%2, %r) : (memref<2x3x5xf32, strided<[?, ?, ?], offset: ?>>, memref<2x3x5xf32>) -> ()
// PLAIN-NEXT:    "linalg.later_matmul"(%1, %0, %r) <{operandSegmentSizes = array<i32: 2, 1>}> ({
// PLAIN-NEXT:    ^bb0(%x: f32, %y: f32, %z: f32):
// PLAIN-NEXT:      %p = arith.mulf %x, %y : f32
// PLAIN-NEXT:      %s = arith.addf %z, %p : f32
// PLAIN-NEXT:      linalg.yield %s : f32
// PLAIN-NEXT:    }) : (memref<2x3x4xf32, strided<[?, ?, ?], offset: ?>>, memref<2x4x5xf32, strided<[?, ?, ?], offset: ?>>, memref<2x3x5xf32>) -> ()
// PLAIN-NEXT:    %3 = bufferization.to_tensor %r : memref<2x3x5xf32> to tensor<2x3x5xf32>
// PLAIN-NEXT:    func.return %3, %o : tensor<2x3x5xf32>, tensor<2x3x5xf32>
func.func @out_of_place(%a: tensor<2x3x4xf32>, %b: tensor<2x4x5xf32>, %o: tensor<2x3x5xf32>) -> (tensor<2x3x5xf32>, tensor<2x3x5xf32>) {
  %r = "linalg.later_matmul"(%a, %b, %o) <{operandSegmentSizes = array<i32: 2, 1>}> ({
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  }) : (tensor<2x3x4xf32>, tensor<2x4x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  func.return %r, %o : tensor<2x3x5xf32>, tensor<2x3x5xf32>
}

// Its body tells that the init is not read.
// CHECK-LABEL: func.func @init_not_read(%a: memref<4xf32>, %o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "linalg.later_floor"(%a, %r) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// CHECK-NEXT:    ^bb0(%x: f32, %z: f32):
// CHECK-NEXT:      %s = math.floor %x : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %r, %o : memref<4xf32>, memref<4xf32>
// PLAIN-LABEL: func.func @init_not_read(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
// PLAIN-NEXT:    %0 = bufferization.to_buffer %a : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// PLAIN-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// PLAIN-NEXT:    "linalg.later_floor"(%0, %r) <{operandSegmentSizes = array<i32: 1, 1>}> ({
// PLAIN-NEXT:    ^bb0(%x: f32, %z: f32):
// PLAIN-NEXT:      %s = math.floor %x : f32
// PLAIN-NEXT:      linalg.yield %s : f32
// PLAIN-NEXT:    }) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// PLAIN-NEXT:    %1 = bufferization.to_tensor %r : memref<4xf32> to tensor<4xf32>
// PLAIN-NEXT:    func.return %1, %o : tensor<4xf32>, tensor<4xf32>
func.func @init_not_read(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = "linalg.later_floor"(%a, %o) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%x: f32, %z: f32):
    %s = "math.floor"(%x) : (f32) -> f32
    linalg.yield %s : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %o : tensor<4xf32>, tensor<4xf32>
}
