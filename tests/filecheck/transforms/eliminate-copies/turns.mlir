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

// How often the loop runs is not known: it swaps %h0 with a second buffer. The result may be in either,
// and is copied once.
// CHECK-LABEL: func.func @unknown
// CHECK:         %[[SECOND:.*]] = tensor.empty() : tensor<8x8xf32>
// CHECK:         %r, %{{.*}} = scf.for %i = %i0 to %n step %i1 iter_args(%h = %h0, %[[G:.*]] = %[[SECOND]])
// CHECK:           linalg.fill ins(%z : {{.*}}) outs(%[[G]] :
// CHECK:           scf.yield %p, %h
// BUFFERS-LABEL: func.func @unknown
// BUFFERS:         %[[SECOND:.*]] = memref.alloc
// BUFFERS:         %r, %{{.*}} = scf.for {{.*}} -> (memref<8x8xf32>, memref<8x8xf32>) {
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield
// BUFFERS:         "memref.copy"(%r, %h0)
// BUFFERS-NEXT:    memref.dealloc %[[SECOND]]
// BUFFERS-NEXT:    func.return %h0
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

// The caller gets the memory of %h0, or new memory: which one is to be freed would be known at run
// time only.
// CHECK-LABEL: func.func @not_donated
// CHECK:         scf.for %i = %i0 to %n step %i1 iter_args(%h = %h0) ->
func.func @not_donated(%h0: tensor<8x8xf32>, %z: f32, %n: index) -> tensor<8x8xf32> {
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

// Three buffers would have to take turns: unrolled by two, each step copies as before.
// CHECK-LABEL: func.func @three
// CHECK:         scf.for %i = %i0 to %i6 step %i1
func.func @three(%h0: tensor<8x8xf32> {bufferize.aliasing_result = 0 : i64}, %g0: tensor<8x8xf32> {bufferize.aliasing_result = 1 : i64}, %z: f32) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i6 = arith.constant 6 : index
  %r, %s = scf.for %i = %i0 to %i6 step %i1 iter_args(%h = %h0, %g = %g0) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %p = linalg.matmul ins(%h, %g : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p, %h : tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.return %r, %s : tensor<8x8xf32>, tensor<8x8xf32>
}

// A stencil that keeps the border. The second step reads its neighbours in the inner part of the
// first one, and at the border in %x, in which it is computed.
// CHECK-LABEL: func.func @stencil
// CHECK:         scf.for {{.*}} iter_args(%x = %x0)
// CHECK:           %s = linalg.add ins(%l, %r : {{.*}}) outs(%e :
// CHECK:           tensor.extract_slice %x[0] [1] [1]
// CHECK:           tensor.extract_slice %s[1] [1] [1]
// CHECK:           tensor.extract_slice %x[1] [62] [1]
// BUFFERS-LABEL: func.func @stencil
// BUFFERS:         memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return %x0
func.func @stencil(%x0: tensor<64xf32> {bufferize.aliasing_result = 0 : i64}) -> tensor<64xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i8 = arith.constant 8 : index
  %o = scf.for %i = %i0 to %i8 step %i1 iter_args(%x = %x0) -> (tensor<64xf32>) {
    %l = tensor.extract_slice %x[0] [62] [1] : tensor<64xf32> to tensor<62xf32>
    %r = tensor.extract_slice %x[2] [62] [1] : tensor<64xf32> to tensor<62xf32>
    %e = tensor.empty() : tensor<62xf32>
    %s = linalg.add ins(%l, %r : tensor<62xf32>, tensor<62xf32>) outs(%e : tensor<62xf32>) -> tensor<62xf32>
    %n = tensor.insert_slice %s into %x[1] [62] [1] : tensor<62xf32> into tensor<64xf32>
    scf.yield %n : tensor<64xf32>
  }
  func.return %o : tensor<64xf32>
}

// How often the loop runs is not known: it carries a second buffer, and swaps it with the first.
// CHECK-LABEL: func.func @while
// CHECK:         %[[SECOND:.*]] = tensor.empty() : tensor<8x8xf32>
// CHECK:         %r, %{{.*}} = scf.while (%x = %x0, %[[Y:.*]] = %[[SECOND]])
// CHECK:           scf.condition(%c) %x, %[[Y]]
// CHECK:         ^bb0(%[[X:.*]]: tensor<8x8xf32>, %[[E:.*]]: tensor<8x8xf32>):
// CHECK:           %f = linalg.fill ins(%z : {{.*}}) outs(%[[E]] :
// CHECK:           scf.yield %p, %[[X]]
// CHECK:         func.return %r :
// BUFFERS-LABEL: func.func @while
// BUFFERS-COUNT-2: memref.alloc
// BUFFERS:         "memref.copy"(%x0,
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         memref.dealloc
// BUFFERS-NOT:     memref.dealloc
// BUFFERS:         func.return %r
func.func @while(%x0: tensor<8x8xf32> {bufferization.writable = false}, %z: f32, %t: f32) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %r = scf.while (%x = %x0) : (tensor<8x8xf32>) -> tensor<8x8xf32> {
    %v = tensor.extract %x[%c0, %c0] : tensor<8x8xf32>
    %c = arith.cmpf olt, %v, %t : f32
    scf.condition(%c) %x : tensor<8x8xf32>
  } do {
  ^bb0(%x: tensor<8x8xf32>):
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %p = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// Two at a time.
// CHECK-LABEL: func.func @two
// CHECK:         %r, %s, %{{.*}}, %{{.*}} = scf.for
// CHECK:           scf.yield %p, %q, %x, %y
// BUFFERS-LABEL: func.func @two
// BUFFERS-COUNT-4: memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @two(%z: f32, %w: f32, %n: index) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %d = tensor.empty() : tensor<8x8xf32>
  %x0 = linalg.fill ins(%z : f32) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y0 = linalg.fill ins(%w : f32) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r, %s = scf.for %i = %i0 to %n step %i1 iter_args(%x = %x0, %y = %y0) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %p = linalg.matmul ins(%x, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = linalg.fill ins(%w : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %q = linalg.matmul ins(%y, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%g : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p, %q : tensor<8x8xf32>, tensor<8x8xf32>
  }
  func.return %r, %s : tensor<8x8xf32>, tensor<8x8xf32>
}

// The loop swaps its buffers in each iteration. After two each is in its place again, and no result
// has to be copied.
// CHECK-LABEL: func.func @swapping
// CHECK:         scf.for {{.*}} iter_args(%x = %x0, %y = %y0)
// CHECK:           %z = linalg.sub ins(%x, %y : {{.*}}) outs(%y :
// CHECK:           %[[Z:.*]] = linalg.sub ins(%z, %x : {{.*}}) outs(%x :
// CHECK:           scf.yield %[[Z]], %z
// BUFFERS-LABEL: func.func @swapping
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return %x0, %y0
func.func @swapping(%x0: tensor<64xf32> {bufferize.aliasing_result = 0 : i64}, %y0: tensor<64xf32> {bufferize.aliasing_result = 1 : i64}) -> (tensor<64xf32>, tensor<64xf32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i6 = arith.constant 6 : index
  %r, %s = scf.for %i = %i0 to %i6 step %i1 iter_args(%x = %x0, %y = %y0) -> (tensor<64xf32>, tensor<64xf32>) {
    %e = tensor.empty() : tensor<64xf32>
    %z = linalg.sub ins(%x, %y : tensor<64xf32>, tensor<64xf32>) outs(%e : tensor<64xf32>) -> tensor<64xf32>
    scf.yield %z, %x : tensor<64xf32>, tensor<64xf32>
  }
  func.return %r, %s : tensor<64xf32>, tensor<64xf32>
}

// The inner loop has no tensors, and most of the function is not changed.
// CHECK-LABEL: func.func @around_scalars
// CHECK:         scf.for {{.*}} iter_args(%h = %h0)
// CHECK:           %n = scf.for
// CHECK:           %{{.*}} = scf.for
// BUFFERS-LABEL: func.func @around_scalars
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @around_scalars(%h0: tensor<8x8xf32> {bufferize.aliasing_result = 0 : i64}, %z: f32) -> tensor<8x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i4 = arith.constant 4 : index
  %r = scf.for %i = %i0 to %i4 step %i1 iter_args(%h = %h0) -> (tensor<8x8xf32>) {
    %n = scf.for %j = %i0 to %i step %i1 iter_args(%m = %z) -> (f32) {
      %twice = arith.addf %m, %m : f32
      scf.yield %twice : f32
    }
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%n : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %p = linalg.matmul ins(%h, %h : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %p : tensor<8x8xf32>
  }
  %e1 = tensor.empty() : tensor<32xf32>
  %f1 = linalg.fill ins(%z : f32) outs(%e1 : tensor<32xf32>) -> tensor<32xf32>
  %x1 = tensor.extract %f1[%i0] : tensor<32xf32>
  %e2 = tensor.empty() : tensor<32xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<32xf32>) -> tensor<32xf32>
  %x2 = tensor.extract %f2[%i0] : tensor<32xf32>
  %e3 = tensor.empty() : tensor<32xf32>
  %f3 = linalg.fill ins(%z : f32) outs(%e3 : tensor<32xf32>) -> tensor<32xf32>
  %x3 = tensor.extract %f3[%i0] : tensor<32xf32>
  %e4 = tensor.empty() : tensor<32xf32>
  %f4 = linalg.fill ins(%z : f32) outs(%e4 : tensor<32xf32>) -> tensor<32xf32>
  %x4 = tensor.extract %f4[%i0] : tensor<32xf32>
  func.return %r : tensor<8x8xf32>
}
