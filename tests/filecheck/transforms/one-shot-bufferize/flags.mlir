// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=1 allow-unknown-ops=1}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true allow-unknown-ops=true copy-before-write=0}' | filecheck %s

// A flag needs no value, as in mlir-opt.
// CHECK-LABEL: func.func @flags(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) {
// CHECK-NEXT:    memref.store %f, %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %0 = bufferization.to_tensor %t : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
// CHECK-NEXT:    "test.op"(%0) : (tensor<4xf32>) -> ()
// CHECK-NEXT:    func.return
func.func @flags(%t: tensor<4xf32>, %f: f32, %i: index) {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  "test.op"(%r) : (tensor<4xf32>) -> ()
  func.return
}
