// RUN: xdsl-opt %s -p bufferize | filecheck %s

// The result of a nest of tile loops is the buffer that the nest starts with, not a part of it: the
// elementwise op overwrites it, and needs no third buffer.
//
// CHECK-LABEL: func.func @bias
// CHECK:         memref.alloc() {{.*}} : memref<8x8xf32>
// CHECK:         memref.alloc() {{.*}} : memref<8x8xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func @bias(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p0 = scf.for %i = %c0 to %c8 step %c4 iter_args(%l = %f) -> (tensor<8x8xf32>) {
    %q = scf.for %j = %c0 to %c8 step %c4 iter_args(%m = %l) -> (tensor<8x8xf32>) {
      %r = scf.for %k = %c0 to %c8 step %c4 iter_args(%n = %m) -> (tensor<8x8xf32>) {
        %xs = tensor.extract_slice %x[%i, %k] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
        %ws = tensor.extract_slice %w[%k, %j] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
        %ns = tensor.extract_slice %n[%i, %j] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
        %t = linalg.matmul ins(%xs, %ws : tensor<4x4xf32>, tensor<4x4xf32>) outs(%ns : tensor<4x4xf32>) -> tensor<4x4xf32>
        %u = tensor.insert_slice %t into %n[%i, %j] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
        scf.yield %u : tensor<8x8xf32>
      }
      scf.yield %r : tensor<8x8xf32>
    }
    scf.yield %q : tensor<8x8xf32>
  }
  %y0 = linalg.add ins(%p0, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p1 = scf.for %i = %c0 to %c8 step %c4 iter_args(%l = %f) -> (tensor<8x8xf32>) {
    %q = scf.for %j = %c0 to %c8 step %c4 iter_args(%m = %l) -> (tensor<8x8xf32>) {
      %r = scf.for %k = %c0 to %c8 step %c4 iter_args(%n = %m) -> (tensor<8x8xf32>) {
        %xs = tensor.extract_slice %y0[%i, %k] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
        %ws = tensor.extract_slice %w[%k, %j] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
        %ns = tensor.extract_slice %n[%i, %j] [4, 4] [1, 1] : tensor<8x8xf32> to tensor<4x4xf32>
        %t = linalg.matmul ins(%xs, %ws : tensor<4x4xf32>, tensor<4x4xf32>) outs(%ns : tensor<4x4xf32>) -> tensor<4x4xf32>
        %u = tensor.insert_slice %t into %n[%i, %j] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<8x8xf32>
        scf.yield %u : tensor<8x8xf32>
      }
      scf.yield %r : tensor<8x8xf32>
    }
    scf.yield %q : tensor<8x8xf32>
  }
  %y1 = linalg.add ins(%p1, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  func.return %y1 : tensor<8x8xf32>
}
