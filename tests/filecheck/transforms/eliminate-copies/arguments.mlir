// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p bufferize | filecheck %s --check-prefix=BUFFERS

// A tensor that is put together in an empty one, and yielded, is put together in the iteration
// argument, which nobody reads any more.
// CHECK-LABEL: func.func @put_together
// CHECK:         scf.for {{.*}} iter_args(%h = %h0)
// CHECK:           tensor.extract_slice %h[
// CHECK:           tensor.insert_slice %q into %h[
// BUFFERS-LABEL: func.func @put_together
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield
func.func @put_together(%h0: tensor<8x8xf32>, %w: tensor<8x4xf32>, %v: tensor<4x4xf32>, %z: f32, %n: index) -> tensor<8x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%h = %h0) -> (tensor<8x8xf32>) {
    %d = tensor.empty() : tensor<8x4xf32>
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<8x4xf32>) -> tensor<8x4xf32>
    %p = linalg.matmul ins(%h, %w : tensor<8x8xf32>, tensor<8x4xf32>) outs(%f : tensor<8x4xf32>) -> tensor<8x4xf32>
    %g = tensor.empty() : tensor<8x4xf32>
    %q = linalg.exp ins(%p : tensor<8x4xf32>) outs(%g : tensor<8x4xf32>) -> tensor<8x4xf32>
    %k = tensor.empty() : tensor<8x4xf32>
    %l = linalg.fill ins(%z : f32) outs(%k : tensor<8x4xf32>) -> tensor<8x4xf32>
    %s = linalg.matmul ins(%p, %v : tensor<8x4xf32>, tensor<4x4xf32>) outs(%l : tensor<8x4xf32>) -> tensor<8x4xf32>
    %t = tensor.concat dim(1) %q, %s : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    scf.yield %t : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// The second op reads the argument while the result is put together.
// CHECK-LABEL: func.func @still_read
// CHECK-NOT:       tensor.insert_slice {{.*}} into %h[
// CHECK:           scf.yield
func.func @still_read(%h0: tensor<8x8xf32>, %z: f32, %n: index) -> tensor<8x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%h = %h0) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %h[0, 0] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
    %b = tensor.extract_slice %h[0, 4] [8, 4] [1, 1] : tensor<8x8xf32> to tensor<8x4xf32>
    %g = tensor.empty() : tensor<8x4xf32>
    %q = linalg.exp ins(%b : tensor<8x4xf32>) outs(%g : tensor<8x4xf32>) -> tensor<8x4xf32>
    %k = tensor.empty() : tensor<8x4xf32>
    %s = linalg.tanh ins(%a : tensor<8x4xf32>) outs(%k : tensor<8x4xf32>) -> tensor<8x4xf32>
    %t = tensor.concat dim(1) %q, %s : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
    scf.yield %t : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// So is what only fills it, also by a reduction.
// CHECK-LABEL: func.func @filled
// CHECK:         %f = linalg.fill ins(%v : {{.*}}) outs(%h :
// BUFFERS-LABEL: func.func @filled
// BUFFERS-NOT:     memref.alloc
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield
func.func @filled(%h0: tensor<64xf32>, %n: index, %x: tensor<64x8xf32>) -> tensor<64xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%h = %h0) -> (tensor<64xf32>) {
    %v = tensor.extract %h[%i] : tensor<64xf32>
    %e = tensor.empty() : tensor<64xf32>
    %f = linalg.fill ins(%v : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    %s = linalg.reduce ins(%x : tensor<64x8xf32>) outs(%f : tensor<64xf32>) dimensions = [1]
      (%a: f32, %b: f32) {
        %c = arith.addf %a, %b : f32
        linalg.yield %c : f32
      }
    scf.yield %s : tensor<64xf32>
  }
  func.return %r : tensor<64xf32>
}
