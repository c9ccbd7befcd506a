// RUN: xdsl-opt %s --allow-unregistered-dialect -p 'one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// The result of an op that stays on tensors is in a buffer of the type that its use needs,
// without a copy.
// CHECK-LABEL: func.func @returned(
// CHECK-NEXT:    %0 = bufferization.to_tensor %a
// CHECK-NEXT:    %r = "some.op"(%0) : (tensor<4xi8>) -> tensor<4xi8>
// CHECK-NEXT:    %1 = bufferization.to_buffer %r : tensor<4xi8> to memref<4xi8>
// CHECK-NEXT:    func.return %1, %1 : memref<4xi8>, memref<4xi8>
func.func @returned(%a: tensor<4xi8>) -> (tensor<4xi8>, tensor<4xi8>) {
  %r = "some.op"(%a) : (tensor<4xi8>) -> tensor<4xi8>
  func.return %r, %r : tensor<4xi8>, tensor<4xi8>
}

// CHECK-LABEL: func.func @passed(
// CHECK:         %1 = bufferization.to_buffer %r : tensor<4xi8> to memref<4xi8, strided<[?], offset: ?>>
// CHECK-NEXT:    %2 = bufferization.to_buffer %r : tensor<4xi8> to memref<4xi8>
// CHECK-NEXT:    func.call @read(%2) : (memref<4xi8>) -> ()
// CHECK-NEXT:    %x = memref.load %1[%i]
func.func @passed(%a: tensor<4xi8>, %i: index) -> i8 {
  %r = "some.op"(%a) : (tensor<4xi8>) -> tensor<4xi8>
  func.call @read(%r) : (tensor<4xi8>) -> ()
  %x = tensor.extract %r[%i] : tensor<4xi8>
  func.return %x : i8
}
func.func @read(%a: tensor<4xi8>) {
  func.return
}

// What has been written in place is where it was written.
// CHECK-LABEL: func.func @written(
// CHECK:         linalg.fill ins(%f : i8) outs(%m : memref<4xi8, strided<[?], offset: ?>>)
// CHECK-NEXT:    %[[new:[0-9]+]] = memref.alloc()
// CHECK-NEXT:    "memref.copy"(%m, %[[new]])
// CHECK-NEXT:    func.return %[[new]] : memref<4xi8>
func.func @written(%a: tensor<4xi8>, %f: i8) -> tensor<4xi8> {
  %m = "some.memory"() : () -> memref<4xi8, strided<[?], offset: ?>>
  %r = bufferization.to_tensor %m restrict writable : memref<4xi8, strided<[?], offset: ?>> to tensor<4xi8>
  %s = linalg.fill ins(%f : i8) outs(%r : tensor<4xi8>) -> tensor<4xi8>
  func.return %s : tensor<4xi8>
}
