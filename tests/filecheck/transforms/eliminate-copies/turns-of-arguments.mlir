// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p bufferize | filecheck %s --check-prefix=BUFFERS
// RUN: xdsl-opt %s -p 'eliminate-copies{max-peak-increase=100}' | filecheck %s --check-prefix=HIGHER

// Callers keep %x0: it is copied once before the loop, not the result in each iteration, and need
// not be copied for the return. The two buffers fit in below the peak at %c.

// CHECK-LABEL: func.func @below_peak(
// CHECK:         %[[FIRST:.*]] = bufferization.alloc_tensor() copy(%x0)
// CHECK:         scf.for {{.*}} iter_args(%x = %[[FIRST]], %[[SECOND:.*]] = %{{.*}})
// CHECK:           linalg.fill {{.*}} outs(%[[SECOND]] :
// CHECK:           scf.yield %y, %x
// BUFFERS-LABEL: func.func @below_peak(
// BUFFERS:         memref.copy"(%x0,
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @below_peak(%x0: tensor<64xf32>, %a: tensor<64x64xf32>, %n: index) -> (tensor<64xf32>, f32) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %c = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = tensor.extract %c[%i0, %i1] : tensor<64x64xf32>
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%x = %x0) -> (tensor<64xf32>) {
    %d = tensor.empty() : tensor<64xf32>
    %g = linalg.fill ins(%z : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    %y = linalg.matvec ins(%a, %x : tensor<64x64xf32>, tensor<64xf32>) outs(%g : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %y : tensor<64xf32>
  }
  func.return %r, %s : tensor<64xf32>, f32
}

// One buffer is the peak: with two it would be twice as high, which has to be allowed.

// CHECK-LABEL: func.func @at_peak(
// CHECK-NOT:     alloc_tensor
// CHECK:         scf.yield %y : tensor<?xf32>
// HIGHER-LABEL: func.func @at_peak(
// HIGHER:         %[[FIRST:.*]] = bufferization.alloc_tensor() copy(%x0)
// HIGHER:         scf.for {{.*}} iter_args(%x = %[[FIRST]],
// HIGHER:           scf.yield %y, %x
func.func @at_peak(%x0: tensor<?xf32>, %a: tensor<?x?xf32>, %n: index) -> tensor<?xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%x = %x0) -> (tensor<?xf32>) {
    %size = tensor.dim %x, %i0 : tensor<?xf32>
    %d = tensor.empty(%size) : tensor<?xf32>
    %g = linalg.fill ins(%z : f32) outs(%d : tensor<?xf32>) -> tensor<?xf32>
    %y = linalg.matvec ins(%a, %x : tensor<?x?xf32>, tensor<?xf32>) outs(%g : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %y : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// Two loops: the one that starts in memory of the function's carries two buffers all the same.

// CHECK-LABEL: func.func @one_of_two(
// CHECK-NOT:     alloc_tensor
// CHECK:         scf.yield %y, %x : tensor<64xf32>, tensor<64xf32>
// CHECK:         scf.yield %w : tensor<512xf32>
func.func @one_of_two(%b0: tensor<64xf32>, %v0: tensor<512xf32>, %a: tensor<64x64xf32>, %m: tensor<512x512xf32>, %n: index) -> (tensor<64xf32>, tensor<512xf32>, f32) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<1024xf32>
  %f = linalg.fill ins(%z : f32) outs(%t : tensor<1024xf32>) -> tensor<1024xf32>
  %s = tensor.extract %f[%n] : tensor<1024xf32>
  %e = tensor.empty() : tensor<64xf32>
  %x0 = linalg.exp ins(%b0 : tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%x = %x0) -> (tensor<64xf32>) {
    %d = tensor.empty() : tensor<64xf32>
    %g = linalg.fill ins(%z : f32) outs(%d : tensor<64xf32>) -> tensor<64xf32>
    %y = linalg.matvec ins(%a, %x : tensor<64x64xf32>, tensor<64xf32>) outs(%g : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %y : tensor<64xf32>
  }
  %q = scf.for %i = %i0 to %n step %i1 iter_args(%v = %v0) -> (tensor<512xf32>) {
    %d = tensor.empty() : tensor<512xf32>
    %g = linalg.fill ins(%z : f32) outs(%d : tensor<512xf32>) -> tensor<512xf32>
    %w = linalg.matvec ins(%m, %v : tensor<512x512xf32>, tensor<512xf32>) outs(%g : tensor<512xf32>) -> tensor<512xf32>
    scf.yield %w : tensor<512xf32>
  }
  func.return %r, %q, %s : tensor<64xf32>, tensor<512xf32>, f32
}
