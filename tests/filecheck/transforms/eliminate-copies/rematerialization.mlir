// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s

// Each of the two products has a fill of its own.
// CHECK-LABEL: func.func @shared_fill(
// CHECK-NEXT: %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %e = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %e_1 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %z_1 = linalg.fill ins(%zero : f32) outs(%e_1 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %n = linalg.matmul ins(%m, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z_1 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: func.return %n : tensor<4x4xf32>
func.func @shared_fill(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %n = linalg.matmul ins(%m, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %n : tensor<4x4xf32>
}

// A constant must not be written.
// CHECK-LABEL: func.func @splat(
// CHECK-NEXT: %0 = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %1 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %2 = linalg.fill ins(%0 : f32) outs(%1 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%2 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: func.return %m : tensor<4x4xf32>
func.func @splat(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  %m = linalg.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %m : tensor<4x4xf32>
}

// Nothing is cheaper than to copy these four numbers.
// CHECK-LABEL: func.func @no_splat(
// CHECK-NEXT: %z = arith.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00], [2.000000e+00, 3.000000e+00]]> : tensor<2x2xf32>
// CHECK-NEXT: %m = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: func.return %m : tensor<2x2xf32>
func.func @no_splat(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %z = arith.constant dense<[[0.0, 1.0], [2.0, 3.0]]> : tensor<2x2xf32>
  %m = linalg.matmul ins(%a, %b : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %m : tensor<2x2xf32>
}

// A fill writes as many elements as a copy, whatever their number, and reads none.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NEXT: %e = tensor.empty(%n, %n) : tensor<?x?xf32>
// CHECK-NEXT: %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: %p = linalg.matmul ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: %e_1 = tensor.empty(%n, %n) : tensor<?x?xf32>
// CHECK-NEXT: %z_1 = linalg.fill ins(%zero : f32) outs(%e_1 : tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: %q = linalg.matmul ins(%p, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z_1 : tensor<?x?xf32>) -> tensor<?x?xf32>
// CHECK-NEXT: func.return %p, %q : tensor<?x?xf32>, tensor<?x?xf32>
func.func @dynamic(%a: tensor<?x?xf32>, %n: index, %zero: f32) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %e = tensor.empty(%n, %n) : tensor<?x?xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %p = linalg.matmul ins(%a, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  %q = linalg.matmul ins(%p, %a : tensor<?x?xf32>, tensor<?x?xf32>) outs(%z : tensor<?x?xf32>) -> tensor<?x?xf32>
  func.return %p, %q : tensor<?x?xf32>, tensor<?x?xf32>
}

// Little is read.
// CHECK-LABEL: func.func @bias(
// CHECK-NEXT: %e = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %z = linalg.broadcast ins(%bias:tensor<4xf32>) outs(%e:tensor<4x4xf32>) dimensions = [0]
// CHECK-NEXT: %p = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %e_1 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %z_1 = linalg.broadcast ins(%bias:tensor<4xf32>) outs(%e_1:tensor<4x4xf32>) dimensions = [0]
// CHECK-NEXT: %q = linalg.matmul ins(%p, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z_1 : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: func.return %p, %q : tensor<4x4xf32>, tensor<4x4xf32>
func.func @bias(%a: tensor<4x4xf32>, %bias: tensor<4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.broadcast ins(%bias:tensor<4xf32>) outs(%e:tensor<4x4xf32>) dimensions = [0]
  %p = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %q = linalg.matmul ins(%p, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %p, %q : tensor<4x4xf32>, tensor<4x4xf32>
}

// As much is read as for a copy.
// CHECK-LABEL: func.func @transposed(
// CHECK-NEXT: %e = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %z = linalg.transpose ins(%a:tensor<4x4xf32>) outs(%e:tensor<4x4xf32>) permutation = [1, 0]
// CHECK-NEXT: %p = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %q = linalg.matmul ins(%p, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: func.return %p, %q : tensor<4x4xf32>, tensor<4x4xf32>
func.func @transposed(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.transpose ins(%a:tensor<4x4xf32>) outs(%e:tensor<4x4xf32>) permutation = [1, 0]
  %p = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %q = linalg.matmul ins(%p, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %p, %q : tensor<4x4xf32>, tensor<4x4xf32>
}

// As much would be written as is read and written for a copy of the slice.
// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %e = tensor.empty() : tensor<4x2xf32>
// CHECK-NEXT: %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
// CHECK-NEXT: %s = tensor.extract_slice %z[0, 0] [2, 2] [1, 1] : tensor<4x2xf32> to tensor<2x2xf32>
// CHECK-NEXT: %p = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%s : tensor<2x2xf32>) -> tensor<2x2xf32>
// CHECK-NEXT: func.return %p, %z : tensor<2x2xf32>, tensor<4x2xf32>
func.func @slice(%a: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<4x2xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
  %s = tensor.extract_slice %z[0, 0] [2, 2] [1, 1] : tensor<4x2xf32> to tensor<2x2xf32>
  %p = linalg.matmul ins(%a, %a : tensor<2x2xf32>, tensor<2x2xf32>) outs(%s : tensor<2x2xf32>) -> tensor<2x2xf32>
  func.return %p, %z : tensor<2x2xf32>, tensor<4x2xf32>
}

// The splat is not needed outside of the loop any more.
// CHECK-LABEL: func.func @loop(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %v = arith.constant 2.000000e+00 : f32
// CHECK-NEXT: %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<4x4xf32>) {
// CHECK-NEXT: %z = tensor.splat %v : tensor<4x4xf32>
// CHECK-NEXT: %p = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: %q = linalg.add ins(%p, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: scf.yield %q : tensor<4x4xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.return %r : tensor<4x4xf32>
func.func @loop(%a: tensor<4x4xf32>, %n: index) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant 2.0 : f32
  %z = tensor.splat %v : tensor<4x4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%t = %a) -> (tensor<4x4xf32>) {
    %p = linalg.matmul ins(%t, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
    %q = linalg.add ins(%p, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%t : tensor<4x4xf32>) -> tensor<4x4xf32>
    scf.yield %q : tensor<4x4xf32>
  }
  func.return %r : tensor<4x4xf32>
}

// The former contents are returned, too.
// CHECK-LABEL: func.func @forced(
// CHECK-NEXT: %r = tensor.insert %f into %t[%i] : tensor<4xf32>
// CHECK-NEXT: func.return %r, %t : tensor<4xf32>, tensor<4xf32>
func.func @forced(%t: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r, %t : tensor<4xf32>, tensor<4xf32>
}
