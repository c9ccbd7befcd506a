// RUN: xdsl-opt %s -p bufferize | filecheck %s

// A splat of any size is one value, whatever is done with it.
// CHECK: "memref.global"() {{.*}} initial_value = dense<2.000000e+00> : tensor<1000000x1000000xf32>
// CHECK-LABEL: @read
// CHECK-NEXT: memref.get_global
func.func @read(%i: index) -> f32 {
  %splat = arith.constant dense<2.0> : tensor<1000000x1000000xf32>
  %element = tensor.extract %splat[%i, %i] : tensor<1000000x1000000xf32>
  func.return %element : f32
}

// CHECK-LABEL: @write
// CHECK: linalg.fill
func.func @write(%i: index, %x: f32) -> tensor<1000000x1000000xf32> {
  %splat = arith.constant dense<3.0> : tensor<1000000x1000000xf32>
  %set = tensor.insert %x into %splat[%i, %i] : tensor<1000000x1000000xf32>
  func.return %set : tensor<1000000x1000000xf32>
}
