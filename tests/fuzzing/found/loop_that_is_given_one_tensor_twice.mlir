// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: difference
// mlir-opt-freed: difference
func.func @f(%x: f32, %y: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %r, %s, %u = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e, %b = %e, %g = %x) -> (tensor<8xf32>, tensor<8xf32>, f32) {
    %v = tensor.extract %b[%c0] : tensor<8xf32>
    %p = linalg.fill ins(%x : f32) outs(%b : tensor<8xf32>) -> tensor<8xf32>
    %q = linalg.fill ins(%y : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %q, %p, %v : tensor<8xf32>, tensor<8xf32>, f32
  }
  func.return %u : f32
}
