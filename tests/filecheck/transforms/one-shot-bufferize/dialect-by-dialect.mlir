// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=arith},one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=arith},one-shot-bufferize{bufferize-function-boundaries test-analysis-only},verify-bufferization-decisions{bufferize-function-boundaries}' | filecheck %s --check-prefix VERIFIED
// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=linalg,bufferization},one-shot-bufferize{dialect-filter=arith},bufferize' | filecheck %s --check-prefix ALL

// A bufferization leaves `to_tensor` where ops stay on tensors, for the next one.
// ALL-NOT: bufferization.
// VERIFIED: func.func @chosen

// Memory that may be that of another tensor is copied where it becomes a tensor.
// CHECK-LABEL: func.func @chosen(
// CHECK: arith.select
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: memref.copy
// CHECK-NEXT: memref.store
// CHECK-NEXT: func.return
func.func @chosen(%t: tensor<8xf32>, %i: index, %c: i1, %x: f32) -> tensor<8xf32> {
  %k = arith.constant dense<2.0> : tensor<8xf32>
  %s = arith.select %c, %k, %t : tensor<8xf32>
  %r = tensor.insert %x into %s[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// So the argument can be written in place before the other tensor is read.
// CHECK-LABEL: func.func @written_before(
// CHECK-NEXT: %[[C:.*]] = memref.alloc
// CHECK-NEXT: "memref.copy"(%t, %[[C]])
// CHECK-NEXT: memref.store %x, %t[%i]
// CHECK-NEXT: memref.load %[[C]]
func.func @written_before(%t: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8xf32>, f32) {
  %m = bufferization.to_buffer %t read_only : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
  %s = bufferization.to_tensor %m : memref<8xf32, strided<[?], offset: ?>> to tensor<8xf32>
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  %y = tensor.extract %s[%i] : tensor<8xf32>
  func.return %r, %y : tensor<8xf32>, f32
}

// New memory, and that of a constant, is read where it is.
// CHECK-LABEL: func.func @constant(
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @constant(%i: index) -> f32 {
  %k = arith.constant dense<2.0> : tensor<8xf32>
  %y = tensor.extract %k[%i] : tensor<8xf32>
  func.return %y : f32
}
