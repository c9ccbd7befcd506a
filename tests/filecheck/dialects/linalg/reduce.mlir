// RUN: xdsl-opt %s | filecheck %s

// Attributes stay.
// CHECK: linalg.reduce ins(%a:tensor<4x8xf32>) outs(%b:tensor<4xf32>) dimensions = [1] {a = 1 : i64}
func.func @f(%a: tensor<4x8xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<4x8xf32>) outs(%b : tensor<4xf32>) dimensions = [1] {a = 1}
  func.return %r : tensor<4xf32>
}
