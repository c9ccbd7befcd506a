// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: equal
// mlir-opt-freed: equal
func.func private @g(%t: tensor<4xf32>, %x: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %u = tensor.insert %x into %t[%c0] : tensor<4xf32>
  func.return %u : tensor<4xf32>
}
func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = func.call @g(%t, %x) : (tensor<4xf32>, f32) -> tensor<4xf32>
  func.return %r, %t : tensor<4xf32>, tensor<4xf32>
}
