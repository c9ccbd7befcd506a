// RUN: xdsl-opt %s -p fuse-for-memory --split-input-file | filecheck %s

// In place, the exponentials need no memory of their own: nothing is gained.
// CHECK-LABEL: func.func @in_place(
// CHECK:         linalg.exp
// CHECK:         linalg.log
func.func @in_place(%a: tensor<100xf32>) -> tensor<100xf32> {
  %p = linalg.exp ins(%a : tensor<100xf32>) outs(%a : tensor<100xf32>) -> tensor<100xf32>
  %q = linalg.log ins(%p : tensor<100xf32>) outs(%p : tensor<100xf32>) -> tensor<100xf32>
  func.return %q : tensor<100xf32>
}

// -----

// Both products would be live up to the last op, instead of their sum alone.
// CHECK-LABEL: func.func @smaller(
// CHECK:         %p = linalg.add
// CHECK:         %s = linalg.mul ins(%p
func.func @smaller(%a: tensor<16x16xf32> {bufferization.writable = false}, %b: tensor<16x16xf32> {bufferization.writable = false}) -> tensor<16x16xf32> {
  %c = arith.constant 0.0 : f32
  %e1 = tensor.empty() : tensor<16x16xf32>
  %z1 = linalg.fill ins(%c : f32) outs(%e1 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %x = linalg.matmul ins(%a, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%z1 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e2 = tensor.empty() : tensor<16x16xf32>
  %z2 = linalg.fill ins(%c : f32) outs(%e2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y = linalg.matmul ins(%b, %a : tensor<16x16xf32>, tensor<16x16xf32>) outs(%z2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e3 = tensor.empty() : tensor<16x16xf32>
  %p = linalg.add ins(%x, %y : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e3 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e4 = tensor.empty() : tensor<16x16xf32>
  %z4 = linalg.fill ins(%c : f32) outs(%e4 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%p, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%z4 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %s = linalg.mul ins(%p, %m : tensor<16x16xf32>, tensor<16x16xf32>) outs(%m : tensor<16x16xf32>) -> tensor<16x16xf32>
  func.return %s : tensor<16x16xf32>
}
