// RUN: not xdsl-opt %s -p one-shot-bufferize 2>&1 | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops=true}' | filecheck %s --check-prefix=UNKNOWN

// There is no such op on memrefs.
// CHECK: linalg.winograd_filter_transform
// CHECK-SAME: is not bufferizable
// UNKNOWN: "linalg.winograd_filter_transform"(%f, %o) <{fmr = 1 : i32}> : (tensor<2x3x3x5xf32>, tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
func.func @filter(%f: tensor<2x3x3x5xf32>, %o: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  %0 = "linalg.winograd_filter_transform"(%f, %o) <{fmr = 1 : i32}> : (tensor<2x3x3x5xf32>, tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  func.return %0 : tensor<6x6x5x2xf32>
}
