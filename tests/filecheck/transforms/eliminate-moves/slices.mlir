// RUN: xdsl-opt %s -p eliminate-moves | filecheck %s

// A product in tiles reads tiles of the matrix that was transposed. The last tiles are smaller.
// CHECK-LABEL: func.func @tiled(
// CHECK-NOT:     linalg.transpose
// CHECK:         %a = tensor.extract_slice %x[%i, %k] [%n, 8] [1, 1]
// CHECK-NEXT:    %b = tensor.extract_slice %w[%j, %k] [4, 8] [1, 1] : tensor<64x32xf32> to tensor<4x8xf32>
// CHECK-NEXT:    %c = tensor.extract_slice
// CHECK-NEXT:    %p = "linalg.matmul"(%a, %b, %c) <{{{.*}}indexing_maps = [{{.*}}(d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>,
func.func @tiled(%x: tensor<?x32xf32>, %w: tensor<64x32xf32>, %o: tensor<?x64xf32>, %m: index) -> tensor<?x64xf32> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %e = tensor.empty() : tensor<32x64xf32>
  %t = linalg.transpose ins(%w : tensor<64x32xf32>) outs(%e : tensor<32x64xf32>) permutation = [1, 0]
  %r = scf.for %i = %c0 to %m step %c8 iter_args(%o0 = %o) -> (tensor<?x64xf32>) {
    %left = arith.subi %m, %i : index
    %n = arith.minsi %left, %c8 : index
    %r1 = scf.for %j = %c0 to %c64 step %c4 iter_args(%o1 = %o0) -> (tensor<?x64xf32>) {
      %r2 = scf.for %k = %c0 to %c32 step %c8 iter_args(%o2 = %o1) -> (tensor<?x64xf32>) {
        %a = tensor.extract_slice %x[%i, %k] [%n, 8] [1, 1] : tensor<?x32xf32> to tensor<?x8xf32>
        %b = tensor.extract_slice %t[%k, %j] [8, 4] [1, 1] : tensor<32x64xf32> to tensor<8x4xf32>
        %c = tensor.extract_slice %o2[%i, %j] [%n, 4] [1, 1] : tensor<?x64xf32> to tensor<?x4xf32>
        %p = linalg.matmul ins(%a, %b : tensor<?x8xf32>, tensor<8x4xf32>) outs(%c : tensor<?x4xf32>) -> tensor<?x4xf32>
        %s = tensor.insert_slice %p into %o2[%i, %j] [%n, 4] [1, 1] : tensor<?x4xf32> into tensor<?x64xf32>
        scf.yield %s : tensor<?x64xf32>
      }
      scf.yield %r2 : tensor<?x64xf32>
    }
    scf.yield %r1 : tensor<?x64xf32>
  }
  return %r : tensor<?x64xf32>
}

// Slices of slices, with sizes and strides that are not known; the second dimension has one element.
// CHECK-LABEL: func.func @nested(
// CHECK-NEXT:    %f = tensor.empty
// CHECK-NEXT:    [[A:%.*]] = tensor.extract_slice %x[%i] [%n] [%n] : tensor<8xf32> to tensor<?xf32>
// CHECK-NEXT:    [[B:%.*]] = tensor.extract_slice [[A]][%n] [2] [1] : tensor<?xf32> to tensor<2xf32>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, {{.*}}} ins([[B]] : tensor<2xf32>)
func.func @nested(%x: tensor<8xf32>, %i: index, %n: index) -> tensor<3x2xf32> {
  %e = tensor.empty() : tensor<6x8xf32>
  %f = tensor.empty() : tensor<3x2xf32>
  %t = linalg.broadcast ins(%x : tensor<8xf32>) outs(%e : tensor<6x8xf32>) dimensions = [0]
  %a = tensor.extract_slice %t[%n, %i] [4, %n] [1, %n] : tensor<6x8xf32> to tensor<4x?xf32>
  %b = tensor.extract_slice %a[%i, %n] [3, 2] [1, 1] : tensor<4x?xf32> to tensor<3x2xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<3x2xf32>) outs(%f : tensor<3x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.mulf %in, %in : f32
    linalg.yield %v : f32
  } -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// One op reads the whole and a slice: without either, nothing tells how often its loops run.
// CHECK-LABEL: func.func @both(
// CHECK:         %t = linalg.broadcast
// CHECK:         %a = tensor.extract_slice %t
func.func @both(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<6x8xf32>
  %f = tensor.empty() : tensor<8xf32>
  %t = linalg.broadcast ins(%x : tensor<8xf32>) outs(%e : tensor<6x8xf32>) dimensions = [0]
  %a = tensor.extract_slice %t[0, 0] [6, 8] [1, 1] : tensor<6x8xf32> to tensor<6x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%t, %a : tensor<6x8xf32>, tensor<6x8xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%in: f32, %in2: f32, %out: f32):
    %v = arith.mulf %in, %in2 : f32
    linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// The slice is returned, and so has its elements in this order.
// CHECK-LABEL: func.func @returned(
// CHECK:         %t = linalg.transpose
// CHECK:         %a = tensor.extract_slice %t
func.func @returned(%x: tensor<8x6xf32>) -> tensor<3x8xf32> {
  %e = tensor.empty() : tensor<6x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x6xf32>) outs(%e : tensor<6x8xf32>) permutation = [1, 0]
  %a = tensor.extract_slice %t[0, 0] [3, 8] [1, 1] : tensor<6x8xf32> to tensor<3x8xf32>
  return %a : tensor<3x8xf32>
}

// %x is overwritten in the loop that reads slices.
// CHECK-LABEL: func.func @overwritten(
// CHECK:         %t = linalg.transpose
// CHECK:         %a = tensor.extract_slice %t
func.func @overwritten(%x: tensor<8x8xf32> {bufferize.aliasing_result = 0 : i64}, %v: f32, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) permutation = [1, 0]
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %x) -> (tensor<8x8xf32>) {
    %a = tensor.extract_slice %t[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    %b = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
    %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<1x8xf32>) outs(%b : tensor<1x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %q = arith.mulf %in, %v : f32
      linalg.yield %q : f32
    } -> tensor<1x8xf32>
    %u = tensor.insert_slice %s into %o[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
    scf.yield %u : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// A constant is in memory in any case: to read a part of it later takes nothing.

// CHECK-LABEL: @part_of_constant
// CHECK-NOT:     linalg.transpose
func.func @part_of_constant(%x: tensor<1x2xf32>, %out: tensor<1x2xf32>) -> tensor<1x2xf32> {
  %weights = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %part = tensor.extract_slice %weights[2, 0] [2, 2] [1, 1] : tensor<4x2xf32> to tensor<2x2xf32>
  %empty = tensor.empty() : tensor<2x2xf32>
  %transposed = linalg.transpose ins(%part : tensor<2x2xf32>) outs(%empty : tensor<2x2xf32>) permutation = [1, 0]
  %product = linalg.matmul ins(%x, %transposed : tensor<1x2xf32>, tensor<2x2xf32>) outs(%out : tensor<1x2xf32>) -> tensor<1x2xf32>
  func.return %product : tensor<1x2xf32>
}
