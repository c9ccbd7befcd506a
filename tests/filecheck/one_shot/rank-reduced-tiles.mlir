// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// Tiles that drop dimensions of size 1 in between are inserted where they are: nothing is
// allocated, and nothing is copied.

// CHECK-LABEL: func.func @dropped_before_the_insertion
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
func.func @dropped_before_the_insertion(%x: tensor<32x8xf32>, %out: tensor<32x8xf32>) -> tensor<32x8xf32> {
  %z = arith.constant 0.0 : f32
  %r = scf.forall (%i) in (8) shared_outs(%o = %out) -> (tensor<32x8xf32>) {
    %s = tensor.extract_slice %x[0, %i] [32, 1] [1, 1] : tensor<32x8xf32> to tensor<32xf32>
    %d = tensor.extract_slice %o[0, %i] [32, 1] [1, 1] : tensor<32x8xf32> to tensor<32x1xf32>
    %f = linalg.fill ins(%z : f32) outs(%d : tensor<32x1xf32>) -> tensor<32x1xf32>
    %g = tensor.extract_slice %f[0, 0] [32, 1] [1, 1] : tensor<32x1xf32> to tensor<32xf32>
    %e = linalg.exp ins(%s : tensor<32xf32>) outs(%g : tensor<32xf32>) -> tensor<32xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %e into %o[0, %i] [32, 1] [1, 1] : tensor<32xf32> into tensor<32x8xf32>
    }
  }
  func.return %r : tensor<32x8xf32>
}

// CHECK-LABEL: func.func @in_a_sequential_loop
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
func.func @in_a_sequential_loop(%out: tensor<32x8xf32>, %n: index) -> tensor<32x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %out) -> (tensor<32x8xf32>) {
    %d = tensor.extract_slice %o[0, %i] [32, 1] [1, 1] : tensor<32x8xf32> to tensor<32x1xf32>
    %g = tensor.extract_slice %d[0, 0] [32, 1] [1, 1] : tensor<32x1xf32> to tensor<32xf32>
    %e = linalg.exp ins(%g : tensor<32xf32>) outs(%g : tensor<32xf32>) -> tensor<32xf32>
    %p = tensor.insert_slice %e into %o[0, %i] [32, 1] [1, 1] : tensor<32xf32> into tensor<32x8xf32>
    scf.yield %p : tensor<32x8xf32>
  }
  func.return %r : tensor<32x8xf32>
}

// A part of the tile is not the tile.
//
// CHECK-LABEL: func.func @a_part
// CHECK:         memref.alloc
// CHECK:         memref.copy
func.func @a_part(%out: tensor<32x8xf32>, %n: index) -> tensor<32x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %out) -> (tensor<32x8xf32>) {
    %d = tensor.extract_slice %o[0, %i] [32, 1] [1, 1] : tensor<32x8xf32> to tensor<32x1xf32>
    %g = tensor.extract_slice %d[1, 0] [16, 1] [1, 1] : tensor<32x1xf32> to tensor<16xf32>
    %e = linalg.exp ins(%g : tensor<16xf32>) outs(%g : tensor<16xf32>) -> tensor<16xf32>
    %p = tensor.insert_slice %e into %o[0, %i] [16, 1] [1, 1] : tensor<16xf32> into tensor<32x8xf32>
    scf.yield %p : tensor<32x8xf32>
  }
  func.return %r : tensor<32x8xf32>
}

// Each second row is as large as the other half, but is not all of it.
//
// CHECK-LABEL: func.func @strided
// CHECK:         memref.copy
func.func @strided(%out: tensor<32x8xf32>, %i: index) -> tensor<32x8xf32> {
  %d = tensor.extract_slice %out[0, %i] [16, 1] [2, 1] : tensor<32x8xf32> to tensor<16x1xf32>
  %g = tensor.extract_slice %d[0, 0] [16, 1] [1, 1] : tensor<16x1xf32> to tensor<16xf32>
  %e = linalg.exp ins(%g : tensor<16xf32>) outs(%g : tensor<16xf32>) -> tensor<16xf32>
  %p = tensor.insert_slice %e into %out[0, %i] [16, 1] [1, 1] : tensor<16xf32> into tensor<32x8xf32>
  func.return %p : tensor<32x8xf32>
}
