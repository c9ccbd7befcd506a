// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p 'eliminate-copies{max-peak-increase=33}' | filecheck %s
// RUN: xdsl-opt %s -p 'eliminate-copies{max-peak-increase=34}' | filecheck %s --check-prefix=TRADED
// RUN: xdsl-opt %s -p 'bufferize{max-peak-increase=34}' | filecheck %s --check-prefix=BUFFERS

// In the result of the concatenation the returned tensor needs 64 bytes at the peak, not 48, and one
// copy less.
// CHECK: tensor.concat
// TRADED-NOT: tensor.concat
// BUFFERS-COUNT-2: memref.copy
// BUFFERS-NOT: memref.copy
func.func @returned(%i: index, %f: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %v = arith.constant dense<[5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0]> : tensor<8xf32>
  %l = scf.for %k = %c0 to %i step %c1 iter_args(%t = %a) -> (tensor<4xf32>) {
    %x = tensor.extract %t[%i] : tensor<4xf32>
    scf.yield %t : tensor<4xf32>
  }
  %w = tensor.insert %f into %v[%i] : tensor<8xf32>
  %c = tensor.concat dim(0) %l, %l : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  func.return %l : tensor<4xf32>
}

// The same for sizes that are known at run time only: 16 bytes for each row of %v.
// CHECK-LABEL: func.func @run_time_size(
// CHECK: tensor.concat
// TRADED-NOT: tensor.concat
// BUFFERS-LABEL: func.func @run_time_size(
// BUFFERS-COUNT-2: memref.copy
// BUFFERS-NOT: memref.copy
func.func @run_time_size(%i: index, %f: f32, %v: tensor<?x8xf32> {bufferization.writable = false})
    -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %v, %c0 : tensor<?x8xf32>
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %a = linalg.fill ins(%f : f32) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %l = scf.for %k = %c0 to %i step %c1 iter_args(%t = %a) -> (tensor<?x4xf32>) {
    %x = tensor.extract %t[%i, %c0] : tensor<?x4xf32>
    scf.yield %t : tensor<?x4xf32>
  }
  %w = tensor.insert %f into %v[%i, %c0] : tensor<?x8xf32>
  %c = tensor.concat dim(1) %l, %l : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x8xf32>
  func.return %l : tensor<?x4xf32>
}
