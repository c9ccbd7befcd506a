// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// A loop of blocks hands on what it has computed in new memory: no copy, as by mlir-opt.
// CHECK-LABEL: func.func @loop(
// CHECK: %x = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NOT: memref.copy
func.func @loop(%t: tensor<8xf32>, %n: index) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  cf.br ^head(%c0, %t : index, tensor<8xf32>)
^head(%i: index, %a: tensor<8xf32>):
  %k = arith.cmpi slt, %i, %n : index
  cf.cond_br %k, ^body, ^exit
^body:
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %j = arith.addi %i, %c1 : index
  cf.br ^head(%j, %x : index, tensor<8xf32>)
^exit:
  func.return %a : tensor<8xf32>
}
