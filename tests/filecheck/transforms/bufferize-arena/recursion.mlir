// RUN: xdsl-opt %s -p 'bufferize{arena}' 2>/dev/null | filecheck %s

// A function that calls itself needs memory for each call, and stays as it is.
//
// CHECK-LABEL: func.func @again(
// CHECK:         func.call @again(
// CHECK-NOT:   @again_private
func.func @again(%x: tensor<4x4xf32>, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %no = arith.constant false
  %r = scf.if %c -> (f32) {
    %v = func.call @again(%x, %no) : (tensor<4x4xf32>, i1) -> f32
    scf.yield %v : f32
  } else {
    %e = tensor.empty() : tensor<4x4xf32>
    %t = linalg.exp ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    %v = tensor.extract %t[%c0, %c0] : tensor<4x4xf32>
    scf.yield %v : f32
  }
  func.return %r : f32
}
