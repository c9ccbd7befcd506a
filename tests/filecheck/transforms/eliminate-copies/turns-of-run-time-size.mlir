// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=BUFFERS

// Two buffers take turns if both have the same size in each iteration, whatever it is.

// CHECK-LABEL: func.func @even(
// CHECK:         %[[TWO:.*]] = arith.constant 2 : index
// CHECK:         scf.for %i = %i0 to %i4 step %[[TWO]] iter_args(%h = %h0)
// CHECK:           linalg.matmul ins(%h, %w :
// CHECK:           linalg.fill ins(%z : {{.*}}) outs(%h :
// BUFFERS-LABEL: func.func @even(
// BUFFERS:         %[[E:.*]] = memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         memref.dealloc %[[E]]
// BUFFERS-NEXT:    func.return %h0
func.func @even(%h0: tensor<?x8xf32> {bufferize.aliasing_result = 0 : i64}, %w: tensor<8x8xf32>, %z: f32) -> tensor<?x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %r = scf.for %i = %i0 to %i4 step %i1 iter_args(%h = %h0) -> (tensor<?x8xf32>) {
    %d = tensor.dim %h, %i0 : tensor<?x8xf32>
    %e = tensor.empty(%d) : tensor<?x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    %p = linalg.matmul ins(%h, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %p : tensor<?x8xf32>
  }
  func.return %r : tensor<?x8xf32>
}

// The second buffer has the sizes that the loop starts with.

// CHECK-LABEL: func.func @while(
// CHECK:         %[[SIZE:.*]] = tensor.dim %x1
// CHECK:         %[[SECOND:.*]] = tensor.empty(%[[SIZE]]) : tensor<?x8xf32>
// CHECK:         scf.while (%x = %x1, %{{.*}} = %[[SECOND]])
// BUFFERS-LABEL: func.func @while(
// BUFFERS-COUNT-2: memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         memref.dealloc
// BUFFERS-NOT:     memref.dealloc
// BUFFERS:         func.return %r
func.func @while(%x0: tensor<?x8xf32>, %w: tensor<8x8xf32>, %z: f32) -> tensor<?x8xf32> {
  %i0 = arith.constant 0 : index
  %n = tensor.dim %x0, %i0 : tensor<?x8xf32>
  %e1 = tensor.empty(%n) : tensor<?x8xf32>
  %x1 = linalg.exp ins(%x0 : tensor<?x8xf32>) outs(%e1 : tensor<?x8xf32>) -> tensor<?x8xf32>
  %r = scf.while (%x = %x1) : (tensor<?x8xf32>) -> tensor<?x8xf32> {
    %s = tensor.extract %x[%i0, %i0] : tensor<?x8xf32>
    %c = arith.cmpf olt, %s, %z : f32
    scf.condition(%c) %x : tensor<?x8xf32>
  } do {
  ^bb0(%x: tensor<?x8xf32>):
    %e = tensor.empty(%n) : tensor<?x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x8xf32>) -> tensor<?x8xf32>
    %p = linalg.matmul ins(%x, %w : tensor<?x8xf32>, tensor<8x8xf32>) outs(%f : tensor<?x8xf32>) -> tensor<?x8xf32>
    scf.yield %p : tensor<?x8xf32>
  }
  func.return %r : tensor<?x8xf32>
}
