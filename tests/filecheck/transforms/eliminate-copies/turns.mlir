// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=BUFFERS

// The product reads %h while it is computed. Every second one is computed in the memory of %h.
// CHECK-LABEL: func.func @even
// CHECK:         %[[TWO:.*]] = arith.constant 2 : index
// CHECK:         scf.for %i = %i0 to %i4 step %[[TWO]] iter_args(%h = %h0)
// CHECK:           %[[F:.*]] = linalg.fill ins(%z : {{.*}}) outs(%e :
// CHECK:           %p = linalg.matmul ins(%h, %h : {{.*}}) outs(%[[F]] :
// CHECK:           %[[G:.*]] = linalg.fill ins(%z : {{.*}}) outs(%h :
// CHECK:           %[[Q:.*]] = linalg.matmul ins(%p, %p : {{.*}}) outs(%[[G]] :
// CHECK:           scf.yield %[[Q]]
// BUFFERS-LABEL: func.func @even
// BUFFERS:         %[[E:.*]] = memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         memref.dealloc %[[E]]
// BUFFERS-NEXT:    func.return %h0
func.func @even(%h0: tensor<8x8xf32> {bufferize.aliasing_result = 0 : i64}, %z: f32) -> tensor<8x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %r = scf.for %i = %i0 to %i4 step %i1 iter_args(%h = %h0) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %p = linalg.matmul ins(%h, %h : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// The last of five iterations is computed after the loop, and copied once.
// CHECK-LABEL: func.func @odd
// CHECK:         %[[LAST:.*]] = arith.constant 9 : i32
// CHECK:         %[[FOUR:.*]] = arith.constant 4 : i32
// CHECK:         %r = scf.for %i = %n1 to %[[LAST]] step %[[FOUR]] iter_args(%h = %h0)
// CHECK:           arith.sitofp %i :
// CHECK:           %[[NEXT:.*]] = arith.addi %i, %n2 : i32
// CHECK:           arith.sitofp %[[NEXT]] :
// CHECK:           scf.yield
// CHECK:         arith.sitofp %[[LAST]] :
// CHECK:         %[[P:.*]] = linalg.matmul ins(%r, %r :
// CHECK:         func.return %[[P]]
// BUFFERS-LABEL: func.func @odd
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield
// BUFFERS:         "memref.copy"
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return %h0
func.func @odd(%h0: tensor<8x8xf32> {bufferize.aliasing_result = 0 : i64}) -> tensor<8x8xf32> {
  %n1 = arith.constant 1 : i32
  %n2 = arith.constant 2 : i32
  %n10 = arith.constant 10 : i32
  %r = scf.for %i = %n1 to %n10 step %n2 iter_args(%h = %h0) -> (tensor<8x8xf32>) : i32 {
    %x = arith.sitofp %i : i32 to f32
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %p = linalg.matmul ins(%h, %h : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// How often the loop runs is not known.
// CHECK-LABEL: func.func @unknown
// CHECK:         scf.for %i = %i0 to %n step %i1
// CHECK:           linalg.matmul
// CHECK-NOT:       linalg.matmul
// CHECK:           scf.yield
func.func @unknown(%h0: tensor<8x8xf32> {bufferize.aliasing_result = 0 : i64}, %z: f32, %n: index) -> tensor<8x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%h = %h0) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %p = linalg.matmul ins(%h, %h : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// Few bytes are copied.
// CHECK-LABEL: func.func @few_bytes
// CHECK:         scf.for %i = %i0 to %i4 step %i1
func.func @few_bytes(%h0: tensor<2x2xf32> {bufferize.aliasing_result = 0 : i64}, %z: f32) -> tensor<2x2xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %r = scf.for %i = %i0 to %i4 step %i1 iter_args(%h = %h0) -> (tensor<2x2xf32>) {
    %e = tensor.empty() : tensor<2x2xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
    %p = linalg.matmul ins(%h, %h : tensor<2x2xf32>, tensor<2x2xf32>) outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
    scf.yield %p : tensor<2x2xf32>
  }
  func.return %r : tensor<2x2xf32>
}

// What is copied is not computed in the loop.
// CHECK-LABEL: func.func @useless
// CHECK:         scf.for %i = %i0 to %i4 step %i1
func.func @useless(%h0: tensor<8x8xf32> {bufferize.aliasing_result = 0 : i64}, %g: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %r = scf.for %i = %i0 to %i4 step %i1 iter_args(%h = %h0) -> (tensor<8x8xf32>) {
    scf.yield %g : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}
