// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p bufferize | filecheck %s --check-prefix=BUFFERS

// A loop yields what is computed in a buffer of its own. Nobody reads the iteration argument
// any more, so it is computed there, though the argument is no input of the op.
// CHECK-LABEL: func.func @iteration_argument
// CHECK:             linalg.matmul ins(%h, %w : {{.*}}) outs(%f :
// CHECK:             linalg.exp ins(%p : {{.*}}) outs(%h :
// BUFFERS-LABEL: func.func @iteration_argument
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield
func.func @iteration_argument(%h0: tensor<8x8xf32>, %w: tensor<8x8xf32>, %z: f32, %n: index) -> tensor<8x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%h = %h0) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<8x8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %p = linalg.matmul ins(%h, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
    %g = tensor.empty() : tensor<8x8xf32>
    %t = linalg.exp ins(%p : tensor<8x8xf32>) outs(%g : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %t : tensor<8x8xf32>
  }
  func.return %r : tensor<8x8xf32>
}

// A reduction is computed in several steps, of which the first is to fill the argument.
// CHECK-LABEL: func.func @filled
// CHECK:             %[[N:.*]] = linalg.fill ins(%z : f32) outs(%h :
// CHECK:             "linalg.matvec"(%w, %t, %[[N]])
// BUFFERS-LABEL: func.func @filled
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield
func.func @filled(%h0: tensor<8xf32>, %w: tensor<8x4xf32>, %v: tensor<4x8xf32>, %z: f32, %n: index) -> tensor<8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %n step %i1 iter_args(%h = %h0) -> (tensor<8xf32>) {
    %d = tensor.empty() : tensor<4xf32>
    %s = linalg.fill ins(%z : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    %t = linalg.matvec ins(%v, %h : tensor<4x8xf32>, tensor<8xf32>) outs(%s : tensor<4xf32>) -> tensor<4xf32>
    %e = tensor.empty() : tensor<8xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %u = linalg.matvec ins(%w, %t : tensor<8x4xf32>, tensor<4xf32>) outs(%f : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @while
// CHECK:             linalg.exp ins(%p : {{.*}}) outs(%d :
// BUFFERS-LABEL: func.func @while
// BUFFERS:         scf.while
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield
func.func @while(%x: tensor<4x4xf32>, %z: f32, %i: index) -> tensor<4x4xf32> {
  %e0 = tensor.empty() : tensor<4x4xf32>
  %c0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = scf.while (%c = %c0) : (tensor<4x4xf32>) -> tensor<4x4xf32> {
    %v = tensor.extract %c[%i, %i] : tensor<4x4xf32>
    %more = arith.cmpf olt, %v, %z : f32
    scf.condition(%more) %c : tensor<4x4xf32>
  } do {
  ^bb0(%d: tensor<4x4xf32>):
    %e = tensor.empty() : tensor<4x4xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %p = linalg.matmul ins(%d, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
    %g = tensor.empty() : tensor<4x4xf32>
    %t = linalg.exp ins(%p : tensor<4x4xf32>) outs(%g : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %t : tensor<4x4xf32>
  }
  func.return %r : tensor<4x4xf32>
}

// A result is computed in the argument that is donated for it.
// CHECK-LABEL: func.func @donated
// CHECK:           linalg.exp ins(%p : {{.*}}) outs(%h :
// BUFFERS-LABEL: func.func @donated
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @donated(%h: tensor<8x8xf32> {bufferize.aliasing_result = 0 : i64}, %w: tensor<8x8xf32>, %z: f32) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%h, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x8xf32>
  %t = linalg.exp ins(%p : tensor<8x8xf32>) outs(%g : tensor<8x8xf32>) -> tensor<8x8xf32>
  func.return %t : tensor<8x8xf32>
}

// The argument is read after `%t`, so `%t` is copied to its buffer.
// CHECK-LABEL: func.func @read_later
// CHECK:             linalg.exp ins(%y : {{.*}}) outs(%e :
// CHECK:             tensor.extract %h
func.func @read_later(%h0: tensor<8xf32>, %y: tensor<8xf32>, %a: f32, %n: index) -> (tensor<8xf32>, f32) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r, %q = scf.for %i = %i0 to %n step %i1 iter_args(%h = %h0, %s = %a) -> (tensor<8xf32>, f32) {
    %e = tensor.empty() : tensor<8xf32>
    %t = linalg.exp ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %u = tensor.extract %t[%i0] : tensor<8xf32>
    %v = tensor.extract %h[%i0] : tensor<8xf32>
    %w = arith.addf %u, %v : f32
    scf.yield %t, %w : tensor<8xf32>, f32
  }
  func.return %r, %q : tensor<8xf32>, f32
}

// The counter is read after the next one is computed, which only the next iteration needs: so
// that is computed last.
// CHECK-LABEL: func.func @counter
// CHECK:             tensor.extract %i
// CHECK:             %j = linalg.add ins(%i, %i : {{.*}}) outs(%i :
// CHECK-NEXT:        scf.yield %j,
// BUFFERS-LABEL: func.func @counter
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield
func.func @counter(%i0: tensor<i32>, %s0: i32, %n: index) -> (tensor<i32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %q = scf.for %k = %c0 to %n step %c1 iter_args(%i = %i0, %s = %s0) -> (tensor<i32>, i32) {
    %e = tensor.empty() : tensor<i32>
    %j = linalg.add ins(%i, %i : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) -> tensor<i32>
    %v = tensor.extract %i[] : tensor<i32>
    %t = arith.addi %s, %v : i32
    scf.yield %j, %t : tensor<i32>, i32
  }
  func.return %r, %q : tensor<i32>, i32
}

// The next counter is needed before the counter is read: it cannot be computed last.
// CHECK-LABEL: func.func @counter_used
// CHECK:             %j = linalg.add ins(%i, %i : {{.*}}) outs(%e :
// CHECK-NEXT:        %u = tensor.extract %j
// CHECK-NEXT:        %v = tensor.extract %i
func.func @counter_used(%i0: tensor<i32>, %s0: i32, %n: index) -> (tensor<i32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %q = scf.for %k = %c0 to %n step %c1 iter_args(%i = %i0, %s = %s0) -> (tensor<i32>, i32) {
    %e = tensor.empty() : tensor<i32>
    %j = linalg.add ins(%i, %i : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) -> tensor<i32>
    %u = tensor.extract %j[] : tensor<i32>
    %v = tensor.extract %i[] : tensor<i32>
    %t = arith.addi %u, %v : i32
    scf.yield %j, %t : tensor<i32>, i32
  }
  func.return %r, %q : tensor<i32>, i32
}

// The argument is carried on as another one, in whose buffer the next counter is computed: the two
// buffers take turns.
// CHECK-LABEL: func.func @counter_kept
// CHECK:             %j = linalg.add ins(%i, %i : {{.*}}) outs(%p :
// CHECK-NEXT:        scf.yield %j, %i,
// BUFFERS-LABEL: func.func @counter_kept
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield %p, %i,
func.func @counter_kept(%i0: tensor<i32>, %p0: tensor<i32>, %s0: i32, %n: index) -> (tensor<i32>, tensor<i32>, i32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %o, %q = scf.for %k = %c0 to %n step %c1 iter_args(%i = %i0, %p = %p0, %s = %s0) -> (tensor<i32>, tensor<i32>, i32) {
    %e = tensor.empty() : tensor<i32>
    %j = linalg.add ins(%i, %i : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) -> tensor<i32>
    %v = tensor.extract %i[] : tensor<i32>
    %w = tensor.extract %p[] : tensor<i32>
    %t = arith.addi %v, %w : i32
    scf.yield %j, %i, %t : tensor<i32>, tensor<i32>, i32
  }
  func.return %r, %o, %q : tensor<i32>, tensor<i32>, i32
}

// The conditional is the last to read the argument once it has moved to the end, so both branches
// overwrite it.
// CHECK-LABEL: func.func @in_branches
// CHECK:             tensor.extract %h
// CHECK:             scf.if
// CHECK:               linalg.exp ins(%h : {{.*}}) outs(%h :
// CHECK:               linalg.add ins(%h, %h : {{.*}}) outs(%h :
// CHECK:             scf.yield
// BUFFERS-LABEL: func.func @in_branches
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield %{{.*}}, %u
func.func @in_branches(%h0: tensor<8xf32>, %s0: f32, %c: i1, %n: index) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %q = scf.for %k = %c0 to %n step %c1 iter_args(%h = %h0, %s = %s0) -> (tensor<8xf32>, f32) {
    %t = scf.if %c -> (tensor<8xf32>) {
      %e = tensor.empty() : tensor<8xf32>
      %a = linalg.exp ins(%h : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %a : tensor<8xf32>
    } else {
      %e = tensor.empty() : tensor<8xf32>
      %b = linalg.add ins(%h, %h : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
      scf.yield %b : tensor<8xf32>
    }
    %v = tensor.extract %h[%c0] : tensor<8xf32>
    %u = arith.addf %s, %v : f32
    scf.yield %t, %u : tensor<8xf32>, f32
  }
  func.return %r, %q : tensor<8xf32>, f32
}

// What is added is in memory that is written before the end of the iteration, so that the sum cannot
// be computed there.
// CHECK-LABEL: func.func @memory_is_written
// CHECK:             %t = linalg.add ins(%h, %m : {{.*}}) outs(%e :
// CHECK:             memref.store
// CHECK-NEXT:        scf.yield %t,
func.func @memory_is_written(%h0: tensor<8xf32>, %memory: memref<8xf32>, %s0: f32, %n: index) -> (tensor<8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %q = scf.for %k = %c0 to %n step %c1 iter_args(%h = %h0, %s = %s0) -> (tensor<8xf32>, f32) {
    %e = tensor.empty() : tensor<8xf32>
    %m = bufferization.to_tensor %memory restrict : memref<8xf32> to tensor<8xf32>
    %t = linalg.add ins(%h, %m : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    %v = tensor.extract %h[%c0] : tensor<8xf32>
    %u = arith.addf %s, %v : f32
    memref.store %u, %memory[%c1] : memref<8xf32>
    scf.yield %t, %u : tensor<8xf32>, f32
  }
  func.return %r, %q : tensor<8xf32>, f32
}

// What is yielded is computed in front of the loop, where there is no iteration argument yet.
// CHECK-LABEL: func.func @in_front_of_the_loop
// CHECK:           %t = linalg.exp ins(%y : {{.*}}) outs(%e :
// CHECK-NEXT:      %r = scf.for
func.func @in_front_of_the_loop(%h0: tensor<8xf32>, %y: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.exp ins(%y : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%h = %h0) -> (tensor<8xf32>) {
    scf.yield %t : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}
