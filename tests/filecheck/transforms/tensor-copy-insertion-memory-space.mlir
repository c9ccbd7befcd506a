// RUN: xdsl-opt %s -p tensor-copy-insertion --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'tensor-copy-insertion{must-infer-memory-space}' --split-input-file --verify-diagnostics | filecheck %s --check-prefix=MUST-INFER

// A copy is in the memory space of what it is a copy of, or would be if that mattered.
// CHECK-LABEL: func.func @known(
// CHECK: bufferization.alloc_tensor() copy(%t) : tensor<16xf32>
// CHECK: bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<16xf32>
// MUST-INFER-LABEL: func.func @known(
func.func @known(%x: f32, %i: index) -> (f32, f32, f32) {
  %e = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<16xf32>
  %t = linalg.fill ins(%x : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %r = tensor.insert %x into %t[%i] : tensor<16xf32>
  %f = linalg.fill ins(%x : f32) outs(%t : tensor<16xf32>) -> tensor<16xf32>
  %a = tensor.extract %t[%i] : tensor<16xf32>
  %b = tensor.extract %r[%i] : tensor<16xf32>
  %c = tensor.extract %f[%i] : tensor<16xf32>
  func.return %a, %b, %c : f32, f32, f32
}

// -----

// CHECK-LABEL: func.func @unknown(
// MUST-INFER: 'bufferization.alloc_tensor' needs to know the memory space of tensor<16xf32>
func.func @unknown(%x: f32, %i: index) -> f32 {
  %e = bufferization.alloc_tensor() : tensor<16xf32>
  %t = linalg.fill ins(%x : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %f = linalg.fill ins(%x : f32) outs(%t : tensor<16xf32>) -> tensor<16xf32>
  %a = tensor.extract %t[%i] : tensor<16xf32>
  func.return %a : f32
}

// -----

// What an unknown op returns stays a tensor, wherever that is.
// CHECK-LABEL: func.func @of_unknown_op(
// MUST-INFER-LABEL: func.func @of_unknown_op(
// MUST-INFER: bufferization.alloc_tensor() copy(%t) : tensor<16xf32>
func.func @of_unknown_op(%x: f32, %i: index) -> f32 {
  %t = "test.op"() : () -> tensor<16xf32>
  %r = tensor.insert %x into %t[%i] : tensor<16xf32>
  "test.op"(%t, %r) : (tensor<16xf32>, tensor<16xf32>) -> ()
  %a = tensor.extract %t[%i] : tensor<16xf32>
  func.return %a : f32
}
