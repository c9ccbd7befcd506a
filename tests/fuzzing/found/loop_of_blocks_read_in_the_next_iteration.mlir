// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: difference
// mlir-opt-freed: refused
func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> (f32, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %x : index, f32)
^head(%k: index, %sum: f32):
  %again = arith.cmpi slt, %k, %i : index
  cf.cond_br %again, ^body, ^end
^body:
  %r = tensor.extract %t[%c0] : tensor<4xf32>
  %u = tensor.insert %sum into %t[%c0] : tensor<4xf32>
  %s = tensor.extract %u[%c0] : tensor<4xf32>
  %s2 = arith.addf %s, %r : f32
  %next = arith.addi %k, %c1 : index
  cf.br ^head(%next, %s2 : index, f32)
^end:
  func.return %sum, %x : f32, f32
}
