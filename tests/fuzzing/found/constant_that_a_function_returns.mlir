// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: memory fault
// mlir-opt-freed: equal
func.func private @constant() -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  func.return %c : tensor<4xf32>
}
func.func @f(%i: index, %x: f32) -> tensor<4xf32> {
  %c = func.call @constant() : () -> tensor<4xf32>
  %u = tensor.insert %x into %c[%i] : tensor<4xf32>
  func.return %u : tensor<4xf32>
}
