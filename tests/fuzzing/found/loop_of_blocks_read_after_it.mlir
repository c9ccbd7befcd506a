// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: difference
// mlir-opt-freed: refused
func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %t : index, tensor<4xf32>)
^head(%k: index, %v: tensor<4xf32>):
  %again = arith.cmpi slt, %k, %i : index
  cf.cond_br %again, ^body, ^end
^body:
  %u = tensor.insert %x into %v[%k] : tensor<4xf32>
  %next = arith.addi %k, %c1 : index
  cf.br ^head(%next, %u : index, tensor<4xf32>)
^end:
  %r = tensor.extract %t[%c0] : tensor<4xf32>
  func.return %v, %r : tensor<4xf32>, f32
}
