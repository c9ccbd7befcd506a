// RUN: xdsl-opt %s | filecheck %s

// Attributes stay, in generic form: xDSL's custom form has no place for them.
// CHECK: %r = "linalg.reduce"(%a, %b) <{dimensions = array<i64: 1>}> ({
// CHECK-NEXT: ^bb0(%0: f32, %1: f32):
// CHECK-NEXT:   %2 = arith.addf %1, %0 : f32
// CHECK-NEXT:   linalg.yield %2 : f32
// CHECK-NEXT: }) {a = 1 : i64} : (tensor<4x8xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%b : tensor<4xf32>) dimensions = [1] {a = 1}
  func.return %r : tensor<4xf32>
}
