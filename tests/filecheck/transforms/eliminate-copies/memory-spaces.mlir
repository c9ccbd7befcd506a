// RUN: xdsl-opt %s -p bufferize | filecheck %s

// Contents are computed again in the memory space that they had.
// CHECK-LABEL: func.func @compute_again(
// CHECK-SAME:    -> (memref<64xf32, 3 : i64>, memref<64xf32, 3 : i64>)
// CHECK-NOT:     memref.copy
// CHECK:         func.return
func.func @compute_again(%x: f32, %i: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<64xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = tensor.insert %x into %f[%i] : tensor<64xf32>
  func.return %f, %r : tensor<64xf32>, tensor<64xf32>
}

// If it is not known which that was, they are copied: no memory space has to hold more.
// CHECK-LABEL: func.func @copy(
// CHECK-SAME:    -> (memref<64xf32, 3 : i64>, memref<64xf32, 3 : i64>)
// CHECK:         "memref.copy"
func.func @copy(%m: memref<64xf32, 3 : i64>, %x: f32, %i: index) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = bufferization.to_tensor %m restrict writable : memref<64xf32, 3 : i64> to tensor<64xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = tensor.insert %x into %f[%i] : tensor<64xf32>
  func.return %f, %r : tensor<64xf32>, tensor<64xf32>
}

// An op goes on returning its result in the memory space of the empty tensor.
// CHECK-LABEL: func.func @result(
// CHECK-SAME:    -> (memref<64xf32>, memref<8xf32>)
func.func @result(%x: f32, %i: index) -> (tensor<64xf32>, tensor<8xf32>) {
  %e = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<64xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %init = tensor.empty() : tensor<64xf32>
  %g = linalg.exp ins(%f : tensor<64xf32>) outs(%init : tensor<64xf32>) -> tensor<64xf32>
  %c = arith.constant dense<1.0> : tensor<8xf32>
  %d = tensor.insert %x into %c[%i] : tensor<8xf32>
  func.return %g, %d : tensor<64xf32>, tensor<8xf32>
}

// Padding stays in the memory space of its source.
// CHECK-LABEL: func.func @pad(
// CHECK-SAME:    -> memref<66xf32, 3 : i64>
func.func @pad(%x: f32, %i: index) -> tensor<66xf32> {
  %e = bufferization.alloc_tensor() {memory_space = 3 : i64} : tensor<64xf32>
  %f = linalg.exp ins(%e : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %p = tensor.pad %f low[1] high[1] {
  ^bb0(%k: index):
    tensor.yield %x : f32
  } : tensor<64xf32> to tensor<66xf32>
  func.return %p : tensor<66xf32>
}
