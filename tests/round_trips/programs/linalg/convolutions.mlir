func.func @f(%0: tensor<9xf32>, %1: tensor<3xf32>, %2: tensor<7xf32>) -> tensor<7xf32> {
  %r = linalg.conv_1d ins(%0, %1 : tensor<9xf32>, tensor<3xf32>) outs(%2 : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}
// -----
func.func @f(%0: tensor<9xf16>, %1: tensor<3xf16>, %2: tensor<7xf32>) -> tensor<7xf32> {
  %r = linalg.conv_1d ins(%0, %1 : tensor<9xf16>, tensor<3xf16>) outs(%2 : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}
// -----
func.func @f(%0: tensor<9xi8>, %1: tensor<3xi8>, %2: tensor<7xi32>) -> tensor<7xi32> {
  %r = linalg.conv_1d ins(%0, %1 : tensor<9xi8>, tensor<3xi8>) outs(%2 : tensor<7xi32>) -> tensor<7xi32>
  return %r : tensor<7xi32>
}
// -----
func.func @f(%0: tensor<9xi32>, %1: tensor<3xi32>, %2: tensor<7xi32>) -> tensor<7xi32> {
  %r = linalg.conv_1d ins(%0, %1 : tensor<9xi32>, tensor<3xi32>) outs(%2 : tensor<7xi32>) -> tensor<7xi32>
  return %r : tensor<7xi32>
}
// -----
func.func @f(%0: tensor<19xf32>, %1: tensor<3xf32>, %2: tensor<7xf32>) -> tensor<7xf32> {
  %r = linalg.conv_1d {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<19xf32>, tensor<3xf32>) outs(%2 : tensor<7xf32>) -> tensor<7xf32>
  return %r : tensor<7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xf32>, %1: tensor<5x3x3xf32>, %2: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %r = linalg.conv_1d_ncw_fcw ins(%0, %1 : tensor<6x3x9xf32>, tensor<5x3x3xf32>) outs(%2 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  return %r : tensor<6x5x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xf16>, %1: tensor<5x3x3xf16>, %2: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %r = linalg.conv_1d_ncw_fcw ins(%0, %1 : tensor<6x3x9xf16>, tensor<5x3x3xf16>) outs(%2 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  return %r : tensor<6x5x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xi8>, %1: tensor<5x3x3xi8>, %2: tensor<6x5x7xi32>) -> tensor<6x5x7xi32> {
  %r = linalg.conv_1d_ncw_fcw ins(%0, %1 : tensor<6x3x9xi8>, tensor<5x3x3xi8>) outs(%2 : tensor<6x5x7xi32>) -> tensor<6x5x7xi32>
  return %r : tensor<6x5x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x9xi32>, %1: tensor<5x3x3xi32>, %2: tensor<6x5x7xi32>) -> tensor<6x5x7xi32> {
  %r = linalg.conv_1d_ncw_fcw ins(%0, %1 : tensor<6x3x9xi32>, tensor<5x3x3xi32>) outs(%2 : tensor<6x5x7xi32>) -> tensor<6x5x7xi32>
  return %r : tensor<6x5x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x19xf32>, %1: tensor<5x3x3xf32>, %2: tensor<6x5x7xf32>) -> tensor<6x5x7xf32> {
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<6x3x19xf32>, tensor<5x3x3xf32>) outs(%2 : tensor<6x5x7xf32>) -> tensor<6x5x7xf32>
  return %r : tensor<6x5x7xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xf32>, %1: tensor<3x3x5xf32>, %2: tensor<6x7x5xf32>) -> tensor<6x7x5xf32> {
  %r = linalg.conv_1d_nwc_wcf ins(%0, %1 : tensor<6x9x3xf32>, tensor<3x3x5xf32>) outs(%2 : tensor<6x7x5xf32>) -> tensor<6x7x5xf32>
  return %r : tensor<6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xf16>, %1: tensor<3x3x5xf16>, %2: tensor<6x7x5xf32>) -> tensor<6x7x5xf32> {
  %r = linalg.conv_1d_nwc_wcf ins(%0, %1 : tensor<6x9x3xf16>, tensor<3x3x5xf16>) outs(%2 : tensor<6x7x5xf32>) -> tensor<6x7x5xf32>
  return %r : tensor<6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xi8>, %1: tensor<3x3x5xi8>, %2: tensor<6x7x5xi32>) -> tensor<6x7x5xi32> {
  %r = linalg.conv_1d_nwc_wcf ins(%0, %1 : tensor<6x9x3xi8>, tensor<3x3x5xi8>) outs(%2 : tensor<6x7x5xi32>) -> tensor<6x7x5xi32>
  return %r : tensor<6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x9x3xi32>, %1: tensor<3x3x5xi32>, %2: tensor<6x7x5xi32>) -> tensor<6x7x5xi32> {
  %r = linalg.conv_1d_nwc_wcf ins(%0, %1 : tensor<6x9x3xi32>, tensor<3x3x5xi32>) outs(%2 : tensor<6x7x5xi32>) -> tensor<6x7x5xi32>
  return %r : tensor<6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x19x3xf32>, %1: tensor<3x3x5xf32>, %2: tensor<6x7x5xf32>) -> tensor<6x7x5xf32> {
  %r = linalg.conv_1d_nwc_wcf {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<6x19x3xf32>, tensor<3x3x5xf32>) outs(%2 : tensor<6x7x5xf32>) -> tensor<6x7x5xf32>
  return %r : tensor<6x7x5xf32>
}
// -----
func.func @f(%0: tensor<7x9xf32>, %1: tensor<2x3xf32>, %2: tensor<6x7xf32>) -> tensor<6x7xf32> {
  %r = linalg.conv_2d ins(%0, %1 : tensor<7x9xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %r : tensor<6x7xf32>
}
// -----
func.func @f(%0: tensor<7x9xf16>, %1: tensor<2x3xf16>, %2: tensor<6x7xf32>) -> tensor<6x7xf32> {
  %r = linalg.conv_2d ins(%0, %1 : tensor<7x9xf16>, tensor<2x3xf16>) outs(%2 : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %r : tensor<6x7xf32>
}
// -----
func.func @f(%0: tensor<7x9xi8>, %1: tensor<2x3xi8>, %2: tensor<6x7xi32>) -> tensor<6x7xi32> {
  %r = linalg.conv_2d ins(%0, %1 : tensor<7x9xi8>, tensor<2x3xi8>) outs(%2 : tensor<6x7xi32>) -> tensor<6x7xi32>
  return %r : tensor<6x7xi32>
}
// -----
func.func @f(%0: tensor<7x9xi32>, %1: tensor<2x3xi32>, %2: tensor<6x7xi32>) -> tensor<6x7xi32> {
  %r = linalg.conv_2d ins(%0, %1 : tensor<7x9xi32>, tensor<2x3xi32>) outs(%2 : tensor<6x7xi32>) -> tensor<6x7xi32>
  return %r : tensor<6x7xi32>
}
// -----
func.func @f(%0: tensor<14x19xf32>, %1: tensor<2x3xf32>, %2: tensor<6x7xf32>) -> tensor<6x7xf32> {
  %r = linalg.conv_2d {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<14x19xf32>, tensor<2x3xf32>) outs(%2 : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %r : tensor<6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xf32>, %1: tensor<5x3x2x3xf32>, %2: tensor<6x5x6x7xf32>) -> tensor<6x5x6x7xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%0, %1 : tensor<6x3x7x9xf32>, tensor<5x3x2x3xf32>) outs(%2 : tensor<6x5x6x7xf32>) -> tensor<6x5x6x7xf32>
  return %r : tensor<6x5x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xf16>, %1: tensor<5x3x2x3xf16>, %2: tensor<6x5x6x7xf32>) -> tensor<6x5x6x7xf32> {
  %r = linalg.conv_2d_nchw_fchw ins(%0, %1 : tensor<6x3x7x9xf16>, tensor<5x3x2x3xf16>) outs(%2 : tensor<6x5x6x7xf32>) -> tensor<6x5x6x7xf32>
  return %r : tensor<6x5x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xi8>, %1: tensor<5x3x2x3xi8>, %2: tensor<6x5x6x7xi32>) -> tensor<6x5x6x7xi32> {
  %r = linalg.conv_2d_nchw_fchw ins(%0, %1 : tensor<6x3x7x9xi8>, tensor<5x3x2x3xi8>) outs(%2 : tensor<6x5x6x7xi32>) -> tensor<6x5x6x7xi32>
  return %r : tensor<6x5x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xi32>, %1: tensor<5x3x2x3xi32>, %2: tensor<6x5x6x7xi32>) -> tensor<6x5x6x7xi32> {
  %r = linalg.conv_2d_nchw_fchw ins(%0, %1 : tensor<6x3x7x9xi32>, tensor<5x3x2x3xi32>) outs(%2 : tensor<6x5x6x7xi32>) -> tensor<6x5x6x7xi32>
  return %r : tensor<6x5x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x14x19xf32>, %1: tensor<5x3x2x3xf32>, %2: tensor<6x5x6x7xf32>) -> tensor<6x5x6x7xf32> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x3x14x19xf32>, tensor<5x3x2x3xf32>) outs(%2 : tensor<6x5x6x7xf32>) -> tensor<6x5x6x7xf32>
  return %r : tensor<6x5x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x2x3x7x9xf32>, %1: tensor<5x2x3x2x3xf32>, %2: tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32> {
  %r = linalg.conv_2d_ngchw_fgchw ins(%0, %1 : tensor<6x2x3x7x9xf32>, tensor<5x2x3x2x3xf32>) outs(%2 : tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32>
  return %r : tensor<6x2x5x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x2x3x7x9xf16>, %1: tensor<5x2x3x2x3xf16>, %2: tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32> {
  %r = linalg.conv_2d_ngchw_fgchw ins(%0, %1 : tensor<6x2x3x7x9xf16>, tensor<5x2x3x2x3xf16>) outs(%2 : tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32>
  return %r : tensor<6x2x5x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x2x3x7x9xi8>, %1: tensor<5x2x3x2x3xi8>, %2: tensor<6x2x5x6x7xi32>) -> tensor<6x2x5x6x7xi32> {
  %r = linalg.conv_2d_ngchw_fgchw ins(%0, %1 : tensor<6x2x3x7x9xi8>, tensor<5x2x3x2x3xi8>) outs(%2 : tensor<6x2x5x6x7xi32>) -> tensor<6x2x5x6x7xi32>
  return %r : tensor<6x2x5x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x2x3x7x9xi32>, %1: tensor<5x2x3x2x3xi32>, %2: tensor<6x2x5x6x7xi32>) -> tensor<6x2x5x6x7xi32> {
  %r = linalg.conv_2d_ngchw_fgchw ins(%0, %1 : tensor<6x2x3x7x9xi32>, tensor<5x2x3x2x3xi32>) outs(%2 : tensor<6x2x5x6x7xi32>) -> tensor<6x2x5x6x7xi32>
  return %r : tensor<6x2x5x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x2x3x14x19xf32>, %1: tensor<5x2x3x2x3xf32>, %2: tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32> {
  %r = linalg.conv_2d_ngchw_fgchw {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x2x3x14x19xf32>, tensor<5x2x3x2x3xf32>) outs(%2 : tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32>
  return %r : tensor<6x2x5x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x2x3x7x9xf32>, %1: tensor<2x5x3x2x3xf32>, %2: tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32> {
  %r = linalg.conv_2d_ngchw_gfchw ins(%0, %1 : tensor<6x2x3x7x9xf32>, tensor<2x5x3x2x3xf32>) outs(%2 : tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32>
  return %r : tensor<6x2x5x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x2x3x7x9xf16>, %1: tensor<2x5x3x2x3xf16>, %2: tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32> {
  %r = linalg.conv_2d_ngchw_gfchw ins(%0, %1 : tensor<6x2x3x7x9xf16>, tensor<2x5x3x2x3xf16>) outs(%2 : tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32>
  return %r : tensor<6x2x5x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x2x3x7x9xi8>, %1: tensor<2x5x3x2x3xi8>, %2: tensor<6x2x5x6x7xi32>) -> tensor<6x2x5x6x7xi32> {
  %r = linalg.conv_2d_ngchw_gfchw ins(%0, %1 : tensor<6x2x3x7x9xi8>, tensor<2x5x3x2x3xi8>) outs(%2 : tensor<6x2x5x6x7xi32>) -> tensor<6x2x5x6x7xi32>
  return %r : tensor<6x2x5x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x2x3x7x9xi32>, %1: tensor<2x5x3x2x3xi32>, %2: tensor<6x2x5x6x7xi32>) -> tensor<6x2x5x6x7xi32> {
  %r = linalg.conv_2d_ngchw_gfchw ins(%0, %1 : tensor<6x2x3x7x9xi32>, tensor<2x5x3x2x3xi32>) outs(%2 : tensor<6x2x5x6x7xi32>) -> tensor<6x2x5x6x7xi32>
  return %r : tensor<6x2x5x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x2x3x14x19xf32>, %1: tensor<2x5x3x2x3xf32>, %2: tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32> {
  %r = linalg.conv_2d_ngchw_gfchw {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x2x3x14x19xf32>, tensor<2x5x3x2x3xf32>) outs(%2 : tensor<6x2x5x6x7xf32>) -> tensor<6x2x5x6x7xf32>
  return %r : tensor<6x2x5x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf32>, %1: tensor<5x2x3x3xf32>, %2: tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32> {
  %r = linalg.conv_2d_nhwc_fhwc ins(%0, %1 : tensor<6x7x9x3xf32>, tensor<5x2x3x3xf32>) outs(%2 : tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32>
  return %r : tensor<6x6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf16>, %1: tensor<5x2x3x3xf16>, %2: tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32> {
  %r = linalg.conv_2d_nhwc_fhwc ins(%0, %1 : tensor<6x7x9x3xf16>, tensor<5x2x3x3xf16>) outs(%2 : tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32>
  return %r : tensor<6x6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<5x2x3x3xi8>, %2: tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32> {
  %r = linalg.conv_2d_nhwc_fhwc ins(%0, %1 : tensor<6x7x9x3xi8>, tensor<5x2x3x3xi8>) outs(%2 : tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32>
  return %r : tensor<6x6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi32>, %1: tensor<5x2x3x3xi32>, %2: tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32> {
  %r = linalg.conv_2d_nhwc_fhwc ins(%0, %1 : tensor<6x7x9x3xi32>, tensor<5x2x3x3xi32>) outs(%2 : tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32>
  return %r : tensor<6x6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x14x19x3xf32>, %1: tensor<5x2x3x3xf32>, %2: tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32> {
  %r = linalg.conv_2d_nhwc_fhwc {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x14x19x3xf32>, tensor<5x2x3x3xf32>) outs(%2 : tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32>
  return %r : tensor<6x6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf32>, %1: tensor<2x3x3x5xf32>, %2: tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%0, %1 : tensor<6x7x9x3xf32>, tensor<2x3x3x5xf32>) outs(%2 : tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32>
  return %r : tensor<6x6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf16>, %1: tensor<2x3x3x5xf16>, %2: tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%0, %1 : tensor<6x7x9x3xf16>, tensor<2x3x3x5xf16>) outs(%2 : tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32>
  return %r : tensor<6x6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3x3x5xi8>, %2: tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%0, %1 : tensor<6x7x9x3xi8>, tensor<2x3x3x5xi8>) outs(%2 : tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32>
  return %r : tensor<6x6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi32>, %1: tensor<2x3x3x5xi32>, %2: tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%0, %1 : tensor<6x7x9x3xi32>, tensor<2x3x3x5xi32>) outs(%2 : tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32>
  return %r : tensor<6x6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x14x19x3xf32>, %1: tensor<2x3x3x5xf32>, %2: tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32> {
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x14x19x3xf32>, tensor<2x3x3x5xf32>) outs(%2 : tensor<6x6x7x5xf32>) -> tensor<6x6x7x5xf32>
  return %r : tensor<6x6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x2x3xf32>, %1: tensor<2x5x2x3x3xf32>, %2: tensor<6x6x7x2x5xf32>) -> tensor<6x6x7x2x5xf32> {
  %r = linalg.conv_2d_nhwgc_gfhwc ins(%0, %1 : tensor<6x7x9x2x3xf32>, tensor<2x5x2x3x3xf32>) outs(%2 : tensor<6x6x7x2x5xf32>) -> tensor<6x6x7x2x5xf32>
  return %r : tensor<6x6x7x2x5xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x2x3xf16>, %1: tensor<2x5x2x3x3xf16>, %2: tensor<6x6x7x2x5xf32>) -> tensor<6x6x7x2x5xf32> {
  %r = linalg.conv_2d_nhwgc_gfhwc ins(%0, %1 : tensor<6x7x9x2x3xf16>, tensor<2x5x2x3x3xf16>) outs(%2 : tensor<6x6x7x2x5xf32>) -> tensor<6x6x7x2x5xf32>
  return %r : tensor<6x6x7x2x5xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x2x3xi8>, %1: tensor<2x5x2x3x3xi8>, %2: tensor<6x6x7x2x5xi32>) -> tensor<6x6x7x2x5xi32> {
  %r = linalg.conv_2d_nhwgc_gfhwc ins(%0, %1 : tensor<6x7x9x2x3xi8>, tensor<2x5x2x3x3xi8>) outs(%2 : tensor<6x6x7x2x5xi32>) -> tensor<6x6x7x2x5xi32>
  return %r : tensor<6x6x7x2x5xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x2x3xi32>, %1: tensor<2x5x2x3x3xi32>, %2: tensor<6x6x7x2x5xi32>) -> tensor<6x6x7x2x5xi32> {
  %r = linalg.conv_2d_nhwgc_gfhwc ins(%0, %1 : tensor<6x7x9x2x3xi32>, tensor<2x5x2x3x3xi32>) outs(%2 : tensor<6x6x7x2x5xi32>) -> tensor<6x6x7x2x5xi32>
  return %r : tensor<6x6x7x2x5xi32>
}
// -----
func.func @f(%0: tensor<6x14x19x2x3xf32>, %1: tensor<2x5x2x3x3xf32>, %2: tensor<6x6x7x2x5xf32>) -> tensor<6x6x7x2x5xf32> {
  %r = linalg.conv_2d_nhwgc_gfhwc {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x14x19x2x3xf32>, tensor<2x5x2x3x3xf32>) outs(%2 : tensor<6x6x7x2x5xf32>) -> tensor<6x6x7x2x5xf32>
  return %r : tensor<6x6x7x2x5xf32>
}
// -----
func.func @f(%0: tensor<5x7x9xf32>, %1: tensor<2x2x3xf32>, %2: tensor<4x6x7xf32>) -> tensor<4x6x7xf32> {
  %r = linalg.conv_3d ins(%0, %1 : tensor<5x7x9xf32>, tensor<2x2x3xf32>) outs(%2 : tensor<4x6x7xf32>) -> tensor<4x6x7xf32>
  return %r : tensor<4x6x7xf32>
}
// -----
func.func @f(%0: tensor<5x7x9xf16>, %1: tensor<2x2x3xf16>, %2: tensor<4x6x7xf32>) -> tensor<4x6x7xf32> {
  %r = linalg.conv_3d ins(%0, %1 : tensor<5x7x9xf16>, tensor<2x2x3xf16>) outs(%2 : tensor<4x6x7xf32>) -> tensor<4x6x7xf32>
  return %r : tensor<4x6x7xf32>
}
// -----
func.func @f(%0: tensor<5x7x9xi8>, %1: tensor<2x2x3xi8>, %2: tensor<4x6x7xi32>) -> tensor<4x6x7xi32> {
  %r = linalg.conv_3d ins(%0, %1 : tensor<5x7x9xi8>, tensor<2x2x3xi8>) outs(%2 : tensor<4x6x7xi32>) -> tensor<4x6x7xi32>
  return %r : tensor<4x6x7xi32>
}
// -----
func.func @f(%0: tensor<5x7x9xi32>, %1: tensor<2x2x3xi32>, %2: tensor<4x6x7xi32>) -> tensor<4x6x7xi32> {
  %r = linalg.conv_3d ins(%0, %1 : tensor<5x7x9xi32>, tensor<2x2x3xi32>) outs(%2 : tensor<4x6x7xi32>) -> tensor<4x6x7xi32>
  return %r : tensor<4x6x7xi32>
}
// -----
func.func @f(%0: tensor<10x14x19xf32>, %1: tensor<2x2x3xf32>, %2: tensor<4x6x7xf32>) -> tensor<4x6x7xf32> {
  %r = linalg.conv_3d {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<10x14x19xf32>, tensor<2x2x3xf32>) outs(%2 : tensor<4x6x7xf32>) -> tensor<4x6x7xf32>
  return %r : tensor<4x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x5x7x9xf32>, %1: tensor<5x3x2x2x3xf32>, %2: tensor<6x5x4x6x7xf32>) -> tensor<6x5x4x6x7xf32> {
  %r = linalg.conv_3d_ncdhw_fcdhw ins(%0, %1 : tensor<6x3x5x7x9xf32>, tensor<5x3x2x2x3xf32>) outs(%2 : tensor<6x5x4x6x7xf32>) -> tensor<6x5x4x6x7xf32>
  return %r : tensor<6x5x4x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x5x7x9xf16>, %1: tensor<5x3x2x2x3xf16>, %2: tensor<6x5x4x6x7xf32>) -> tensor<6x5x4x6x7xf32> {
  %r = linalg.conv_3d_ncdhw_fcdhw ins(%0, %1 : tensor<6x3x5x7x9xf16>, tensor<5x3x2x2x3xf16>) outs(%2 : tensor<6x5x4x6x7xf32>) -> tensor<6x5x4x6x7xf32>
  return %r : tensor<6x5x4x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x5x7x9xi8>, %1: tensor<5x3x2x2x3xi8>, %2: tensor<6x5x4x6x7xi32>) -> tensor<6x5x4x6x7xi32> {
  %r = linalg.conv_3d_ncdhw_fcdhw ins(%0, %1 : tensor<6x3x5x7x9xi8>, tensor<5x3x2x2x3xi8>) outs(%2 : tensor<6x5x4x6x7xi32>) -> tensor<6x5x4x6x7xi32>
  return %r : tensor<6x5x4x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x5x7x9xi32>, %1: tensor<5x3x2x2x3xi32>, %2: tensor<6x5x4x6x7xi32>) -> tensor<6x5x4x6x7xi32> {
  %r = linalg.conv_3d_ncdhw_fcdhw ins(%0, %1 : tensor<6x3x5x7x9xi32>, tensor<5x3x2x2x3xi32>) outs(%2 : tensor<6x5x4x6x7xi32>) -> tensor<6x5x4x6x7xi32>
  return %r : tensor<6x5x4x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x10x14x19xf32>, %1: tensor<5x3x2x2x3xf32>, %2: tensor<6x5x4x6x7xf32>) -> tensor<6x5x4x6x7xf32> {
  %r = linalg.conv_3d_ncdhw_fcdhw {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<6x3x10x14x19xf32>, tensor<5x3x2x2x3xf32>) outs(%2 : tensor<6x5x4x6x7xf32>) -> tensor<6x5x4x6x7xf32>
  return %r : tensor<6x5x4x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf32>, %1: tensor<2x2x3x3x5xf32>, %2: tensor<6x4x6x7x5xf32>) -> tensor<6x4x6x7x5xf32> {
  %r = linalg.conv_3d_ndhwc_dhwcf ins(%0, %1 : tensor<6x5x7x9x3xf32>, tensor<2x2x3x3x5xf32>) outs(%2 : tensor<6x4x6x7x5xf32>) -> tensor<6x4x6x7x5xf32>
  return %r : tensor<6x4x6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf16>, %1: tensor<2x2x3x3x5xf16>, %2: tensor<6x4x6x7x5xf32>) -> tensor<6x4x6x7x5xf32> {
  %r = linalg.conv_3d_ndhwc_dhwcf ins(%0, %1 : tensor<6x5x7x9x3xf16>, tensor<2x2x3x3x5xf16>) outs(%2 : tensor<6x4x6x7x5xf32>) -> tensor<6x4x6x7x5xf32>
  return %r : tensor<6x4x6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi8>, %1: tensor<2x2x3x3x5xi8>, %2: tensor<6x4x6x7x5xi32>) -> tensor<6x4x6x7x5xi32> {
  %r = linalg.conv_3d_ndhwc_dhwcf ins(%0, %1 : tensor<6x5x7x9x3xi8>, tensor<2x2x3x3x5xi8>) outs(%2 : tensor<6x4x6x7x5xi32>) -> tensor<6x4x6x7x5xi32>
  return %r : tensor<6x4x6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi32>, %1: tensor<2x2x3x3x5xi32>, %2: tensor<6x4x6x7x5xi32>) -> tensor<6x4x6x7x5xi32> {
  %r = linalg.conv_3d_ndhwc_dhwcf ins(%0, %1 : tensor<6x5x7x9x3xi32>, tensor<2x2x3x3x5xi32>) outs(%2 : tensor<6x4x6x7x5xi32>) -> tensor<6x4x6x7x5xi32>
  return %r : tensor<6x4x6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x10x14x19x3xf32>, %1: tensor<2x2x3x3x5xf32>, %2: tensor<6x4x6x7x5xf32>) -> tensor<6x4x6x7x5xf32> {
  %r = linalg.conv_3d_ndhwc_dhwcf {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<6x10x14x19x3xf32>, tensor<2x2x3x3x5xf32>) outs(%2 : tensor<6x4x6x7x5xf32>) -> tensor<6x4x6x7x5xf32>
  return %r : tensor<6x4x6x7x5xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xf32>, %1: tensor<3x3xf32>, %2: tensor<6x3x7xf32>) -> tensor<6x3x7xf32> {
  %r = linalg.depthwise_conv_1d_ncw_cw ins(%0, %1 : tensor<6x3x9xf32>, tensor<3x3xf32>) outs(%2 : tensor<6x3x7xf32>) -> tensor<6x3x7xf32>
  return %r : tensor<6x3x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xf16>, %1: tensor<3x3xf16>, %2: tensor<6x3x7xf32>) -> tensor<6x3x7xf32> {
  %r = linalg.depthwise_conv_1d_ncw_cw ins(%0, %1 : tensor<6x3x9xf16>, tensor<3x3xf16>) outs(%2 : tensor<6x3x7xf32>) -> tensor<6x3x7xf32>
  return %r : tensor<6x3x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x9xi8>, %1: tensor<3x3xi8>, %2: tensor<6x3x7xi32>) -> tensor<6x3x7xi32> {
  %r = linalg.depthwise_conv_1d_ncw_cw ins(%0, %1 : tensor<6x3x9xi8>, tensor<3x3xi8>) outs(%2 : tensor<6x3x7xi32>) -> tensor<6x3x7xi32>
  return %r : tensor<6x3x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x9xi32>, %1: tensor<3x3xi32>, %2: tensor<6x3x7xi32>) -> tensor<6x3x7xi32> {
  %r = linalg.depthwise_conv_1d_ncw_cw ins(%0, %1 : tensor<6x3x9xi32>, tensor<3x3xi32>) outs(%2 : tensor<6x3x7xi32>) -> tensor<6x3x7xi32>
  return %r : tensor<6x3x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x19xf32>, %1: tensor<3x3xf32>, %2: tensor<6x3x7xf32>) -> tensor<6x3x7xf32> {
  %r = linalg.depthwise_conv_1d_ncw_cw {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<6x3x19xf32>, tensor<3x3xf32>) outs(%2 : tensor<6x3x7xf32>) -> tensor<6x3x7xf32>
  return %r : tensor<6x3x7xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xf32>, %1: tensor<3x3xf32>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc ins(%0, %1 : tensor<6x9x3xf32>, tensor<3x3xf32>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xf16>, %1: tensor<3x3xf16>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc ins(%0, %1 : tensor<6x9x3xf16>, tensor<3x3xf16>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xi8>, %1: tensor<3x3xi8>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.depthwise_conv_1d_nwc_wc ins(%0, %1 : tensor<6x9x3xi8>, tensor<3x3xi8>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x9x3xi32>, %1: tensor<3x3xi32>, %2: tensor<6x7x3xi32>) -> tensor<6x7x3xi32> {
  %r = linalg.depthwise_conv_1d_nwc_wc ins(%0, %1 : tensor<6x9x3xi32>, tensor<3x3xi32>) outs(%2 : tensor<6x7x3xi32>) -> tensor<6x7x3xi32>
  return %r : tensor<6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x19x3xf32>, %1: tensor<3x3xf32>, %2: tensor<6x7x3xf32>) -> tensor<6x7x3xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wc {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<6x19x3xf32>, tensor<3x3xf32>) outs(%2 : tensor<6x7x3xf32>) -> tensor<6x7x3xf32>
  return %r : tensor<6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xf32>, %1: tensor<3x3x4xf32>, %2: tensor<6x7x3x4xf32>) -> tensor<6x7x3x4xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wcm ins(%0, %1 : tensor<6x9x3xf32>, tensor<3x3x4xf32>) outs(%2 : tensor<6x7x3x4xf32>) -> tensor<6x7x3x4xf32>
  return %r : tensor<6x7x3x4xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xf16>, %1: tensor<3x3x4xf16>, %2: tensor<6x7x3x4xf32>) -> tensor<6x7x3x4xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wcm ins(%0, %1 : tensor<6x9x3xf16>, tensor<3x3x4xf16>) outs(%2 : tensor<6x7x3x4xf32>) -> tensor<6x7x3x4xf32>
  return %r : tensor<6x7x3x4xf32>
}
// -----
func.func @f(%0: tensor<6x9x3xi8>, %1: tensor<3x3x4xi8>, %2: tensor<6x7x3x4xi32>) -> tensor<6x7x3x4xi32> {
  %r = linalg.depthwise_conv_1d_nwc_wcm ins(%0, %1 : tensor<6x9x3xi8>, tensor<3x3x4xi8>) outs(%2 : tensor<6x7x3x4xi32>) -> tensor<6x7x3x4xi32>
  return %r : tensor<6x7x3x4xi32>
}
// -----
func.func @f(%0: tensor<6x9x3xi32>, %1: tensor<3x3x4xi32>, %2: tensor<6x7x3x4xi32>) -> tensor<6x7x3x4xi32> {
  %r = linalg.depthwise_conv_1d_nwc_wcm ins(%0, %1 : tensor<6x9x3xi32>, tensor<3x3x4xi32>) outs(%2 : tensor<6x7x3x4xi32>) -> tensor<6x7x3x4xi32>
  return %r : tensor<6x7x3x4xi32>
}
// -----
func.func @f(%0: tensor<6x19x3xf32>, %1: tensor<3x3x4xf32>, %2: tensor<6x7x3x4xf32>) -> tensor<6x7x3x4xf32> {
  %r = linalg.depthwise_conv_1d_nwc_wcm {dilations = dense<3> : tensor<1xi64>, strides = dense<2> : tensor<1xi64>} ins(%0, %1 : tensor<6x19x3xf32>, tensor<3x3x4xf32>) outs(%2 : tensor<6x7x3x4xf32>) -> tensor<6x7x3x4xf32>
  return %r : tensor<6x7x3x4xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xf32>, %1: tensor<3x2x3xf32>, %2: tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%0, %1 : tensor<6x3x7x9xf32>, tensor<3x2x3xf32>) outs(%2 : tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32>
  return %r : tensor<6x3x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xf16>, %1: tensor<3x2x3xf16>, %2: tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%0, %1 : tensor<6x3x7x9xf16>, tensor<3x2x3xf16>) outs(%2 : tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32>
  return %r : tensor<6x3x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xi8>, %1: tensor<3x2x3xi8>, %2: tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32> {
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%0, %1 : tensor<6x3x7x9xi8>, tensor<3x2x3xi8>) outs(%2 : tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32>
  return %r : tensor<6x3x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xi32>, %1: tensor<3x2x3xi32>, %2: tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32> {
  %r = linalg.depthwise_conv_2d_nchw_chw ins(%0, %1 : tensor<6x3x7x9xi32>, tensor<3x2x3xi32>) outs(%2 : tensor<6x3x6x7xi32>) -> tensor<6x3x6x7xi32>
  return %r : tensor<6x3x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x14x19xf32>, %1: tensor<3x2x3xf32>, %2: tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32> {
  %r = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x3x14x19xf32>, tensor<3x2x3xf32>) outs(%2 : tensor<6x3x6x7xf32>) -> tensor<6x3x6x7xf32>
  return %r : tensor<6x3x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf32>, %1: tensor<2x3x3xf32>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%0, %1 : tensor<6x7x9x3xf32>, tensor<2x3x3xf32>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf16>, %1: tensor<2x3x3xf16>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%0, %1 : tensor<6x7x9x3xf16>, tensor<2x3x3xf16>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3x3xi8>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%0, %1 : tensor<6x7x9x3xi8>, tensor<2x3x3xi8>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi32>, %1: tensor<2x3x3xi32>, %2: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%0, %1 : tensor<6x7x9x3xi32>, tensor<2x3x3xi32>) outs(%2 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x14x19x3xf32>, %1: tensor<2x3x3xf32>, %2: tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x14x19x3xf32>, tensor<2x3x3xf32>) outs(%2 : tensor<6x6x7x3xf32>) -> tensor<6x6x7x3xf32>
  return %r : tensor<6x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf32>, %1: tensor<2x3x3x4xf32>, %2: tensor<6x6x7x3x4xf32>) -> tensor<6x6x7x3x4xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%0, %1 : tensor<6x7x9x3xf32>, tensor<2x3x3x4xf32>) outs(%2 : tensor<6x6x7x3x4xf32>) -> tensor<6x6x7x3x4xf32>
  return %r : tensor<6x6x7x3x4xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xf16>, %1: tensor<2x3x3x4xf16>, %2: tensor<6x6x7x3x4xf32>) -> tensor<6x6x7x3x4xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%0, %1 : tensor<6x7x9x3xf16>, tensor<2x3x3x4xf16>) outs(%2 : tensor<6x6x7x3x4xf32>) -> tensor<6x6x7x3x4xf32>
  return %r : tensor<6x6x7x3x4xf32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3x3x4xi8>, %2: tensor<6x6x7x3x4xi32>) -> tensor<6x6x7x3x4xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%0, %1 : tensor<6x7x9x3xi8>, tensor<2x3x3x4xi8>) outs(%2 : tensor<6x6x7x3x4xi32>) -> tensor<6x6x7x3x4xi32>
  return %r : tensor<6x6x7x3x4xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi32>, %1: tensor<2x3x3x4xi32>, %2: tensor<6x6x7x3x4xi32>) -> tensor<6x6x7x3x4xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm ins(%0, %1 : tensor<6x7x9x3xi32>, tensor<2x3x3x4xi32>) outs(%2 : tensor<6x6x7x3x4xi32>) -> tensor<6x6x7x3x4xi32>
  return %r : tensor<6x6x7x3x4xi32>
}
// -----
func.func @f(%0: tensor<6x14x19x3xf32>, %1: tensor<2x3x3x4xf32>, %2: tensor<6x6x7x3x4xf32>) -> tensor<6x6x7x3x4xf32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {dilations = dense<3> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>} ins(%0, %1 : tensor<6x14x19x3xf32>, tensor<2x3x3x4xf32>) outs(%2 : tensor<6x6x7x3x4xf32>) -> tensor<6x6x7x3x4xf32>
  return %r : tensor<6x6x7x3x4xf32>
}
// -----
func.func @f(%0: tensor<6x3x5x7x9xf32>, %1: tensor<3x2x2x3xf32>, %2: tensor<6x3x4x6x7xf32>) -> tensor<6x3x4x6x7xf32> {
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw ins(%0, %1 : tensor<6x3x5x7x9xf32>, tensor<3x2x2x3xf32>) outs(%2 : tensor<6x3x4x6x7xf32>) -> tensor<6x3x4x6x7xf32>
  return %r : tensor<6x3x4x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x5x7x9xf16>, %1: tensor<3x2x2x3xf16>, %2: tensor<6x3x4x6x7xf32>) -> tensor<6x3x4x6x7xf32> {
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw ins(%0, %1 : tensor<6x3x5x7x9xf16>, tensor<3x2x2x3xf16>) outs(%2 : tensor<6x3x4x6x7xf32>) -> tensor<6x3x4x6x7xf32>
  return %r : tensor<6x3x4x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x3x5x7x9xi8>, %1: tensor<3x2x2x3xi8>, %2: tensor<6x3x4x6x7xi32>) -> tensor<6x3x4x6x7xi32> {
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw ins(%0, %1 : tensor<6x3x5x7x9xi8>, tensor<3x2x2x3xi8>) outs(%2 : tensor<6x3x4x6x7xi32>) -> tensor<6x3x4x6x7xi32>
  return %r : tensor<6x3x4x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x5x7x9xi32>, %1: tensor<3x2x2x3xi32>, %2: tensor<6x3x4x6x7xi32>) -> tensor<6x3x4x6x7xi32> {
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw ins(%0, %1 : tensor<6x3x5x7x9xi32>, tensor<3x2x2x3xi32>) outs(%2 : tensor<6x3x4x6x7xi32>) -> tensor<6x3x4x6x7xi32>
  return %r : tensor<6x3x4x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x3x10x14x19xf32>, %1: tensor<3x2x2x3xf32>, %2: tensor<6x3x4x6x7xf32>) -> tensor<6x3x4x6x7xf32> {
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<6x3x10x14x19xf32>, tensor<3x2x2x3xf32>) outs(%2 : tensor<6x3x4x6x7xf32>) -> tensor<6x3x4x6x7xf32>
  return %r : tensor<6x3x4x6x7xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf32>, %1: tensor<2x2x3x3xf32>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc ins(%0, %1 : tensor<6x5x7x9x3xf32>, tensor<2x2x3x3xf32>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf16>, %1: tensor<2x2x3x3xf16>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc ins(%0, %1 : tensor<6x5x7x9x3xf16>, tensor<2x2x3x3xf16>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi8>, %1: tensor<2x2x3x3xi8>, %2: tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc ins(%0, %1 : tensor<6x5x7x9x3xi8>, tensor<2x2x3x3xi8>) outs(%2 : tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32>
  return %r : tensor<6x4x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi32>, %1: tensor<2x2x3x3xi32>, %2: tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc ins(%0, %1 : tensor<6x5x7x9x3xi32>, tensor<2x2x3x3xi32>) outs(%2 : tensor<6x4x6x7x3xi32>) -> tensor<6x4x6x7x3xi32>
  return %r : tensor<6x4x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x10x14x19x3xf32>, %1: tensor<2x2x3x3xf32>, %2: tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<6x10x14x19x3xf32>, tensor<2x2x3x3xf32>) outs(%2 : tensor<6x4x6x7x3xf32>) -> tensor<6x4x6x7x3xf32>
  return %r : tensor<6x4x6x7x3xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf32>, %1: tensor<2x2x3x3x4xf32>, %2: tensor<6x4x6x7x3x4xf32>) -> tensor<6x4x6x7x3x4xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%0, %1 : tensor<6x5x7x9x3xf32>, tensor<2x2x3x3x4xf32>) outs(%2 : tensor<6x4x6x7x3x4xf32>) -> tensor<6x4x6x7x3x4xf32>
  return %r : tensor<6x4x6x7x3x4xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xf16>, %1: tensor<2x2x3x3x4xf16>, %2: tensor<6x4x6x7x3x4xf32>) -> tensor<6x4x6x7x3x4xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%0, %1 : tensor<6x5x7x9x3xf16>, tensor<2x2x3x3x4xf16>) outs(%2 : tensor<6x4x6x7x3x4xf32>) -> tensor<6x4x6x7x3x4xf32>
  return %r : tensor<6x4x6x7x3x4xf32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi8>, %1: tensor<2x2x3x3x4xi8>, %2: tensor<6x4x6x7x3x4xi32>) -> tensor<6x4x6x7x3x4xi32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%0, %1 : tensor<6x5x7x9x3xi8>, tensor<2x2x3x3x4xi8>) outs(%2 : tensor<6x4x6x7x3x4xi32>) -> tensor<6x4x6x7x3x4xi32>
  return %r : tensor<6x4x6x7x3x4xi32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi32>, %1: tensor<2x2x3x3x4xi32>, %2: tensor<6x4x6x7x3x4xi32>) -> tensor<6x4x6x7x3x4xi32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm ins(%0, %1 : tensor<6x5x7x9x3xi32>, tensor<2x2x3x3x4xi32>) outs(%2 : tensor<6x4x6x7x3x4xi32>) -> tensor<6x4x6x7x3x4xi32>
  return %r : tensor<6x4x6x7x3x4xi32>
}
// -----
func.func @f(%0: tensor<6x10x14x19x3xf32>, %1: tensor<2x2x3x3x4xf32>, %2: tensor<6x4x6x7x3x4xf32>) -> tensor<6x4x6x7x3x4xf32> {
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm {dilations = dense<3> : tensor<3xi64>, strides = dense<2> : tensor<3xi64>} ins(%0, %1 : tensor<6x10x14x19x3xf32>, tensor<2x2x3x3x4xf32>) outs(%2 : tensor<6x4x6x7x3x4xf32>) -> tensor<6x4x6x7x3x4xf32>
  return %r : tensor<6x4x6x7x3x4xf32>
}
// -----
func.func @f(%0: tensor<6x3x7x9xi8>, %1: tensor<5x3x2x3xi8>, %2: i32, %3: i32, %4: tensor<6x5x6x7xi32>) -> tensor<6x5x6x7xi32> {
  %r = linalg.conv_2d_nchw_fchw_q ins(%0, %1, %2, %3 : tensor<6x3x7x9xi8>, tensor<5x3x2x3xi8>, i32, i32) outs(%4 : tensor<6x5x6x7xi32>) -> tensor<6x5x6x7xi32>
  return %r : tensor<6x5x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x2x3x7x9xi8>, %1: tensor<2x5x3x2x3xi8>, %2: i32, %3: i32, %4: tensor<6x2x5x6x7xi32>) -> tensor<6x2x5x6x7xi32> {
  %r = linalg.conv_2d_ngchw_gfchw_q ins(%0, %1, %2, %3 : tensor<6x2x3x7x9xi8>, tensor<2x5x3x2x3xi8>, i32, i32) outs(%4 : tensor<6x2x5x6x7xi32>) -> tensor<6x2x5x6x7xi32>
  return %r : tensor<6x2x5x6x7xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<5x2x3x3xi8>, %2: i32, %3: i32, %4: tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32> {
  %r = linalg.conv_2d_nhwc_fhwc_q ins(%0, %1, %2, %3 : tensor<6x7x9x3xi8>, tensor<5x2x3x3xi8>, i32, i32) outs(%4 : tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32>
  return %r : tensor<6x6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3x3x5xi8>, %2: i32, %3: i32, %4: tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32> {
  %r = linalg.conv_2d_nhwc_hwcf_q ins(%0, %1, %2, %3 : tensor<6x7x9x3xi8>, tensor<2x3x3x5xi8>, i32, i32) outs(%4 : tensor<6x6x7x5xi32>) -> tensor<6x6x7x5xi32>
  return %r : tensor<6x6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x2x3xi8>, %1: tensor<2x5x2x3x3xi8>, %2: i32, %3: i32, %4: tensor<6x6x7x2x5xi32>) -> tensor<6x6x7x2x5xi32> {
  %r = linalg.conv_2d_nhwgc_gfhwc_q ins(%0, %1, %2, %3 : tensor<6x7x9x2x3xi8>, tensor<2x5x2x3x3xi8>, i32, i32) outs(%4 : tensor<6x6x7x2x5xi32>) -> tensor<6x6x7x2x5xi32>
  return %r : tensor<6x6x7x2x5xi32>
}
// -----
func.func @f(%0: tensor<6x5x7x9x3xi8>, %1: tensor<2x2x3x3x5xi8>, %2: i32, %3: i32, %4: tensor<6x4x6x7x5xi32>) -> tensor<6x4x6x7x5xi32> {
  %r = linalg.conv_3d_ndhwc_dhwcf_q ins(%0, %1, %2, %3 : tensor<6x5x7x9x3xi8>, tensor<2x2x3x3x5xi8>, i32, i32) outs(%4 : tensor<6x4x6x7x5xi32>) -> tensor<6x4x6x7x5xi32>
  return %r : tensor<6x4x6x7x5xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3x3xi8>, %2: i32, %3: i32, %4: tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwc_q ins(%0, %1, %2, %3 : tensor<6x7x9x3xi8>, tensor<2x3x3xi8>, i32, i32) outs(%4 : tensor<6x6x7x3xi32>) -> tensor<6x6x7x3xi32>
  return %r : tensor<6x6x7x3xi32>
}
// -----
func.func @f(%0: tensor<6x7x9x3xi8>, %1: tensor<2x3x3x4xi8>, %2: i32, %3: i32, %4: tensor<6x6x7x3x4xi32>) -> tensor<6x6x7x3x4xi32> {
  %r = linalg.depthwise_conv_2d_nhwc_hwcm_q ins(%0, %1, %2, %3 : tensor<6x7x9x3xi8>, tensor<2x3x3x4xi8>, i32, i32) outs(%4 : tensor<6x6x7x3x4xi32>) -> tensor<6x6x7x3x4xi32>
  return %r : tensor<6x6x7x3x4xi32>
}
