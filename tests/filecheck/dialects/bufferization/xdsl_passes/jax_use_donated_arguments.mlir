// RUN: xdsl-opt %s -p jax-use-donated-arguments | filecheck %s

// xDSL's pass builds the op,
// CHECK-LABEL: func.func public @donated(%a: tensor<2xf32>) -> tensor<2xf32> {
// CHECK-NEXT:    %0 = "test.op"() : () -> tensor<2xf32>
// CHECK-NEXT:    %1 = bufferization.materialize_in_destination %0 in %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    func.return %1 : tensor<2xf32>
func.func public @donated(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
  %0 = "test.op"() : () -> tensor<2xf32>
  func.return %0 : tensor<2xf32>
}

// and knows the one that was parsed: there is nothing left to do.
// CHECK-LABEL: func.func public @already(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
// CHECK-NEXT:    %0 = "test.op"() : () -> tensor<2xf32>
// CHECK-NEXT:    %1 = bufferization.materialize_in_destination %0 in %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
// CHECK-NEXT:    func.return %1 : tensor<2xf32>
func.func public @already(%a: tensor<2xf32> {tf.aliasing_output = 0 : i32}) -> tensor<2xf32> {
  %0 = "test.op"() : () -> tensor<2xf32>
  %1 = bufferization.materialize_in_destination %0 in %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  func.return %1 : tensor<2xf32>
}
