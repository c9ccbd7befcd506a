// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: equal
// mlir-opt-freed: equal
func.func @f(%n: index, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %b) -> (tensor<4xf32>) {
    %d = linalg.map { arith.subf } ins(%init, %a : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>)
    %s = linalg.add ins(%sum, %d : tensor<4xf32>, tensor<4xf32>) outs(%sum : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
