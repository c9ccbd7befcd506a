func.func @f(%a: tensor<*xf32>) {
  %0 = math.absf %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.acos %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.acosh %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.asin %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.asinh %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.atan %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.atanh %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.cbrt %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.ceil %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.cos %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.cosh %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.erf %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.erfc %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.exp %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.exp2 %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.expm1 %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.floor %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.log %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.log10 %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.log1p %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.log2 %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.round %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.roundeven %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.rsqrt %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.sin %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.sinh %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.sqrt %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.tan %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.tanh %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.trunc %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.isfinite %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.isinf %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.isnan %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0 = math.isnormal %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>) {
  %0:2 = math.sincos %a : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>, %c: tensor<*xf32>) {
  %0 = math.fma %a, %b, %c : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>, %c: tensor<*xf32>) {
  %0 = math.clampf %a to [%b, %c] : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = math.atan2 %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = math.copysign %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xf32>) {
  %0 = math.powf %a, %b : tensor<*xf32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>) {
  %0 = math.absi %a : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>) {
  %0 = math.ctlz %a : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>) {
  %0 = math.cttz %a : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>) {
  %0 = math.ctpop %a : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xi32>, %b: tensor<*xi32>) {
  %0 = math.ipowi %a, %b : tensor<*xi32>
  return
}
// -----
func.func @f(%a: tensor<*xf32>, %b: tensor<*xi32>) {
  %0 = math.fpowi %a, %b : tensor<*xf32>, tensor<*xi32>
  return
}
