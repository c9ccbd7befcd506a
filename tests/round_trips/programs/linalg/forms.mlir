func.func @f(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>, %c: tensor<4x16xf32>) {
  %0 = linalg.matmul {my = 1 : i32} ins(%a, %b : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %bt: tensor<16x8xf32>, %c: tensor<4x16xf32>) {
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {my = "b"} ins(%a, %bt : tensor<4x8xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %bt: tensor<16x8xf32>, %c: tensor<4x16xf32>) {
  %0 = linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %bt : tensor<4x8xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%i8: tensor<4x8xi8>, %j8: tensor<8x16xi8>, %ci: tensor<4x16xi32>) {
  %0 = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>, my = 1} ins(%i8, %j8 : tensor<4x8xi8>, tensor<8x16xi8>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
// -----
func.func @f(%ma: memref<4x8xf32>, %mb: memref<8x16xf32>, %mc: memref<4x16xf32>) {
  linalg.matmul ins(%ma, %mb : memref<4x8xf32>, memref<8x16xf32>) outs(%mc : memref<4x16xf32>)
  return
}
// -----
func.func @f(%mb: memref<8x16xf32>, %mc: memref<4x16xf32>, %m8: memref<8xf32>) {
  linalg.matmul indexing_maps = [affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%m8, %mb : memref<8xf32>, memref<8x16xf32>) outs(%mc : memref<4x16xf32>)
  return
}
// -----
func.func @f(%ba: tensor<2x4x8xf32>, %bbt: tensor<2x16x8xf32>, %bc: tensor<2x4x16xf32>) {
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%ba, %bbt : tensor<2x4x8xf32>, tensor<2x16x8xf32>) outs(%bc : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %bb: tensor<2x8x16xf32>, %bc: tensor<2x4x16xf32>) {
  %0 = linalg.batch_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d3, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>] ins(%a, %bb : tensor<4x8xf32>, tensor<2x8x16xf32>) outs(%bc : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  return
}
// -----
func.func @f(%c: tensor<4x16xf32>, %ba: tensor<2x4x8xf32>, %bbt: tensor<2x16x8xf32>) {
  %0 = linalg.batch_reduce_matmul indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d1, d2)>] ins(%ba, %bbt : tensor<2x4x8xf32>, tensor<2x16x8xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.add {my = "a"} ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %bt: tensor<16x8xf32>, %c: tensor<4x16xf32>) {
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] ins(%a, %bt : tensor<4x8xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %bt: tensor<16x8xf32>, %c: tensor<4x16xf32>) {
  %0 = linalg.contract indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>] {cast = #linalg.type_fn<cast_unsigned>, my} ins(%a, %bt : tensor<4x8xf32>, tensor<16x8xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> {my=1} ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %x: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> indexing_maps = [affine_map<(d0, d1)->(d0)>, affine_map<(d0,d1)->(d0,d1)>] ins(%x : tensor<4xf32>) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<log> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<abs> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<ceil> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<floor> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<negf> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<reciprocal> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<round> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<sqrt> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<rsqrt> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<square> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<tanh> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<erf> ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<sub> ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<div> ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<min_signed> ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<powf> ins(%x, %y : tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%ci: tensor<4x16xi32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%ci, %ci : tensor<4x16xi32>, tensor<4x16xi32>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
// -----
func.func @f(%ci: tensor<4x16xi32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<sub> ins(%ci, %ci : tensor<4x16xi32>, tensor<4x16xi32>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
// -----
func.func @f(%ci: tensor<4x16xi32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<mul> ins(%ci, %ci : tensor<4x16xi32>, tensor<4x16xi32>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
// -----
func.func @f(%ci: tensor<4x16xi32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<div> ins(%ci, %ci : tensor<4x16xi32>, tensor<4x16xi32>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
// -----
func.func @f(%ci: tensor<4x16xi32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<div_unsigned> ins(%ci, %ci : tensor<4x16xi32>, tensor<4x16xi32>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
// -----
func.func @f(%ci: tensor<4x16xi32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%ci, %ci : tensor<4x16xi32>, tensor<4x16xi32>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
// -----
func.func @f(%ci: tensor<4x16xi32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<min_signed> ins(%ci, %ci : tensor<4x16xi32>, tensor<4x16xi32>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
// -----
func.func @f(%ci: tensor<4x16xi32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<max_unsigned> ins(%ci, %ci : tensor<4x16xi32>, tensor<4x16xi32>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
// -----
func.func @f(%ci: tensor<4x16xi32>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<min_unsigned> ins(%ci, %ci : tensor<4x16xi32>, tensor<4x16xi32>) outs(%ci : tensor<4x16xi32>) -> tensor<4x16xi32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>, %cond: tensor<4xi1>) {
  %0 = linalg.elementwise kind=#linalg.elementwise_kind<select> ins(%cond, %x, %y : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = linalg.softmax dimension(1) ins(%a : tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = linalg.softmax {my=1} dimension(0) ins(%a : tensor<4x8xf32>) outs(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%ma: memref<4x8xf32>) {
  linalg.softmax dimension(1) ins(%ma : memref<4x8xf32>) outs(%ma: memref<4x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %at: tensor<8x4xf32>) {
  %0 = linalg.transpose ins(%a:tensor<4x8xf32>) outs(%at : tensor<8x4xf32>) permutation = [1, 0] {my=1}
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %at: tensor<8x4xf32>) {
  %0 = linalg.transpose ins(%a:tensor<4x8xf32>) outs(%at : tensor<8x4xf32>) permutation = [1, 0]
  return
}
// -----
func.func @f(%ma: memref<4x8xf32>, %mat: memref<8x4xf32>) {
  linalg.transpose ins(%ma:memref<4x8xf32>) outs(%mat : memref<8x4xf32>) permutation = [1, 0] {my=1}
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %x: tensor<4xf32>) {
  %0 = linalg.broadcast ins(%x:tensor<4xf32>) outs(%a : tensor<4x8xf32>) dimensions = [1] {my=1}
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %x: tensor<4xf32>) {
  %0 = linalg.broadcast ins(%x:tensor<4xf32>) outs(%a : tensor<4x8xf32>) dimensions = [1]
  return
}
// -----
func.func @f(%ma: memref<4x8xf32>, %mx: memref<4xf32, strided<[?], offset: ?>>) {
  linalg.broadcast ins(%mx:memref<4xf32, strided<[?], offset: ?>>) outs(%ma : memref<4x8xf32>) dimensions = [1]
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %x: tensor<4xf32>) {
  %0 = linalg.reduce ins(%a:tensor<4x8xf32>) outs(%x : tensor<4xf32>) dimensions = [1] {my=1} (%i: f32, %o: f32) {
    %s = arith.addf %i, %o : f32
    linalg.yield %s : f32
  }
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %x: tensor<4xf32>) {
  %0 = linalg.reduce {arith.addf} ins(%a:tensor<4x8xf32>) outs(%x : tensor<4xf32>) dimensions = [1] {your=3}
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %x: tensor<4xf32>) {
  %0 = linalg.reduce {arith.mulf {fastmath = #arith.fastmath<fast>}} ins(%a:tensor<4x8xf32>) outs(%x : tensor<4xf32>) dimensions = [1]
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0:2 = linalg.reduce ins(%a, %a:tensor<4x8xf32>,tensor<4x8xf32>) outs(%x , %y: tensor<4xf32>,tensor<4xf32>) dimensions = [1] (%i: f32, %i2: f32, %o: f32, %o2 : f32) {
    %s = arith.addf %i, %o : f32
    linalg.yield %s, %i : f32, f32
  }
  return
}
// -----
func.func @f(%ma: memref<4x8xf32>, %mx: memref<4xf32, strided<[?], offset: ?>>) {
  linalg.reduce ins(%ma:memref<4x8xf32>) outs(%mx : memref<4xf32, strided<[?], offset: ?>>) dimensions = [1] (%i: f32, %o: f32) {
    linalg.yield %i : f32
  }
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = linalg.map {arith.addf {fastmath=#arith.fastmath<fast>}} ins(%a, %a:tensor<4x8xf32>, tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) {my = 1}
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = linalg.map {math.exp} ins(%a:tensor<4x8xf32>) outs(%a : tensor<4x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = linalg.map ins(%a:tensor<4x8xf32>) outs(%a : tensor<4x8xf32>) {my = 1} (%i: f32, %o: f32) {
    %s = arith.addf %i, %i : f32
    linalg.yield %s : f32
  }
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %f: f32) {
  %0 = linalg.map outs(%a : tensor<4x8xf32>) (%o: f32) {
    linalg.yield %f : f32
  }
  return
}
// -----
func.func @f(%ma: memref<4x8xf32>) {
  linalg.map ins(%ma:memref<4x8xf32>) outs(%ma : memref<4x8xf32>) (%i: f32, %o: f32) {
    linalg.yield %i : f32
  }
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>) {
  %0 = linalg.generic {my_attr="a", indexing_maps=[affine_map<(d0,d1)->(d0,d1)>], iterator_types=["parallel","parallel"], doc="D", library_call="L"} outs(%a: tensor<4x8xf32>) attrs = {other=1} {
  ^bb0(%i: f32):
    linalg.yield %i : f32
  } -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0:2 = linalg.generic {indexing_maps=[affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>, affine_map<(d0)->(d0)>], iterator_types=["parallel"]} ins(%x : tensor<4xf32>) outs(%x, %y: tensor<4xf32>, tensor<4xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32):
    %nn = linalg.index 0 : index
    linalg.yield %i, %j : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %f: f32) {
  %0 = linalg.fill {my=2} ins(%f : f32) outs(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%f: f32, %ma: memref<4x8xf32>) {
  linalg.fill ins(%f : f32) outs(%ma: memref<4x8xf32>)
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %i8: tensor<4x8xi8>) {
  %0 = linalg.copy {cast = #linalg.type_fn<cast_unsigned>, my=1} ins(%i8 : tensor<4x8xi8>) outs(%a: tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%img: tensor<1x8x8x3xf32>, %kern: tensor<3x3x3x4xf32>, %out: tensor<1x6x6x4xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf {my="x"} ins(%img, %kern : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%out : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
func.func @f(%img: tensor<1x8x8x3xf32>, %kern: tensor<3x3x3x4xf32>, %out: tensor<1x6x6x4xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf {strides = dense<1> : tensor<2xi64>} ins(%img, %kern : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%out : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
func.func @f(%img: tensor<1x8x8x3xf32>, %kern: tensor<3x3x3x4xf32>, %out: tensor<1x6x6x4xf32>) {
  %0 = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : vector<2xi64>} ins(%img, %kern : tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) outs(%out : tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %p: tensor<1x1x4x8xf32>) {
  %0 = linalg.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %p {my=1}: tensor<4x8xf32> -> tensor<1x1x4x8xf32>
  return
}
// -----
func.func @f(%f: f32, %d: tensor<?x?xf32>, %pd: tensor<?x?x?x4xf32>, %n: index) {
  %0 = linalg.pack %d padding_value(%f : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [%n, 4] into %pd : tensor<?x?xf32> -> tensor<?x?x?x4xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %p: tensor<1x1x4x8xf32>) {
  %0 = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [4, 8] into %a {my=1} : tensor<1x1x4x8xf32> -> tensor<4x8xf32>
  return
}
// -----
func.func @f(%d: tensor<?x?xf32>, %pd: tensor<?x?x?x4xf32>, %n: index) {
  %0 = linalg.unpack %pd outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [%n, 4] into %d : tensor<?x?x?x4xf32> -> tensor<?x?xf32>
  return
}
// -----
func.func @f(%fil: tensor<2x3x3x5xf32>, %filt: tensor<6x6x5x2xf32>) {
  %0 = linalg.winograd_filter_transform fmr(F_4_3) ins(%fil : tensor<2x3x3x5xf32>) outs(%filt : tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  return
}
// -----
func.func @f(%w1: tensor<2x6x6x5xf32>, %tile: tensor<6x6x1x1x2x5xf32>) {
  %0 = linalg.winograd_input_transform fmr(F_4_3) ins(%w1 : tensor<2x6x6x5xf32>) outs(%tile : tensor<6x6x1x1x2x5xf32>) -> tensor<6x6x1x1x2x5xf32>
  return
}
// -----
func.func @f(%wo: tensor<6x6x1x1x2x2xf32>, %wout: tensor<2x4x4x2xf32>) {
  %0 = linalg.winograd_output_transform fmr(F_4_3) ins(%wo : tensor<6x6x1x1x2x2xf32>) outs(%wout : tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>
  return
}
// -----
func.func @f(%a: tensor<4x8xf32>, %f64: f64, %i32: i32) {
  %0 = linalg.fill_rng_2d ins(%f64, %f64, %i32: f64, f64, i32) outs(%a : tensor<4x8xf32>) -> tensor<4x8xf32>
  return
}
// -----
#map = affine_map<(d0) -> (d0)>
#maps = [#map, #map]
#trait = {doc = "D", indexing_maps = #maps, iterator_types = ["parallel"], library_call = "L", my = 1}
func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>) {
  %0 = linalg.generic #trait ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%i: f32, %o: f32):
    linalg.yield %i : f32
  } -> tensor<4xf32>
  return
}
// -----
#trait = {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
#same = #trait
func.func @f(%m: memref<4xf32>) {
  linalg.generic #same {doc = "D", my = 1} outs(%m : memref<4xf32>) attrs = {library_call = "L", other = 2} {
  ^bb0(%o: f32):
    linalg.yield %o : f32
  }
  return
}
