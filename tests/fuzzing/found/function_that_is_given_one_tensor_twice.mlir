// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: difference
// mlir-opt-freed: difference
func.func @g(%t1: tensor<4xf32>, %t2: tensor<4xf32>, %x: f32, %y: f32, %i: index) -> f32 {
  %w1 = linalg.fill ins(%x : f32) outs(%t1 : tensor<4xf32>) -> tensor<4xf32>
  %w2 = linalg.fill ins(%y : f32) outs(%t2 : tensor<4xf32>) -> tensor<4xf32>
  %v1 = tensor.extract %w1[%i] : tensor<4xf32>
  %v2 = tensor.extract %w2[%i] : tensor<4xf32>
  %s = arith.addf %v1, %v2 : f32
  func.return %s : f32
}
func.func @f(%t: tensor<4xf32>, %x: f32, %y: f32, %i: index) -> f32 {
  %s = func.call @g(%t, %t, %x, %y, %i) : (tensor<4xf32>, tensor<4xf32>, f32, f32, index) -> f32
  func.return %s : f32
}
