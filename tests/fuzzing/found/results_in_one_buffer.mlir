// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: difference
// mlir-opt-freed: difference
func.func private @twice(%x: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %t = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %t, %t : tensor<4xf32>, tensor<4xf32>
}
func.func @f(%i: index, %x: f32, %y: f32) -> (tensor<4xf32>, f32) {
  %a, %b = func.call @twice(%x) : (f32) -> (tensor<4xf32>, tensor<4xf32>)
  %u = tensor.insert %y into %a[%i] : tensor<4xf32>
  %r = tensor.extract %b[%i] : tensor<4xf32>
  func.return %u, %r : tensor<4xf32>, f32
}
