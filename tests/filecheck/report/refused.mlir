// What cannot be bufferized is refused as by the pass, before anything is computed from models.

// RUN: not xdsl-opt %s -t bufferization-report 2>&1 | filecheck %s
// CHECK-NOT: Traceback
// CHECK:     error: 'scf.yield' forwards (tensor<4xf32>, tensor<4xf32>) where 'scf.execute_region' takes (tensor<4xf32>)
func.func @more(%t: tensor<4xf32>) -> tensor<4xf32> {
  %m = scf.execute_region -> (tensor<4xf32>) {
    scf.yield %t, %t : tensor<4xf32>, tensor<4xf32>
  }
  func.return %m : tensor<4xf32>
}
