// RUN: xdsl-opt %s --print-op-generic | filecheck %s

// A copy to other elements converts them.
// CHECK:      "linalg.copy"(%t, %o)
// CHECK-NEXT: ^{{.*}}(%{{.*}}: f32, %{{.*}}: f64):
// CHECK-NEXT:   %{{.*}} = "arith.extf"(%{{.*}}) {{.*}}: (f32) -> f64
// CHECK-NEXT:   "linalg.yield"(%{{.*}}) : (f64) -> ()
func.func @wider(%t: tensor<4xf32>, %o: tensor<4xf64>) -> tensor<4xf64> {
  %0 = linalg.copy ins(%t : tensor<4xf32>) outs(%o : tensor<4xf64>) -> tensor<4xf64>
  func.return %0 : tensor<4xf64>
}

// CHECK:      "linalg.copy"(%t, %o)
// CHECK:        "arith.sitofp"(%{{.*}}) : (i8) -> f32
func.func @to_float(%t: tensor<4xi8>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.copy ins(%t : tensor<4xi8>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
