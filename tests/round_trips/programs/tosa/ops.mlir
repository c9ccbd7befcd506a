func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.abs %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.ceil %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.erf %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.exp %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.floor %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.identity %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.log %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.rsqrt %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.sigmoid %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.tanh %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.reciprocal %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.sin %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.cos %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tosa.bitwise_not %0 : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
func.func @f(%0: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tosa.clz %0 : (tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
func.func @f(%0: tensor<2x3xi1>) -> tensor<2x3xi1> {
  %r = tosa.logical_not %0 : (tensor<2x3xi1>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xi32> {
  %r = tosa.cast %0 : (tensor<2x3xf32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
func.func @f(%0: tensor<2x3xi32>) -> tensor<2x3xf32> {
  %r = tosa.cast %0 : (tensor<2x3xi32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xi32>, %1: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tosa.bitwise_and %0, %1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
func.func @f(%0: tensor<2x3xi32>, %1: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tosa.bitwise_or %0, %1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
func.func @f(%0: tensor<2x3xi32>, %1: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tosa.bitwise_xor %0, %1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
func.func @f(%0: tensor<2x3xi32>, %1: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tosa.intdiv %0, %1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
func.func @f(%0: tensor<2x3xi32>, %1: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tosa.logical_left_shift %0, %1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
func.func @f(%0: tensor<2x3xi32>, %1: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tosa.logical_right_shift %0, %1 : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
func.func @f(%0: tensor<2x3xi1>, %1: tensor<2x3xi1>) -> tensor<2x3xi1> {
  %r = tosa.logical_and %0, %1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}
// -----
func.func @f(%0: tensor<2x3xi1>, %1: tensor<2x3xi1>) -> tensor<2x3xi1> {
  %r = tosa.logical_or %0, %1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}
// -----
func.func @f(%0: tensor<2x3xi1>, %1: tensor<2x3xi1>) -> tensor<2x3xi1> {
  %r = tosa.logical_xor %0, %1 : (tensor<2x3xi1>, tensor<2x3xi1>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}
// -----
func.func @f(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.add %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.sub %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.maximum %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.minimum %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.pow %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x3xi1> {
  %r = tosa.equal %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}
// -----
func.func @f(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x3xi1> {
  %r = tosa.greater %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}
// -----
func.func @f(%0: tensor<2x3xf32>, %1: tensor<2x3xf32>) -> tensor<2x3xi1> {
  %r = tosa.greater_equal %0, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  return %r : tensor<2x3xi1>
}
// -----
func.func @f(%0: tensor<2x3xi1>, %1: tensor<2x3xf32>, %2: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.select %0, %1, %2 : (tensor<2x3xi1>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>, %1: tensor<1xf32>) -> tensor<2x3xf32> {
  %r = tosa.negate %0, %1, %1 : (tensor<2x3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %r = tosa.transpose %0 {perms = array<i32: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = tosa.reverse %0 {axis = 1 : i32, some_attr = "a"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<3xi32> {
  %r = tosa.argmax %0 {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<3xi32>
  return %r : tensor<3xi32>
}
// -----
func.func @f(%0: tensor<2x3xi32>, %1: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %r = tosa.arithmetic_right_shift %0, %1 {round = true} : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
  return %r : tensor<2x3xi32>
}
// -----
func.func @f() -> !tosa.shape<2> {
  %r = tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  return %r : !tosa.shape<2>
}
// -----
func.func @f(%0: tensor<1x8x8x4xf32>, %1: tensor<8x3x3x4xf32>, %2: tensor<8xf32>, %3: tensor<1xf32>) -> tensor<1x6x6x8xf32> {
  %r = tosa.conv2d %0, %1, %2, %3, %3 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<8x3x3x4xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x8xf32>
  return %r : tensor<1x6x6x8xf32>
}
// -----
func.func @f(%0: tensor<1x8x8x4xf32>, %1: tensor<3x3x4x2xf32>, %2: tensor<8xf32>, %3: tensor<1xf32>) -> tensor<1x6x6x8xf32> {
  %r = tosa.depthwise_conv2d %0, %1, %2, %3, %3 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x4x2xf32>, tensor<8xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x6x6x8xf32>
  return %r : tensor<1x6x6x8xf32>
}
// -----
func.func @f(%0: tensor<1x2x3xf32>, %1: tensor<1x3x4xf32>, %2: tensor<1xf32>) -> tensor<1x2x4xf32> {
  %r = tosa.matmul %0, %1, %2, %2 : (tensor<1x2x3xf32>, tensor<1x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x4xf32>
  return %r : tensor<1x2x4xf32>
}
// -----
func.func @f(%0: tensor<4x2x3xf32>, %1: tensor<4x3x4xf32>, %2: tensor<1xf32>) -> tensor<4x2x4xf32> {
  %r = tosa.matmul %0, %1, %2, %2 : (tensor<4x2x3xf32>, tensor<4x3x4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4x2x4xf32>
  return %r : tensor<4x2x4xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<6xf32> {
  %s = tosa.const_shape {values = dense<[6]> : tensor<1xindex>} : () -> !tosa.shape<1>
  %r = tosa.reshape %0, %s : (tensor<2x3xf32>, !tosa.shape<1>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<4x6xf32> {
  %s = tosa.const_shape {values = dense<[2, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %r = tosa.tile %0, %s : (tensor<2x3xf32>, !tosa.shape<2>) -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>, %1: tensor<1xf32>) -> tensor<3x4xf32> {
  %s = tosa.const_shape {values = dense<[1, 0, 1, 0]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %r = tosa.pad %0, %s, %1 : (tensor<2x3xf32>, !tosa.shape<4>, tensor<1xf32>) -> tensor<3x4xf32>
  return %r : tensor<3x4xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %r = tosa.reduce_sum %0 {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %r = tosa.reduce_max %0 {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %r = tosa.reduce_min %0 {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %r = tosa.reduce_product %0 {axis = 0 : i32} : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}
// -----
func.func @f(%0: tensor<2x3xi8>, %1: tensor<256xi8>) -> tensor<2x3xi8> {
  %r = tosa.table %0, %1 : (tensor<2x3xi8>, tensor<256xi8>) -> tensor<2x3xi8>
  return %r : tensor<2x3xi8>
}
// -----
func.func @f(%0: tensor<1x4x2xf32>, %1: tensor<1x3xi32>) -> tensor<1x3x2xf32> {
  %r = tosa.gather %0, %1 : (tensor<1x4x2xf32>, tensor<1x3xi32>) -> tensor<1x3x2xf32>
  return %r : tensor<1x3x2xf32>
}
