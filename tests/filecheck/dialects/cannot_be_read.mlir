// RUN: xdsl-opt %s --parsing-diagnostics --split-input-file | filecheck %s

func.func @map(%a: tensor<4xf32>) {
  %0 = linalg.map {math.exp} ins(%a : tensor<4xf32>) outs()
  return
}
// CHECK: linalg.map has one init

// -----

func.func @mask(%mi: memref<8xf32>, %v8: vector<8xf32>, %mk: vector<8xi1>, %f: f32, %c: index) {
  vector.mask %mk, %v8 { vector.transfer_read %mi[%c], %f : memref<8xf32>, vector<8xf32> } : vector<8xi1>
  return
}
// CHECK: a vector.mask with a passthru has one result

// -----

memref.global "private" @state : memref<64xmemref<4xf32>> = dense<1.0>
// CHECK: tensor<64xmemref<4xf32>> has no numbers as elements

// -----

#not_a_dictionary = 3 : i32
func.func @trait(%m: memref<4xf32>) {
  linalg.generic #not_a_dictionary outs(%m : memref<4xf32>) {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  }
  return
}
// CHECK: dictionary expected

// -----

#trait = {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"], my = 1}
func.func @twice(%m: memref<4xf32>) {
  linalg.generic #trait outs(%m : memref<4xf32>) attrs = {my = 2} {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  }
  return
}
// CHECK: attribute 'my' occurs more than once

// -----

func.func private @thread() attributes {mapping = #gpu.thread<w>}
// CHECK: #gpu.thread<w>
// CHECK: Expected `x`, `y`, `z`, `linear_dim_0`

// -----

func.func private @target() attributes {target = #nvvm.target<flags = #flags>}
// CHECK: undefined symbol alias '#flags'

// -----

func.func private @target() attributes {target = #nvvm.target<flags = {}
// CHECK: closing bracket expected
