// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s

// The product is not needed any more once its exponential is known.
// CHECK-LABEL: func.func @elementwise(
// CHECK-NEXT: %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %1 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %x = linalg.exp ins(%m : tensor<4x4xf32>) outs(%m : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: func.return %x : tensor<4x4xf32>
func.func @elementwise(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %x = linalg.exp ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %x : tensor<4x4xf32>
}

// Here it is.
// CHECK-LABEL: func.func @needed(
// CHECK-NEXT: %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %1 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %e = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %x = linalg.exp ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: func.return %x, %m : tensor<4x4xf32>, tensor<4x4xf32>
func.func @needed(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %m = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %x = linalg.exp ins(%m : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %x, %m : tensor<4x4xf32>, tensor<4x4xf32>
}

// There is nothing to copy, but one buffer will do in the place of two.
// CHECK-LABEL: func.func @without_copies(
// CHECK-NEXT: %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %e = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %x = linalg.exp ins(%m : tensor<4x4xf32>) outs(%m : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: func.return %x : tensor<4x4xf32>
func.func @without_copies(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %x = linalg.exp ins(%m : tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %x : tensor<4x4xf32>
}

// Writing a view of a read-only argument would copy the argument.
// CHECK-LABEL: func.func @view_of_read_only_argument(
// CHECK-NEXT: %x = tensor.expand_shape %a {{\[\[}}0 : i64, 1 : i64]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
// CHECK-NEXT: %e = tensor.empty() : tensor<4x1xf32>
// CHECK-NEXT: %y = linalg.exp ins(%x : tensor<4x1xf32>) outs(%e : tensor<4x1xf32>) -> tensor<4x1xf32>
// CHECK-NEXT: %n = linalg.exp ins(%s : tensor<8xf32>) outs(%s : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: func.return %n, %y : tensor<8xf32>, tensor<4x1xf32>
func.func @view_of_read_only_argument(%s: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %a: tensor<4xf32> {bufferization.writable = false}) -> (tensor<8xf32>, tensor<4x1xf32>) {
  %x = tensor.expand_shape %a [[0, 1]] output_shape [4, 1] : tensor<4xf32> into tensor<4x1xf32>
  %e = tensor.empty() : tensor<4x1xf32>
  %y = linalg.exp ins(%x : tensor<4x1xf32>) outs(%e : tensor<4x1xf32>) -> tensor<4x1xf32>
  %d = tensor.empty() : tensor<8xf32>
  %n = linalg.exp ins(%s : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  func.return %n, %y : tensor<8xf32>, tensor<4x1xf32>
}

// The two small tensors are not alive at the peak, so the function is left as it is.
// CHECK-LABEL: func.func @not_at_the_peak(
// CHECK:       linalg.exp ins(%m : tensor<4xf32>) outs(%f : tensor<4xf32>)
func.func @not_at_the_peak(%a: tensor<4xf32>, %b: tensor<64xf32>) -> (tensor<4xf32>, tensor<f32>) {
  %d = tensor.empty() : tensor<64xf32>
  %s = tensor.empty() : tensor<f32>
  %p = linalg.exp ins(%b : tensor<64xf32>) outs(%d : tensor<64xf32>) -> tensor<64xf32>
  %t = linalg.reduce ins(%p : tensor<64xf32>) outs(%s : tensor<f32>) dimensions = [0] (%u: f32, %o: f32) {
    %w = arith.addf %u, %o : f32
    linalg.yield %w : f32
  }
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.empty() : tensor<4xf32>
  %m = linalg.log ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %x = linalg.exp ins(%m : tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
  func.return %x, %t : tensor<4xf32>, tensor<f32>
}
