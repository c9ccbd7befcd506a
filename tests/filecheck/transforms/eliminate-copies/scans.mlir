// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=BUFFERS

// Iteration i reads slice i of %xs and writes slice i of %ys. %xs is donated: the loop starts with
// it. All of what it starts with otherwise is overwritten.
// CHECK-LABEL: func.func @donated
// CHECK-NOT:     dense
// CHECK:         scf.for {{.*}} iter_args(%ys = %xs)
// CHECK:           tensor.extract_slice %ys
// BUFFERS-LABEL: func.func @donated
// BUFFERS-NOT:     memref.alloc
// BUFFERS:         "memref.copy"(%row,
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return %xs
func.func @donated(%xs: tensor<3x8x4xf32> {bufferize.aliasing_result = 0 : i64}, %row: tensor<4xf32>, %pos: index) -> tensor<3x8x4xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %init = arith.constant dense<0.0> : tensor<3x8x4xf32>
  %r = scf.for %l = %i0 to %i3 step %i1 iter_args(%ys = %init) -> (tensor<3x8x4xf32>) {
    %x = tensor.extract_slice %xs[%l, 0, 0] [1, 8, 4] [1, 1, 1] : tensor<3x8x4xf32> to tensor<8x4xf32>
    %y = tensor.insert_slice %row into %x[%pos, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    %n = tensor.insert_slice %y into %ys[%l, 0, 0] [1, 8, 4] [1, 1, 1] : tensor<8x4xf32> into tensor<3x8x4xf32>
    scf.yield %n : tensor<3x8x4xf32>
  }
  func.return %r : tensor<3x8x4xf32>
}

// Two of each, the first made in the function, with offsets that are clamped to what they are
// anyway. A `tensor.empty` has no contents to overwrite, so any bounds will do.
// CHECK-LABEL: func.func @clamped
// CHECK:         scf.for {{.*}} iter_args(%ys = %xs, %zs = %us)
// CHECK:           tensor.extract_slice %ys
// CHECK:           tensor.extract_slice %zs
// BUFFERS-LABEL: func.func @clamped
// BUFFERS:         memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-COUNT-2: "memref.copy"(%row,
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @clamped(%us: tensor<3x8xf32> {bufferize.aliasing_result = 1 : i64}, %f: f32, %row: tensor<4xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>) {
  %i0 = arith.constant 0 : index
  %i2 = arith.constant 2 : index
  %n0 = arith.constant 0 : i32
  %n1 = arith.constant 1 : i32
  %n3 = arith.constant 3 : i32
  %e = tensor.empty() : tensor<3x8xf32>
  %xs = linalg.fill ins(%f : f32) outs(%e : tensor<3x8xf32>) -> tensor<3x8xf32>
  %init = arith.constant dense<0.0> : tensor<3x8xf32>
  %g = tensor.empty() : tensor<3x8xf32>
  %r, %s = scf.for %l = %n0 to %n3 step %n1 iter_args(%ys = %init, %zs = %g) -> (tensor<3x8xf32>, tensor<3x8xf32>) : i32 {
    %i = arith.index_cast %l : i32 to index
    %a = arith.maxsi %i, %i0 : index
    %b = arith.minsi %a, %i2 : index
    %x = tensor.extract_slice %xs[%b, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
    %u = tensor.extract_slice %us[%b, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
    %y = tensor.insert_slice %row into %x[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %z = tensor.insert_slice %row into %u[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %m = tensor.insert_slice %y into %ys[%b, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
    %n = tensor.insert_slice %z into %zs[%b, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
    scf.yield %m, %n : tensor<3x8xf32>, tensor<3x8xf32>
  }
  func.return %r, %s : tensor<3x8xf32>, tensor<3x8xf32>
}

// The clamp makes the last iteration read slice 1 again, which has been written: %xs stays.
// CHECK-LABEL: func.func @clamped_in_fact
// CHECK-NOT:     iter_args(%ys = %xs)
// CHECK:           tensor.extract_slice %xs
func.func @clamped_in_fact(%xs: tensor<3x8xf32> {bufferize.aliasing_result = 0 : i64}, %row: tensor<4xf32>) -> tensor<3x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<3x8xf32>
  %r = scf.for %l = %i0 to %i3 step %i1 iter_args(%ys = %e) -> tensor<3x8xf32> {
    %b = arith.minsi %l, %i1 : index
    %x = tensor.extract_slice %xs[%b, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
    %y = tensor.insert_slice %row into %x[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %m = tensor.insert_slice %y into %ys[%b, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
    scf.yield %m : tensor<3x8xf32>
  }
  func.return %r : tensor<3x8xf32>
}

// So does a clamp from below: the second iteration reads slice 1 again.
// CHECK-LABEL: func.func @clamped_from_below
// CHECK-NOT:     iter_args(%ys = %xs)
// CHECK:           tensor.extract_slice %xs
func.func @clamped_from_below(%xs: tensor<3x8xf32> {bufferize.aliasing_result = 0 : i64}, %row: tensor<4xf32>) -> tensor<3x8xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %e = tensor.empty() : tensor<3x8xf32>
  %r = scf.for %l = %i0 to %i3 step %i1 iter_args(%ys = %e) -> tensor<3x8xf32> {
    %b = arith.maxsi %l, %i1 : index
    %x = tensor.extract_slice %xs[%b, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
    %y = tensor.insert_slice %row into %x[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %m = tensor.insert_slice %y into %ys[%b, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
    scf.yield %m : tensor<3x8xf32>
  }
  func.return %r : tensor<3x8xf32>
}

// The first slice of the result is that of %init.
// CHECK-LABEL: func.func @part
// CHECK-NOT:     iter_args(%ys = %xs)
// CHECK:           tensor.extract_slice %xs
func.func @part(%xs: tensor<3x8xf32> {bufferize.aliasing_result = 0 : i64}, %row: tensor<4xf32>) -> tensor<3x8xf32> {
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %init = arith.constant dense<0.0> : tensor<3x8xf32>
  %r = scf.for %l = %i1 to %i3 step %i1 iter_args(%ys = %init) -> tensor<3x8xf32> {
    %x = tensor.extract_slice %xs[%l, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
    %y = tensor.insert_slice %row into %x[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %m = tensor.insert_slice %y into %ys[%l, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
    scf.yield %m : tensor<3x8xf32>
  }
  func.return %r : tensor<3x8xf32>
}

// Each iteration reads what %init has in the slice before.
// CHECK-LABEL: func.func @read_init
// CHECK-NOT:     iter_args(%ys = %xs)
// CHECK:           tensor.extract_slice %xs
func.func @read_init(%xs: tensor<3x8xf32> {bufferize.aliasing_result = 0 : i64}, %row: tensor<4xf32>) -> (tensor<3x8xf32>, tensor<8xf32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %init = arith.constant dense<0.0> : tensor<3x8xf32>
  %d = tensor.empty() : tensor<8xf32>
  %r, %s = scf.for %l = %i0 to %i3 step %i1 iter_args(%ys = %init, %c = %d) -> (tensor<3x8xf32>, tensor<8xf32>) {
    %x = tensor.extract_slice %xs[%l, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
    %o = tensor.extract_slice %ys[%l, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
    %q = linalg.exp ins(%o : tensor<8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
    %y = tensor.insert_slice %row into %x[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %m = tensor.insert_slice %y into %ys[%l, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
    scf.yield %m, %q : tensor<3x8xf32>, tensor<8xf32>
  }
  func.return %r, %s : tensor<3x8xf32>, tensor<8xf32>
}

// %xs is needed afterwards. Its slice is copied once, straight to its place in %ys.
// CHECK-LABEL: func.func @read_behind
// CHECK-NOT:     iter_args(%ys = %xs)
// CHECK:           tensor.extract_slice %xs
// CHECK:           %[[PART:.*]] = tensor.extract_slice %ys
// CHECK:           bufferization.materialize_in_destination %x in %[[PART]]
// BUFFERS-LABEL: func.func @read_behind
// BUFFERS-COUNT-2: memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-COUNT-2: memref.copy
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @read_behind(%f: f32, %row: tensor<4xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i3 = arith.constant 3 : index
  %d = tensor.empty() : tensor<3x8xf32>
  %xs = linalg.fill ins(%f : f32) outs(%d : tensor<3x8xf32>) -> tensor<3x8xf32>
  %e = tensor.empty() : tensor<3x8xf32>
  %r = scf.for %l = %i0 to %i3 step %i1 iter_args(%ys = %e) -> tensor<3x8xf32> {
    %x = tensor.extract_slice %xs[%l, 0] [1, 8] [1, 1] : tensor<3x8xf32> to tensor<8xf32>
    %y = tensor.insert_slice %row into %x[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %m = tensor.insert_slice %y into %ys[%l, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
    scf.yield %m : tensor<3x8xf32>
  }
  func.return %r, %xs : tensor<3x8xf32>, tensor<3x8xf32>
}
