// RUN: xdsl-opt -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' %s | filecheck %s

// What an iteration computes is as large as the argument: it is computed there.

// CHECK-LABEL: func.func @in_argument
// CHECK:         %[[E:.*]] = memref.alloc(%{{.*}})
// CHECK-NEXT:    %{{.*}} = scf.for %{{.*}} iter_args(%[[H:.*]] = %x) -> (memref<?x64xf32>) {
// CHECK-NOT:       alloc
// CHECK-NOT:       copy
// CHECK:           scf.yield %[[H]] : memref<?x64xf32>
func.func @in_argument(%x: tensor<?x64xf32> {bufferize.aliasing_result = 0 : i64}, %w0: tensor<64x64xf32>, %n: index) -> tensor<?x64xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tensor.dim %x, %c0 : tensor<?x64xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<?x64xf32>) {
    %e = tensor.empty(%b) : tensor<?x64xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    %m = linalg.matmul ins(%h, %w0 : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
    %o = linalg.matmul ins(%m, %w0 : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.yield %o : tensor<?x64xf32>
  }
  func.return %r : tensor<?x64xf32>
}

// The size is that of the iteration argument, which does not change, so the buffer leaves the loop.

// CHECK-LABEL: func.func @size_of_iteration_argument
// CHECK:         %[[D:.*]] = memref.dim %x
// CHECK-NEXT:    memref.alloc(%[[D]])
// CHECK-NEXT:    scf.for
// CHECK-NOT:       alloc
// CHECK:           scf.yield
func.func @size_of_iteration_argument(%x: tensor<?x64xf32> {bufferize.aliasing_result = 0 : i64}, %w0: tensor<64x64xf32>, %n: index) -> tensor<?x64xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<?x64xf32>) {
    %b = tensor.dim %h, %c0 : tensor<?x64xf32>
    %e = tensor.empty(%b) : tensor<?x64xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    %m = linalg.matmul ins(%h, %w0 : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.yield %m : tensor<?x64xf32>
  }
  func.return %r : tensor<?x64xf32>
}

// Both tensors are of one type, but the fill is of 3 by 2 elements where the argument has 2 by 3:
// the result is copied.

// CHECK-LABEL: func.func @transposed_sizes
// CHECK:         %[[E:.*]] = memref.alloc(%d1, %d0)
// CHECK:           linalg.fill ins(%{{.*}} : f32) outs(%[[E]]
// CHECK:           "memref.copy"
func.func @transposed_sizes(%x: tensor<?x?xf32> {bufferize.aliasing_result = 0 : i64}, %n: index) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %d0 = tensor.dim %x, %c0 : tensor<?x?xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<?x?xf32>) {
    %e = tensor.empty(%d1, %d0) : tensor<?x?xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
    %l = tensor.collapse_shape %f [[0, 1]] : tensor<?x?xf32> into tensor<?xf32>
    %k = tensor.expand_shape %l [[0, 1]] output_shape [%d0, %d1] : tensor<?xf32> into tensor<?x?xf32>
    scf.yield %k : tensor<?x?xf32>
  }
  func.return %r : tensor<?x?xf32>
}

// A tensor of another size in each iteration needs another buffer.

// CHECK-LABEL: func.func @another_size
// CHECK:         scf.for
// CHECK:           memref.alloc(%i)
// CHECK:           scf.yield
func.func @another_size(%x: tensor<?x64xf32>, %n: index) -> tensor<?x64xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<?x64xf32>) {
    %e = tensor.empty(%i) : tensor<?x64xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
    scf.yield %f : tensor<?x64xf32>
  }
  func.return %r : tensor<?x64xf32>
}
