func.func @f(%0: tensor<6x3x7x9xf32>, %1: tensor<2x3xf32>, %2: tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32> {
  %r = linalg.pooling_nchw_max ins(%0, %1 : tensor<6x3x7x9xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32>
  return %r : tensor<6x3x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xf16>, %1: tensor<2x3xf16>, %2: tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32> {
  %r = linalg.pooling_nchw_max ins(%0, %1 : tensor<6x3x7x9xf16>, tensor<2x3xf16>) outs(%2 : tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32>
  return %r : tensor<6x3x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xi8>, %1: tensor<2x3xi8>, %2: tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32> {
  %r = linalg.pooling_nchw_max ins(%0, %1 : tensor<6x3x7x9xi8>, tensor<2x3xi8>) outs(%2 : tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32>
  return %r : tensor<6x3x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xi32>, %1: tensor<2x3xi32>, %2: tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32> {
  %r = linalg.pooling_nchw_max ins(%0, %1 : tensor<6x3x7x9xi32>, tensor<2x3xi32>) outs(%2 : tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32>
  return %r : tensor<6x3x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x14x19xf32>, %1: tensor<2x3xf32>, %2: tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32> {
  %r = linalg.pooling_nchw_max {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x3x14x19xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32>
  return %r : tensor<6x3x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xf32>, %1: tensor<2x3xf32>, %2: tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32> {
  %r = linalg.pooling_nchw_sum ins(%0, %1 : tensor<6x3x7x9xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32>
  return %r : tensor<6x3x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xf16>, %1: tensor<2x3xf16>, %2: tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32> {
  %r = linalg.pooling_nchw_sum ins(%0, %1 : tensor<6x3x7x9xf16>, tensor<2x3xf16>) outs(%2 : tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32>
  return %r : tensor<6x3x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xi8>, %1: tensor<2x3xi8>, %2: tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32> {
  %r = linalg.pooling_nchw_sum ins(%0, %1 : tensor<6x3x7x9xi8>, tensor<2x3xi8>) outs(%2 : tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32>
  return %r : tensor<6x3x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xi32>, %1: tensor<2x3xi32>, %2: tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32> {
  %r = linalg.pooling_nchw_sum ins(%0, %1 : tensor<6x3x7x9xi32>, tensor<2x3xi32>) outs(%2 : tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32>
  return %r : tensor<6x3x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x14x19xf32>, %1: tensor<2x3xf32>, %2: tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32> {
  %r = linalg.pooling_nchw_sum {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x3x14x19xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32>
  return %r : tensor<6x3x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xf32>, %1: tensor<3xf32>, %2: tensor<6x3x7xf32>) -> tensor<6x3x7xf32> {
  %r = linalg.pooling_ncw_max ins(%0, %1 : tensor<6x3x9xf32>, tensor<3xf32>) outs(%2 : tensor<6x3x7xf32>) -> tensor<6x3x7xf32>
  return %r : tensor<6x3x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xf16>, %1: tensor<3xf16>, %2: tensor<6x3x7xf32>) -> tensor<6x3x7xf32> {
  %r = linalg.pooling_ncw_max ins(%0, %1 : tensor<6x3x9xf16>, tensor<3xf16>) outs(%2 : tensor<6x3x7xf32>) -> tensor<6x3x7xf32>
  return %r : tensor<6x3x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xi8>, %1: tensor<3xi8>, %2: tensor<6x3x7xi32>) -> tensor<6x3x7xi32> {
  %r = linalg.pooling_ncw_max ins(%0, %1 : tensor<6x3x9xi8>, tensor<3xi8>) outs(%2 : tensor<6x3x7xi32>) -> tensor<6x3x7xi32>
  return %r : tensor<6x3x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x9xi32>, %1: tensor<3xi32>, %2: tensor<6x3x7xi32>) -> tensor<6x3x7xi32> {
  %r = linalg.pooling_ncw_max ins(%0, %1 : tensor<6x3x9xi32>, tensor<3xi32>) outs(%2 : tensor<6x3x7xi32>) -> tensor<6x3x7xi32>
  return %r : tensor<6x3x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x19xf32>, %1: tensor<3xf32>, %2: tensor<6x3x7xf32>) -> tensor<6x3x7xf32> {
  %r = linalg.pooling_ncw_max {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<6x3x19xf32>, tensor<3xf32>) outs(%2 : tensor<6x3x7xf32>) -> tensor<6x3x7xf32>
  return %r : tensor<6x3x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xf32>, %1: tensor<3xf32>, %2: tensor<6x3x7xf32>) -> tensor<6x3x7xf32> {
  %r = linalg.pooling_ncw_sum ins(%0, %1 : tensor<6x3x9xf32>, tensor<3xf32>) outs(%2 : tensor<6x3x7xf32>) -> tensor<6x3x7xf32>
  return %r : tensor<6x3x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xf16>, %1: tensor<3xf16>, %2: tensor<6x3x7xf32>) -> tensor<6x3x7xf32> {
  %r = linalg.pooling_ncw_sum ins(%0, %1 : tensor<6x3x9xf16>, tensor<3xf16>) outs(%2 : tensor<6x3x7xf32>) -> tensor<6x3x7xf32>
  return %r : tensor<6x3x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xi8>, %1: tensor<3xi8>, %2: tensor<6x3x7xi32>) -> tensor<6x3x7xi32> {
  %r = linalg.pooling_ncw_sum ins(%0, %1 : tensor<6x3x9xi8>, tensor<3xi8>) outs(%2 : tensor<6x3x7xi32>) -> tensor<6x3x7xi32>
  return %r : tensor<6x3x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x9xi32>, %1: tensor<3xi32>, %2: tensor<6x3x7xi32>) -> tensor<6x3x7xi32> {
  %r = linalg.pooling_ncw_sum ins(%0, %1 : tensor<6x3x9xi32>, tensor<3xi32>) outs(%2 : tensor<6x3x7xi32>) -> tensor<6x3x7xi32>
  return %r : tensor<6x3x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x19xf32>, %1: tensor<3xf32>, %2: tensor<6x3x7xf32>) -> tensor<6x3x7xf32> {
  %r = linalg.pooling_ncw_sum {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<6x3x19xf32>, tensor<3xf32>) outs(%2 : tensor<6x3x7xf32>) -> tensor<6x3x7xf32>
  return %r : tensor<6x3x7xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf32>, %1: tensor<2x2x3xf32>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.pooling_ndhwc_max ins(%0, %1 : tensor<6x5x7x9x3xf32>, tensor<2x2x3xf32>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf16>, %1: tensor<2x2x3xf16>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.pooling_ndhwc_max ins(%0, %1 : tensor<6x5x7x9x3xf16>, tensor<2x2x3xf16>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi8>, %1: tensor<2x2x3xi8>, %2: tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32> {
  %r = linalg.pooling_ndhwc_max ins(%0, %1 : tensor<6x5x7x9x3xi8>, tensor<2x2x3xi8>) outs(%2 : tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32>
  return %r : tensor<6x4x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi32>, %1: tensor<2x2x3xi32>, %2: tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32> {
  %r = linalg.pooling_ndhwc_max ins(%0, %1 : tensor<6x5x7x9x3xi32>, tensor<2x2x3xi32>) outs(%2 : tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32>
  return %r : tensor<6x4x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x10x14x19x3xf32>, %1: tensor<2x2x3xf32>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.pooling_ndhwc_max {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<6x10x14x19x3xf32>, tensor<2x2x3xf32>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf32>, %1: tensor<2x2x3xf32>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.pooling_ndhwc_min ins(%0, %1 : tensor<6x5x7x9x3xf32>, tensor<2x2x3xf32>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf16>, %1: tensor<2x2x3xf16>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.pooling_ndhwc_min ins(%0, %1 : tensor<6x5x7x9x3xf16>, tensor<2x2x3xf16>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi8>, %1: tensor<2x2x3xi8>, %2: tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32> {
  %r = linalg.pooling_ndhwc_min ins(%0, %1 : tensor<6x5x7x9x3xi8>, tensor<2x2x3xi8>) outs(%2 : tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32>
  return %r : tensor<6x4x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi32>, %1: tensor<2x2x3xi32>, %2: tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32> {
  %r = linalg.pooling_ndhwc_min ins(%0, %1 : tensor<6x5x7x9x3xi32>, tensor<2x2x3xi32>) outs(%2 : tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32>
  return %r : tensor<6x4x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x10x14x19x3xf32>, %1: tensor<2x2x3xf32>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.pooling_ndhwc_min {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<6x10x14x19x3xf32>, tensor<2x2x3xf32>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf32>, %1: tensor<2x2x3xf32>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.pooling_ndhwc_sum ins(%0, %1 : tensor<6x5x7x9x3xf32>, tensor<2x2x3xf32>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf16>, %1: tensor<2x2x3xf16>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.pooling_ndhwc_sum ins(%0, %1 : tensor<6x5x7x9x3xf16>, tensor<2x2x3xf16>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi8>, %1: tensor<2x2x3xi8>, %2: tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32> {
  %r = linalg.pooling_ndhwc_sum ins(%0, %1 : tensor<6x5x7x9x3xi8>, tensor<2x2x3xi8>) outs(%2 : tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32>
  return %r : tensor<6x4x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi32>, %1: tensor<2x2x3xi32>, %2: tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32> {
  %r = linalg.pooling_ndhwc_sum ins(%0, %1 : tensor<6x5x7x9x3xi32>, tensor<2x2x3xi32>) outs(%2 : tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32>
  return %r : tensor<6x4x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x10x14x19x3xf32>, %1: tensor<2x2x3xf32>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.pooling_ndhwc_sum {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<6x10x14x19x3xf32>, tensor<2x2x3xf32>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf32>, %1: tensor<2x3xf32>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.pooling_nhwc_max ins(%0, %1 : tensor<6x7x9x3xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf16>, %1: tensor<2x3xf16>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.pooling_nhwc_max ins(%0, %1 : tensor<6x7x9x3xf16>, tensor<2x3xf16>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3xi8>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.pooling_nhwc_max ins(%0, %1 : tensor<6x7x9x3xi8>, tensor<2x3xi8>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi32>, %1: tensor<2x3xi32>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.pooling_nhwc_max ins(%0, %1 : tensor<6x7x9x3xi32>, tensor<2x3xi32>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x14x19x3xf32>, %1: tensor<2x3xf32>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.pooling_nhwc_max {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x14x19x3xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3xi8>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.pooling_nhwc_max_unsigned ins(%0, %1 : tensor<6x7x9x3xi8>, tensor<2x3xi8>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi32>, %1: tensor<2x3xi32>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.pooling_nhwc_max_unsigned ins(%0, %1 : tensor<6x7x9x3xi32>, tensor<2x3xi32>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf32>, %1: tensor<2x3xf32>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.pooling_nhwc_min ins(%0, %1 : tensor<6x7x9x3xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf16>, %1: tensor<2x3xf16>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.pooling_nhwc_min ins(%0, %1 : tensor<6x7x9x3xf16>, tensor<2x3xf16>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3xi8>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.pooling_nhwc_min ins(%0, %1 : tensor<6x7x9x3xi8>, tensor<2x3xi8>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi32>, %1: tensor<2x3xi32>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.pooling_nhwc_min ins(%0, %1 : tensor<6x7x9x3xi32>, tensor<2x3xi32>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x14x19x3xf32>, %1: tensor<2x3xf32>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.pooling_nhwc_min {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x14x19x3xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3xi8>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.pooling_nhwc_min_unsigned ins(%0, %1 : tensor<6x7x9x3xi8>, tensor<2x3xi8>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi32>, %1: tensor<2x3xi32>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.pooling_nhwc_min_unsigned ins(%0, %1 : tensor<6x7x9x3xi32>, tensor<2x3xi32>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf32>, %1: tensor<2x3xf32>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.pooling_nhwc_sum ins(%0, %1 : tensor<6x7x9x3xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf16>, %1: tensor<2x3xf16>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.pooling_nhwc_sum ins(%0, %1 : tensor<6x7x9x3xf16>, tensor<2x3xf16>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3xi8>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.pooling_nhwc_sum ins(%0, %1 : tensor<6x7x9x3xi8>, tensor<2x3xi8>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi32>, %1: tensor<2x3xi32>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.pooling_nhwc_sum ins(%0, %1 : tensor<6x7x9x3xi32>, tensor<2x3xi32>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x14x19x3xf32>, %1: tensor<2x3xf32>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.pooling_nhwc_sum {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x14x19x3xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xf32>, %1: tensor<3xf32>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.pooling_nwc_max ins(%0, %1 : tensor<6x9x3xf32>, tensor<3xf32>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xf16>, %1: tensor<3xf16>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.pooling_nwc_max ins(%0, %1 : tensor<6x9x3xf16>, tensor<3xf16>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xi8>, %1: tensor<3xi8>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.pooling_nwc_max ins(%0, %1 : tensor<6x9x3xi8>, tensor<3xi8>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x9x3xi32>, %1: tensor<3xi32>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.pooling_nwc_max ins(%0, %1 : tensor<6x9x3xi32>, tensor<3xi32>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x19x3xf32>, %1: tensor<3xf32>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.pooling_nwc_max {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<6x19x3xf32>, tensor<3xf32>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xi8>, %1: tensor<3xi8>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.pooling_nwc_max_unsigned ins(%0, %1 : tensor<6x9x3xi8>, tensor<3xi8>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x9x3xi32>, %1: tensor<3xi32>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.pooling_nwc_max_unsigned ins(%0, %1 : tensor<6x9x3xi32>, tensor<3xi32>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x9x3xf32>, %1: tensor<3xf32>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.pooling_nwc_min ins(%0, %1 : tensor<6x9x3xf32>, tensor<3xf32>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xf16>, %1: tensor<3xf16>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.pooling_nwc_min ins(%0, %1 : tensor<6x9x3xf16>, tensor<3xf16>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xi8>, %1: tensor<3xi8>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.pooling_nwc_min ins(%0, %1 : tensor<6x9x3xi8>, tensor<3xi8>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x9x3xi32>, %1: tensor<3xi32>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.pooling_nwc_min ins(%0, %1 : tensor<6x9x3xi32>, tensor<3xi32>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x19x3xf32>, %1: tensor<3xf32>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.pooling_nwc_min {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<6x19x3xf32>, tensor<3xf32>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xi8>, %1: tensor<3xi8>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.pooling_nwc_min_unsigned ins(%0, %1 : tensor<6x9x3xi8>, tensor<3xi8>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x9x3xi32>, %1: tensor<3xi32>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.pooling_nwc_min_unsigned ins(%0, %1 : tensor<6x9x3xi32>, tensor<3xi32>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x9x3xf32>, %1: tensor<3xf32>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.pooling_nwc_sum ins(%0, %1 : tensor<6x9x3xf32>, tensor<3xf32>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xf16>, %1: tensor<3xf16>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.pooling_nwc_sum ins(%0, %1 : tensor<6x9x3xf16>, tensor<3xf16>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xi8>, %1: tensor<3xi8>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.pooling_nwc_sum ins(%0, %1 : tensor<6x9x3xi8>, tensor<3xi8>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x9x3xi32>, %1: tensor<3xi32>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.pooling_nwc_sum ins(%0, %1 : tensor<6x9x3xi32>, tensor<3xi32>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x19x3xf32>, %1: tensor<3xf32>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.pooling_nwc_sum {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<6x19x3xf32>, tensor<3xf32>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
