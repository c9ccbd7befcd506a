// RUN: xdsl-opt %s -p 'tensor-copy-insertion{bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'test-tensor-copy-insertion{bufferize-function-boundaries=1 allow-return-allocs-from-loops=0}' | filecheck %s
// RUN: xdsl-opt %s -p tensor-copy-insertion | filecheck %s --check-prefix=NO-BOUNDARIES
// RUN: xdsl-opt %s -p 'tensor-copy-insertion{bufferize-function-boundaries},one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}' | filecheck %s --check-prefix=BUFFERS

// CHECK-LABEL: func.func @in_place(
// CHECK-NEXT: %r = tensor.insert %x into %t[%i]
// NO-BOUNDARIES-LABEL: func.func @in_place(
// NO-BOUNDARIES-NEXT: %[[C:.*]] = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
// NO-BOUNDARIES-NEXT: %r = tensor.insert %x into %[[C]][%i]
func.func @in_place(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// One copy, which the second pass leaves alone.
// CHECK-LABEL: func.func @out_of_place(
// CHECK-NEXT: %[[C:.*]] = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
// CHECK-NEXT: %r = tensor.insert %x into %[[C]][%i]
// BUFFERS-LABEL: func.func @out_of_place(
// BUFFERS-COUNT-1: memref.alloc
// BUFFERS-NOT: memref.alloc
// BUFFERS: func.return
func.func @out_of_place(%t: tensor<?xf32>, %x: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = tensor.insert %x into %t[%i] : tensor<?xf32>
  func.return %r, %t : tensor<?xf32>, tensor<?xf32>
}

// The contents do not matter where all of them are overwritten.
// CHECK-LABEL: func.func @without_contents(
// CHECK-NEXT: %[[I:.*]] = arith.constant 0 : index
// CHECK-NEXT: %[[N:.*]] = tensor.dim %t, %[[I]] : tensor<?xf32>
// CHECK-NEXT: %[[A:.*]] = bufferization.alloc_tensor(%[[N]]) : tensor<?xf32>
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[A]] : tensor<?xf32>)
func.func @without_contents(%t: tensor<?xf32>, %x: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = linalg.fill ins(%x : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
  func.return %r, %t : tensor<?xf32>, tensor<?xf32>
}

// Of a slice no more than that is copied.
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %s = tensor.extract_slice %t[2] [4] [1]
// CHECK-NEXT: bufferization.alloc_tensor() copy(%s) : tensor<4xf32>
func.func @slice(%t: tensor<16xf32>, %x: f32, %i: index) -> (tensor<16xf32>, f32) {
  %s = tensor.extract_slice %t[2] [4] [1] : tensor<16xf32> to tensor<4xf32>
  %r = tensor.insert %x into %s[%i] : tensor<4xf32>
  %y = tensor.extract %r[%i] : tensor<4xf32>
  func.return %t, %y : tensor<16xf32>, f32
}

// Nothing is known of what the op does, so it stays as it is.
// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT: "test.op"(%t)
// CHECK-NEXT: func.return
func.func @unknown(%t: tensor<4xf32>) -> tensor<4xf32> {
  "test.op"(%t) : (tensor<4xf32>) -> ()
  func.return %t : tensor<4xf32>
}
