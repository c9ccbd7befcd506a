// RUN: xdsl-opt %s -p split-at-peak --split-input-file | filecheck %s
// RUN: not xdsl-opt %s -p 'split-at-peak{max-parts=1}' --split-input-file 2>&1 | filecheck %s --check-prefix=PARTS

// PARTS: max-parts must be 2 or more

// A sum over the last of several reductions would add up in another order.
// CHECK-LABEL: func.func @order_of_sums(
// CHECK-NOT:     scf.for
func.func @order_of_sums(%x: tensor<1x6x6x4xf32>, %w: tensor<1x1x4x35xf32>, %v: tensor<3x3x35x1xf32>) -> tensor<1x4x4x1xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x6x35xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x6x6x35xf32>) -> tensor<1x6x6x35xf32>
  %m = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%x, %w : tensor<1x6x6x4xf32>, tensor<1x1x4x35xf32>) outs(%f : tensor<1x6x6x35xf32>) -> tensor<1x6x6x35xf32>
  %e2 = tensor.empty() : tensor<1x4x4x1xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%m, %v : tensor<1x6x6x35xf32>, tensor<3x3x35x1xf32>) outs(%f2 : tensor<1x4x4x1xf32>) -> tensor<1x4x4x1xf32>
  func.return %r : tensor<1x4x4x1xf32>
}

// -----

// 131 is prime.
// CHECK-LABEL: func.func @prime(
// CHECK-NOT:     scf.for
func.func @prime(%x: tensor<131xf32>) -> tensor<131xf32> {
  %e = tensor.empty() : tensor<131xf32>
  %a = linalg.exp ins(%x : tensor<131xf32>) outs(%e : tensor<131xf32>) -> tensor<131xf32>
  %e2 = tensor.empty() : tensor<131xf32>
  %b = linalg.exp ins(%a : tensor<131xf32>) outs(%e2 : tensor<131xf32>) -> tensor<131xf32>
  func.return %b : tensor<131xf32>
}

// -----

// The body of an op calls a function, which may do anything.
// CHECK-LABEL: func.func @effects(
// CHECK-NOT:     scf.for
func.func private @print(f32)
func.func @effects(%x: tensor<128xf32>) -> tensor<128xf32> {
  %e = tensor.empty() : tensor<128xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<128xf32>) outs(%e : tensor<128xf32>) {
  ^bb0(%p: f32, %q: f32):
    func.call @print(%p) : (f32) -> ()
    linalg.yield %p : f32
  } -> tensor<128xf32>
  %e2 = tensor.empty() : tensor<128xf32>
  %b = linalg.exp ins(%a : tensor<128xf32>) outs(%e2 : tensor<128xf32>) -> tensor<128xf32>
  func.return %b : tensor<128xf32>
}

// -----

// Memory that %t is in may be written between the ops.
// CHECK-LABEL: func.func @in_memory(
// CHECK-NOT:     scf.for
func.func @in_memory(%m: memref<128xf32>, %f: f32, %i: index) -> tensor<128xf32> {
  %t = bufferization.to_tensor %m restrict : memref<128xf32> to tensor<128xf32>
  %e = tensor.empty() : tensor<128xf32>
  %a = linalg.exp ins(%t : tensor<128xf32>) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  memref.store %f, %m[%i] : memref<128xf32>
  %e2 = tensor.empty() : tensor<128xf32>
  %b = linalg.exp ins(%a : tensor<128xf32>) outs(%e2 : tensor<128xf32>) -> tensor<128xf32>
  func.return %b : tensor<128xf32>
}

// -----

// Each element needs the number of its iteration.
// CHECK-LABEL: func.func @index(
// CHECK-NOT:     scf.for
func.func @index(%k: tensor<128xi64> {bufferization.writable = false}) -> tensor<128xi64> {
  %e = tensor.empty() : tensor<128xi64>
  %a = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%e : tensor<128xi64>) {
  ^bb0(%q: i64):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i64
    linalg.yield %n : i64
  } -> tensor<128xi64>
  %e2 = tensor.empty() : tensor<128xi64>
  %b = linalg.mul ins(%a, %k : tensor<128xi64>, tensor<128xi64>) outs(%e2 : tensor<128xi64>) -> tensor<128xi64>
  func.return %b : tensor<128xi64>
}

// -----

// The op before the peak is used twice: its result has to be there as a whole.
// CHECK-LABEL: func.func @used_twice(
// CHECK-NOT:     scf.for
func.func @used_twice(%x: tensor<128xf32> {bufferization.writable = false}) -> (tensor<128xf32>, tensor<128xf32>) {
  %e = tensor.empty() : tensor<128xf32>
  %a = linalg.exp ins(%x : tensor<128xf32>) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %e2 = tensor.empty() : tensor<128xf32>
  %b = linalg.exp ins(%a : tensor<128xf32>) outs(%e2 : tensor<128xf32>) -> tensor<128xf32>
  func.return %a, %b : tensor<128xf32>, tensor<128xf32>
}

// -----

// Two peaks of 2,096 bytes, of which the second is one tensor. Splitting the first alone gains
// nothing, so that is undone.
// CHECK-LABEL: func.func @one_of_two_peaks(
// CHECK-NOT:     scf.for
func.func @one_of_two_peaks(%x: tensor<262xf32> {bufferization.writable = false}, %y: tensor<131xf32> {bufferization.writable = false}, %i: index) -> f32 {
  %e = tensor.empty() : tensor<262xf32>
  %a = linalg.exp ins(%x : tensor<262xf32>) outs(%e : tensor<262xf32>) -> tensor<262xf32>
  %e2 = tensor.empty() : tensor<262xf32>
  %b = linalg.exp ins(%a : tensor<262xf32>) outs(%e2 : tensor<262xf32>) -> tensor<262xf32>
  %p = tensor.extract %b[%i] : tensor<262xf32>
  %z = arith.constant 0.0 : f32
  %e3 = tensor.empty() : tensor<524xf32>
  %c = linalg.fill ins(%p : f32) outs(%e3 : tensor<524xf32>) -> tensor<524xf32>
  %q = tensor.extract %c[%i] : tensor<524xf32>
  %r = arith.addf %p, %q : f32
  func.return %r : f32
}
