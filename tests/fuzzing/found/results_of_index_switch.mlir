// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: difference
// mlir-opt-freed: difference
func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
  %s = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    scf.yield %t : tensor<4xf32>
  }
  default {
    scf.yield %t : tensor<4xf32>
  }
  %u = tensor.insert %x into %s[%i] : tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  func.return %u, %r : tensor<4xf32>, f32
}
