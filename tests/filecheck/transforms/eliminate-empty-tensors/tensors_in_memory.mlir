// RUN: xdsl-opt %s -p eliminate-empty-tensors | filecheck %s

func.func private @make() -> tensor<16xf32>

// Nothing crosses ops that may change the memory in which a tensor is.
// CHECK-LABEL: func.func @tensor_in_memory(
// CHECK: linalg.copy
// CHECK-SAME: outs(%e
// CHECK: memref.store
// CHECK-NEXT: func.call @make()
// CHECK-NEXT: tensor.insert_slice
func.func @tensor_in_memory(%m: memref<4xf32>, %x: f32, %i: index) -> tensor<16xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.copy ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %u = func.call @make() : () -> tensor<16xf32>
  %r = tensor.insert_slice %f into %u[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// What another function does with memory changes nothing where tensors are values only.
// CHECK-LABEL: func.func @other_function(
// CHECK: %[[U:.*]] = func.call @make()
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %[[U]][0] [4] [1]
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[S]]
func.func @other_function(%m: memref<4xf32>, %x: f32, %i: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %u = func.call @make() : () -> tensor<16xf32>
  %r = tensor.insert_slice %f into %u[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// Here the tensor is the memref that the caller passes, too.
// CHECK-LABEL: func.func private @callee(
// CHECK: linalg.copy
// CHECK-SAME: outs(%e
// CHECK-NEXT: memref.store
func.func private @callee(%t: tensor<4xf32>, %m: memref<4xf32>, %x: f32, %i: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.copy ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %u = func.call @make() : () -> tensor<16xf32>
  %r = tensor.insert_slice %f into %u[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

func.func @caller(%m: memref<4xf32>, %x: f32, %i: index) -> tensor<16xf32> {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %r = func.call @callee(%t, %m, %x, %i) : (tensor<4xf32>, memref<4xf32>, f32, index) -> tensor<16xf32>
  func.return %r : tensor<16xf32>
}
