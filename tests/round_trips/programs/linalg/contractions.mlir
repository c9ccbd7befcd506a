func.func @f(%0: tensor<2x4x8xf32>, %1: tensor<2x8x6xf32>, %2: tensor<2x4x6xf32>) -> tensor<2x4x6xf32> {
  %r = linalg.batch_matmul ins(%0, %1 : tensor<2x4x8xf32>, tensor<2x8x6xf32>) outs(%2 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %r : tensor<2x4x6xf32>
}
// -----
func.func @f(%0: tensor<2x4x8xf16>, %1: tensor<2x8x6xf16>, %2: tensor<2x4x6xf32>) -> tensor<2x4x6xf32> {
  %r = linalg.batch_matmul ins(%0, %1 : tensor<2x4x8xf16>, tensor<2x8x6xf16>) outs(%2 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %r : tensor<2x4x6xf32>
}
// -----
func.func @f(%0: tensor<2x4x8xi8>, %1: tensor<2x8x6xi8>, %2: tensor<2x4x6xi32>) -> tensor<2x4x6xi32> {
  %r = linalg.batch_matmul ins(%0, %1 : tensor<2x4x8xi8>, tensor<2x8x6xi8>) outs(%2 : tensor<2x4x6xi32>) -> tensor<2x4x6xi32>
  return %r : tensor<2x4x6xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xi32>, %1: tensor<2x8x6xi32>, %2: tensor<2x4x6xi32>) -> tensor<2x4x6xi32> {
  %r = linalg.batch_matmul ins(%0, %1 : tensor<2x4x8xi32>, tensor<2x8x6xi32>) outs(%2 : tensor<2x4x6xi32>) -> tensor<2x4x6xi32>
  return %r : tensor<2x4x6xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xi8>, %1: tensor<2x8x6xi8>, %2: tensor<2x4x6xi32>) -> tensor<2x4x6xi32> {
  %r = linalg.batch_matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8xi8>, tensor<2x8x6xi8>) outs(%2 : tensor<2x4x6xi32>) -> tensor<2x4x6xi32>
  return %r : tensor<2x4x6xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xf32>, %1: tensor<2x8x6xf32>, %2: tensor<2x4x6xi32>) -> tensor<2x4x6xi32> {
  %r = linalg.batch_matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8xf32>, tensor<2x8x6xf32>) outs(%2 : tensor<2x4x6xi32>) -> tensor<2x4x6xi32>
  return %r : tensor<2x4x6xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xi8>, %1: tensor<2x8x6xi8>, %2: tensor<2x4x6xf32>) -> tensor<2x4x6xf32> {
  %r = linalg.batch_matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8xi8>, tensor<2x8x6xi8>) outs(%2 : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %r : tensor<2x4x6xf32>
}
// -----
func.func @f(%0: tensor<2x4x8xf32>, %1: tensor<2x8xf32>, %2: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = linalg.batch_matvec ins(%0, %1 : tensor<2x4x8xf32>, tensor<2x8xf32>) outs(%2 : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
// -----
func.func @f(%0: tensor<2x4x8xf16>, %1: tensor<2x8xf16>, %2: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = linalg.batch_matvec ins(%0, %1 : tensor<2x4x8xf16>, tensor<2x8xf16>) outs(%2 : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
// -----
func.func @f(%0: tensor<2x4x8xi8>, %1: tensor<2x8xi8>, %2: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %r = linalg.batch_matvec ins(%0, %1 : tensor<2x4x8xi8>, tensor<2x8xi8>) outs(%2 : tensor<2x4xi32>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xi32>, %1: tensor<2x8xi32>, %2: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %r = linalg.batch_matvec ins(%0, %1 : tensor<2x4x8xi32>, tensor<2x8xi32>) outs(%2 : tensor<2x4xi32>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xi8>, %1: tensor<2x8xi8>, %2: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %r = linalg.batch_matvec {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8xi8>, tensor<2x8xi8>) outs(%2 : tensor<2x4xi32>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xf32>, %1: tensor<2x8xf32>, %2: tensor<2x4xi32>) -> tensor<2x4xi32> {
  %r = linalg.batch_matvec {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8xf32>, tensor<2x8xf32>) outs(%2 : tensor<2x4xi32>) -> tensor<2x4xi32>
  return %r : tensor<2x4xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xi8>, %1: tensor<2x8xi8>, %2: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = linalg.batch_matvec {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8xi8>, tensor<2x8xi8>) outs(%2 : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
// -----
func.func @f(%0: tensor<2x4x8x3x5xf32>, %1: tensor<2x6x8x2x5xf32>, %2: tensor<2x4x6x3x2xf32>) -> tensor<2x4x6x3x2xf32> {
  %r = linalg.batch_mmt4d ins(%0, %1 : tensor<2x4x8x3x5xf32>, tensor<2x6x8x2x5xf32>) outs(%2 : tensor<2x4x6x3x2xf32>) -> tensor<2x4x6x3x2xf32>
  return %r : tensor<2x4x6x3x2xf32>
}
// -----
func.func @f(%0: tensor<2x4x8x3x5xf16>, %1: tensor<2x6x8x2x5xf16>, %2: tensor<2x4x6x3x2xf32>) -> tensor<2x4x6x3x2xf32> {
  %r = linalg.batch_mmt4d ins(%0, %1 : tensor<2x4x8x3x5xf16>, tensor<2x6x8x2x5xf16>) outs(%2 : tensor<2x4x6x3x2xf32>) -> tensor<2x4x6x3x2xf32>
  return %r : tensor<2x4x6x3x2xf32>
}
// -----
func.func @f(%0: tensor<2x4x8x3x5xi8>, %1: tensor<2x6x8x2x5xi8>, %2: tensor<2x4x6x3x2xi32>) -> tensor<2x4x6x3x2xi32> {
  %r = linalg.batch_mmt4d ins(%0, %1 : tensor<2x4x8x3x5xi8>, tensor<2x6x8x2x5xi8>) outs(%2 : tensor<2x4x6x3x2xi32>) -> tensor<2x4x6x3x2xi32>
  return %r : tensor<2x4x6x3x2xi32>
}
// -----
func.func @f(%0: tensor<2x4x8x3x5xi32>, %1: tensor<2x6x8x2x5xi32>, %2: tensor<2x4x6x3x2xi32>) -> tensor<2x4x6x3x2xi32> {
  %r = linalg.batch_mmt4d ins(%0, %1 : tensor<2x4x8x3x5xi32>, tensor<2x6x8x2x5xi32>) outs(%2 : tensor<2x4x6x3x2xi32>) -> tensor<2x4x6x3x2xi32>
  return %r : tensor<2x4x6x3x2xi32>
}
// -----
func.func @f(%0: tensor<2x4x8x3x5xi8>, %1: tensor<2x6x8x2x5xi8>, %2: tensor<2x4x6x3x2xi32>) -> tensor<2x4x6x3x2xi32> {
  %r = linalg.batch_mmt4d {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8x3x5xi8>, tensor<2x6x8x2x5xi8>) outs(%2 : tensor<2x4x6x3x2xi32>) -> tensor<2x4x6x3x2xi32>
  return %r : tensor<2x4x6x3x2xi32>
}
// -----
func.func @f(%0: tensor<2x4x8x3x5xf32>, %1: tensor<2x6x8x2x5xf32>, %2: tensor<2x4x6x3x2xi32>) -> tensor<2x4x6x3x2xi32> {
  %r = linalg.batch_mmt4d {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8x3x5xf32>, tensor<2x6x8x2x5xf32>) outs(%2 : tensor<2x4x6x3x2xi32>) -> tensor<2x4x6x3x2xi32>
  return %r : tensor<2x4x6x3x2xi32>
}
// -----
func.func @f(%0: tensor<2x4x8x3x5xi8>, %1: tensor<2x6x8x2x5xi8>, %2: tensor<2x4x6x3x2xf32>) -> tensor<2x4x6x3x2xf32> {
  %r = linalg.batch_mmt4d {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8x3x5xi8>, tensor<2x6x8x2x5xi8>) outs(%2 : tensor<2x4x6x3x2xf32>) -> tensor<2x4x6x3x2xf32>
  return %r : tensor<2x4x6x3x2xf32>
}
// -----
func.func @f(%0: tensor<2x4x8xf32>, %1: tensor<2x8x6xf32>, %2: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.batch_reduce_matmul ins(%0, %1 : tensor<2x4x8xf32>, tensor<2x8x6xf32>) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
// -----
func.func @f(%0: tensor<2x4x8xf16>, %1: tensor<2x8x6xf16>, %2: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.batch_reduce_matmul ins(%0, %1 : tensor<2x4x8xf16>, tensor<2x8x6xf16>) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
// -----
func.func @f(%0: tensor<2x4x8xi8>, %1: tensor<2x8x6xi8>, %2: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.batch_reduce_matmul ins(%0, %1 : tensor<2x4x8xi8>, tensor<2x8x6xi8>) outs(%2 : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xi32>, %1: tensor<2x8x6xi32>, %2: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.batch_reduce_matmul ins(%0, %1 : tensor<2x4x8xi32>, tensor<2x8x6xi32>) outs(%2 : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xi8>, %1: tensor<2x8x6xi8>, %2: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.batch_reduce_matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8xi8>, tensor<2x8x6xi8>) outs(%2 : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xf32>, %1: tensor<2x8x6xf32>, %2: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.batch_reduce_matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8xf32>, tensor<2x8x6xf32>) outs(%2 : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}
// -----
func.func @f(%0: tensor<2x4x8xi8>, %1: tensor<2x8x6xi8>, %2: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.batch_reduce_matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x4x8xi8>, tensor<2x8x6xi8>) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
// -----
func.func @f(%0: tensor<2x8xf32>, %1: tensor<2x8x6xf32>, %2: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %r = linalg.batch_vecmat ins(%0, %1 : tensor<2x8xf32>, tensor<2x8x6xf32>) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}
// -----
func.func @f(%0: tensor<2x8xf16>, %1: tensor<2x8x6xf16>, %2: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %r = linalg.batch_vecmat ins(%0, %1 : tensor<2x8xf16>, tensor<2x8x6xf16>) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}
// -----
func.func @f(%0: tensor<2x8xi8>, %1: tensor<2x8x6xi8>, %2: tensor<2x6xi32>) -> tensor<2x6xi32> {
  %r = linalg.batch_vecmat ins(%0, %1 : tensor<2x8xi8>, tensor<2x8x6xi8>) outs(%2 : tensor<2x6xi32>) -> tensor<2x6xi32>
  return %r : tensor<2x6xi32>
}
// -----
func.func @f(%0: tensor<2x8xi32>, %1: tensor<2x8x6xi32>, %2: tensor<2x6xi32>) -> tensor<2x6xi32> {
  %r = linalg.batch_vecmat ins(%0, %1 : tensor<2x8xi32>, tensor<2x8x6xi32>) outs(%2 : tensor<2x6xi32>) -> tensor<2x6xi32>
  return %r : tensor<2x6xi32>
}
// -----
func.func @f(%0: tensor<2x8xi8>, %1: tensor<2x8x6xi8>, %2: tensor<2x6xi32>) -> tensor<2x6xi32> {
  %r = linalg.batch_vecmat {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x8xi8>, tensor<2x8x6xi8>) outs(%2 : tensor<2x6xi32>) -> tensor<2x6xi32>
  return %r : tensor<2x6xi32>
}
// -----
func.func @f(%0: tensor<2x8xf32>, %1: tensor<2x8x6xf32>, %2: tensor<2x6xi32>) -> tensor<2x6xi32> {
  %r = linalg.batch_vecmat {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x8xf32>, tensor<2x8x6xf32>) outs(%2 : tensor<2x6xi32>) -> tensor<2x6xi32>
  return %r : tensor<2x6xi32>
}
// -----
func.func @f(%0: tensor<2x8xi8>, %1: tensor<2x8x6xi8>, %2: tensor<2x6xf32>) -> tensor<2x6xf32> {
  %r = linalg.batch_vecmat {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<2x8xi8>, tensor<2x8x6xi8>) outs(%2 : tensor<2x6xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}
// -----
func.func @f(%0: tensor<8xf32>, %1: tensor<8xf32>, %2: tensor<f32>) -> tensor<f32> {
  %r = linalg.dot ins(%0, %1 : tensor<8xf32>, tensor<8xf32>) outs(%2 : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
// -----
func.func @f(%0: tensor<8xf16>, %1: tensor<8xf16>, %2: tensor<f32>) -> tensor<f32> {
  %r = linalg.dot ins(%0, %1 : tensor<8xf16>, tensor<8xf16>) outs(%2 : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
// -----
func.func @f(%0: tensor<8xi8>, %1: tensor<8xi8>, %2: tensor<i32>) -> tensor<i32> {
  %r = linalg.dot ins(%0, %1 : tensor<8xi8>, tensor<8xi8>) outs(%2 : tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
// -----
func.func @f(%0: tensor<8xi32>, %1: tensor<8xi32>, %2: tensor<i32>) -> tensor<i32> {
  %r = linalg.dot ins(%0, %1 : tensor<8xi32>, tensor<8xi32>) outs(%2 : tensor<i32>) -> tensor<i32>
  return %r : tensor<i32>
}
// -----
func.func @f(%0: tensor<4x8xf32>, %1: tensor<8x6xf32>, %2: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%0, %1 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
// -----
func.func @f(%0: tensor<4x8xf16>, %1: tensor<8x6xf16>, %2: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul ins(%0, %1 : tensor<4x8xf16>, tensor<8x6xf16>) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
// -----
func.func @f(%0: tensor<4x8xi8>, %1: tensor<8x6xi8>, %2: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.matmul ins(%0, %1 : tensor<4x8xi8>, tensor<8x6xi8>) outs(%2 : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}
// -----
func.func @f(%0: tensor<4x8xi32>, %1: tensor<8x6xi32>, %2: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.matmul ins(%0, %1 : tensor<4x8xi32>, tensor<8x6xi32>) outs(%2 : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}
// -----
func.func @f(%0: tensor<4x8xi8>, %1: tensor<8x6xi8>, %2: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<4x8xi8>, tensor<8x6xi8>) outs(%2 : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}
// -----
func.func @f(%0: tensor<4x8xf32>, %1: tensor<8x6xf32>, %2: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<4x8xf32>, tensor<8x6xf32>) outs(%2 : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}
// -----
func.func @f(%0: tensor<4x8xi8>, %1: tensor<8x6xi8>, %2: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<4x8xi8>, tensor<8x6xi8>) outs(%2 : tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
// -----
func.func @f(%0: tensor<4x8xf32>, %1: tensor<8xf32>, %2: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.matvec ins(%0, %1 : tensor<4x8xf32>, tensor<8xf32>) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @f(%0: tensor<4x8xf16>, %1: tensor<8xf16>, %2: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.matvec ins(%0, %1 : tensor<4x8xf16>, tensor<8xf16>) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @f(%0: tensor<4x8xi8>, %1: tensor<8xi8>, %2: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.matvec ins(%0, %1 : tensor<4x8xi8>, tensor<8xi8>) outs(%2 : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
func.func @f(%0: tensor<4x8xi32>, %1: tensor<8xi32>, %2: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.matvec ins(%0, %1 : tensor<4x8xi32>, tensor<8xi32>) outs(%2 : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
func.func @f(%0: tensor<4x8xi8>, %1: tensor<8xi8>, %2: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.matvec {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<4x8xi8>, tensor<8xi8>) outs(%2 : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
func.func @f(%0: tensor<4x8xf32>, %1: tensor<8xf32>, %2: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.matvec {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<4x8xf32>, tensor<8xf32>) outs(%2 : tensor<4xi32>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}
// -----
func.func @f(%0: tensor<4x8xi8>, %1: tensor<8xi8>, %2: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.matvec {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<4x8xi8>, tensor<8xi8>) outs(%2 : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
// -----
func.func @f(%0: tensor<4x8x3x5xf32>, %1: tensor<6x8x2x5xf32>, %2: tensor<4x6x3x2xf32>) -> tensor<4x6x3x2xf32> {
  %r = linalg.mmt4d ins(%0, %1 : tensor<4x8x3x5xf32>, tensor<6x8x2x5xf32>) outs(%2 : tensor<4x6x3x2xf32>) -> tensor<4x6x3x2xf32>
  return %r : tensor<4x6x3x2xf32>
}
// -----
func.func @f(%0: tensor<4x8x3x5xf16>, %1: tensor<6x8x2x5xf16>, %2: tensor<4x6x3x2xf32>) -> tensor<4x6x3x2xf32> {
  %r = linalg.mmt4d ins(%0, %1 : tensor<4x8x3x5xf16>, tensor<6x8x2x5xf16>) outs(%2 : tensor<4x6x3x2xf32>) -> tensor<4x6x3x2xf32>
  return %r : tensor<4x6x3x2xf32>
}
// -----
func.func @f(%0: tensor<4x8x3x5xi8>, %1: tensor<6x8x2x5xi8>, %2: tensor<4x6x3x2xi32>) -> tensor<4x6x3x2xi32> {
  %r = linalg.mmt4d ins(%0, %1 : tensor<4x8x3x5xi8>, tensor<6x8x2x5xi8>) outs(%2 : tensor<4x6x3x2xi32>) -> tensor<4x6x3x2xi32>
  return %r : tensor<4x6x3x2xi32>
}
// -----
func.func @f(%0: tensor<4x8x3x5xi32>, %1: tensor<6x8x2x5xi32>, %2: tensor<4x6x3x2xi32>) -> tensor<4x6x3x2xi32> {
  %r = linalg.mmt4d ins(%0, %1 : tensor<4x8x3x5xi32>, tensor<6x8x2x5xi32>) outs(%2 : tensor<4x6x3x2xi32>) -> tensor<4x6x3x2xi32>
  return %r : tensor<4x6x3x2xi32>
}
// -----
func.func @f(%0: tensor<4x8x3x5xi8>, %1: tensor<6x8x2x5xi8>, %2: tensor<4x6x3x2xi32>) -> tensor<4x6x3x2xi32> {
  %r = linalg.mmt4d {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<4x8x3x5xi8>, tensor<6x8x2x5xi8>) outs(%2 : tensor<4x6x3x2xi32>) -> tensor<4x6x3x2xi32>
  return %r : tensor<4x6x3x2xi32>
}
// -----
func.func @f(%0: tensor<4x8x3x5xf32>, %1: tensor<6x8x2x5xf32>, %2: tensor<4x6x3x2xi32>) -> tensor<4x6x3x2xi32> {
  %r = linalg.mmt4d {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<4x8x3x5xf32>, tensor<6x8x2x5xf32>) outs(%2 : tensor<4x6x3x2xi32>) -> tensor<4x6x3x2xi32>
  return %r : tensor<4x6x3x2xi32>
}
// -----
func.func @f(%0: tensor<4x8x3x5xi8>, %1: tensor<6x8x2x5xi8>, %2: tensor<4x6x3x2xf32>) -> tensor<4x6x3x2xf32> {
  %r = linalg.mmt4d {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<4x8x3x5xi8>, tensor<6x8x2x5xi8>) outs(%2 : tensor<4x6x3x2xf32>) -> tensor<4x6x3x2xf32>
  return %r : tensor<4x6x3x2xf32>
}
// -----
func.func @f(%0: tensor<2x4x8xi8>, %1: tensor<2x8x6xi8>, %2: i32, %3: i32, %4: tensor<2x4x6xi32>) -> tensor<2x4x6xi32> {
  %r = linalg.quantized_batch_matmul ins(%0, %1, %2, %3 : tensor<2x4x8xi8>, tensor<2x8x6xi8>, i32, i32) outs(%4 : tensor<2x4x6xi32>) -> tensor<2x4x6xi32>
  return %r : tensor<2x4x6xi32>
}
// -----
func.func @f(%0: tensor<4x8xi8>, %1: tensor<8x6xi8>, %2: i32, %3: i32, %4: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %r = linalg.quantized_matmul ins(%0, %1, %2, %3 : tensor<4x8xi8>, tensor<8x6xi8>, i32, i32) outs(%4 : tensor<4x6xi32>) -> tensor<4x6xi32>
  return %r : tensor<4x6xi32>
}
// -----
func.func @f(%0: tensor<8xf32>, %1: tensor<8x6xf32>, %2: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.vecmat ins(%0, %1 : tensor<8xf32>, tensor<8x6xf32>) outs(%2 : tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
// -----
func.func @f(%0: tensor<8xf16>, %1: tensor<8x6xf16>, %2: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.vecmat ins(%0, %1 : tensor<8xf16>, tensor<8x6xf16>) outs(%2 : tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
// -----
func.func @f(%0: tensor<8xi8>, %1: tensor<8x6xi8>, %2: tensor<6xi32>) -> tensor<6xi32> {
  %r = linalg.vecmat ins(%0, %1 : tensor<8xi8>, tensor<8x6xi8>) outs(%2 : tensor<6xi32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}
// -----
func.func @f(%0: tensor<8xi32>, %1: tensor<8x6xi32>, %2: tensor<6xi32>) -> tensor<6xi32> {
  %r = linalg.vecmat ins(%0, %1 : tensor<8xi32>, tensor<8x6xi32>) outs(%2 : tensor<6xi32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}
// -----
func.func @f(%0: tensor<8xi8>, %1: tensor<8x6xi8>, %2: tensor<6xi32>) -> tensor<6xi32> {
  %r = linalg.vecmat {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<8xi8>, tensor<8x6xi8>) outs(%2 : tensor<6xi32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}
// -----
func.func @f(%0: tensor<8xf32>, %1: tensor<8x6xf32>, %2: tensor<6xi32>) -> tensor<6xi32> {
  %r = linalg.vecmat {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<8xf32>, tensor<8x6xf32>) outs(%2 : tensor<6xi32>) -> tensor<6xi32>
  return %r : tensor<6xi32>
}
// -----
func.func @f(%0: tensor<8xi8>, %1: tensor<8x6xi8>, %2: tensor<6xf32>) -> tensor<6xf32> {
  %r = linalg.vecmat {cast = #linalg.type_fn<cast_unsigned>} ins(%0, %1 : tensor<8xi8>, tensor<8x6xi8>) outs(%2 : tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
