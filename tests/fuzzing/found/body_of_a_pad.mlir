// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: difference
// mlir-opt-freed: difference
func.func @f(%t: tensor<4xf32>, %x: f32) -> (tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %t2 = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = tensor.pad %t low[2] high[2] {
  ^bb0(%i: index):
    %r = tensor.extract %t2[%c0] : tensor<4xf32>
    %s = arith.addf %r, %x : f32
    %u = tensor.insert %s into %t2[%c0] : tensor<4xf32>
    %v = tensor.extract %u[%c0] : tensor<4xf32>
    tensor.yield %v : f32
  } : tensor<4xf32> to tensor<8xf32>
  func.return %g : tensor<8xf32>
}
