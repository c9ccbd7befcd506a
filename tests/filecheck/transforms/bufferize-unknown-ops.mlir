// RUN: xdsl-opt %s -p 'bufferize{allow-unknown-ops}' --allow-unregistered-dialect | filecheck %s

// The memory that an op on tensors reads is freed behind it.
// CHECK-LABEL: func.func @exp(
// CHECK-NEXT:    %e = memref.alloc()
// CHECK-NEXT:    linalg.add
// CHECK-NEXT:    %0 = bufferization.to_tensor %e
// CHECK-NEXT:    %r = "some.exp"(%0)
// CHECK-NEXT:    %q = tensor.extract %r[%i]
// CHECK-NEXT:    memref.dealloc %e
func.func @exp(%a: tensor<4xf32>, %i: index) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.add ins(%a, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = "some.exp"(%s) : (tensor<4xf32>) -> tensor<4xf32>
  %q = tensor.extract %r[%i] : tensor<4xf32>
  func.return %q : f32
}
