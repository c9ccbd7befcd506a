// RUN: xdsl-opt %s -p eliminate-copies,split-at-peak --split-input-file | filecheck %s

// Only the parts of the product are there, and the sum is computed in %skip.
// CHECK-LABEL: func.func @residual(
// CHECK:         %r = scf.for %[[i:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[skip:.*]] = %skip) -> (tensor<64x256xf32>) {
// CHECK-NEXT:      %[[e:.*]] = tensor.empty() : tensor<8x256xf32>
// CHECK-NEXT:      %f = linalg.fill ins(%z : f32) outs(%[[e]] : tensor<8x256xf32>)
// CHECK-NEXT:      %[[x:.*]] = tensor.extract_slice %x[%[[i]], 0] [8, 64] [1, 1]
// CHECK-NEXT:      %m = linalg.matmul ins(%[[x]], %w : tensor<8x64xf32>, tensor<64x256xf32>) outs(%f : tensor<8x256xf32>)
// CHECK-NEXT:      %[[s:.*]] = tensor.extract_slice %[[skip]][%[[i]], 0] [8, 256] [1, 1]
// CHECK-NEXT:      %r_1 = linalg.add ins(%m, %[[s]] : tensor<8x256xf32>, tensor<8x256xf32>) outs(%[[s]] : tensor<8x256xf32>)
// CHECK-NEXT:      %[[y:.*]] = tensor.insert_slice %r_1 into %[[skip]][%[[i]], 0] [8, 256] [1, 1]
// CHECK-NEXT:      scf.yield %[[y]] : tensor<64x256xf32>
// CHECK:         func.return %r : tensor<64x256xf32>
func.func @residual(%x: tensor<64x64xf32>, %w: tensor<64x256xf32>, %skip: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %e2 = tensor.empty() : tensor<64x256xf32>
  %r = linalg.add ins(%m, %skip : tensor<64x256xf32>, tensor<64x256xf32>) outs(%e2 : tensor<64x256xf32>) -> tensor<64x256xf32>
  func.return %r : tensor<64x256xf32>
}

// -----

// A sum over the parts: the second convolution adds up the channels part by part.
// CHECK-LABEL: func.func @expand_and_project(
// CHECK:         scf.for %[[i:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[sum:.*]] = %f2) -> (tensor<1x4x6x6xf32>) {
// CHECK:           linalg.conv_2d_nchw_fchw
// CHECK-SAME:        ins(%x, %{{.*}} : tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) outs(%f : tensor<1x4x6x6xf32>)
// CHECK:           %a = linalg.exp
// CHECK:           %[[r:.*]] = linalg.conv_2d_nchw_fchw
// CHECK-SAME:        ins(%a, %{{.*}} : tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>) outs(%[[sum]] : tensor<1x4x6x6xf32>)
// CHECK-NEXT:      scf.yield %[[r]]
func.func @expand_and_project(%x: tensor<1x4x6x6xf32>, %w: tensor<32x4x1x1xf32>, %v: tensor<4x32x1x1xf32>) -> tensor<1x4x6x6xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x32x6x6xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  %m = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x4x6x6xf32>, tensor<32x4x1x1xf32>) outs(%f : tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  %a = linalg.exp ins(%m : tensor<1x32x6x6xf32>) outs(%e : tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  %e2 = tensor.empty() : tensor<1x4x6x6xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %v : tensor<1x32x6x6xf32>, tensor<4x32x1x1xf32>) outs(%f2 : tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  func.return %r : tensor<1x4x6x6xf32>
}

// -----

// %skip is needed afterwards, and %w may not be written: the sum is computed in the product, which
// two ops read and so is there as a whole.
// CHECK-LABEL: func.func @skip_is_needed(
// CHECK:         %m = linalg.matmul
// CHECK:         scf.for {{.*}} iter_args(%[[all:.*]] = %m) -> (tensor<64x256xf32>)
// CHECK-NEXT:      %[[m:.*]] = tensor.extract_slice %[[all]][
// CHECK-NEXT:      tensor.empty() : tensor<8x256xf32>
// CHECK-NEXT:      %n = linalg.exp ins(%[[m]]
// CHECK-NEXT:      %o = linalg.mul ins(%[[m]], %n
// CHECK-NEXT:      %[[s:.*]] = tensor.extract_slice %skip[
// CHECK-NEXT:      linalg.add ins(%o, %[[s]] : {{.*}}) outs(%[[m]]
func.func @skip_is_needed(%x: tensor<64x64xf32>, %w: tensor<64x256xf32> {bufferization.writable = false}, %skip: tensor<64x256xf32>) -> (tensor<64x256xf32>, tensor<64x256xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %n = linalg.exp ins(%m : tensor<64x256xf32>) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %o = linalg.mul ins(%m, %n : tensor<64x256xf32>, tensor<64x256xf32>) outs(%n : tensor<64x256xf32>) -> tensor<64x256xf32>
  %e2 = tensor.empty() : tensor<64x256xf32>
  %r = linalg.add ins(%o, %skip : tensor<64x256xf32>, tensor<64x256xf32>) outs(%e2 : tensor<64x256xf32>) -> tensor<64x256xf32>
  func.return %r, %skip : tensor<64x256xf32>, tensor<64x256xf32>
}

// -----

// The product reads all of %w along the rows, whatever has been written by then, but only its own
// columns along the columns: so the sum is computed in %w column by column.
// CHECK-LABEL: func.func @read_as_a_whole(
// CHECK:         scf.for %[[i:.*]] = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%[[w:.*]] = %w) -> (tensor<64x64xf32>) {
// CHECK:           %[[part:.*]] = tensor.extract_slice %[[w]][0, %[[i]]] [64, 8] [1, 1]
// CHECK-NEXT:      %m = linalg.matmul ins(%x, %[[part]] : tensor<64x64xf32>, tensor<64x8xf32>)
// CHECK-NEXT:      linalg.add ins(%m, %[[part]] : {{.*}}) outs(%[[part]]
func.func @read_as_a_whole(%x: tensor<64x64xf32> {bufferization.writable = false}, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %e2 = tensor.empty() : tensor<64x64xf32>
  %r = linalg.add ins(%m, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e2 : tensor<64x64xf32>) -> tensor<64x64xf32>
  func.return %r : tensor<64x64xf32>
}
