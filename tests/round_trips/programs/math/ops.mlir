func.func @f(%f: f32) {
  %0 = math.absf %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.absf %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.acos %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.acos %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.acosh %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.acosh %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.asin %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.asin %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.asinh %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.asinh %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.atan %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.atan %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.atanh %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.atanh %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.cbrt %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.cbrt %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.ceil %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.ceil %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.cos %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.cos %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.cosh %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.cosh %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.erf %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.erf %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.erfc %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.erfc %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.exp %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.exp %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.exp2 %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.exp2 %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.expm1 %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.expm1 %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.floor %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.floor %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.log %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.log %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.log10 %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.log10 %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.log1p %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.log1p %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.log2 %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.log2 %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.round %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.round %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.roundeven %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.roundeven %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.rsqrt %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.rsqrt %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.sin %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.sin %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.sinh %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.sinh %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.sqrt %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.sqrt %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.tan %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.tan %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.tanh %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.tanh %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.trunc %f : f32
  return
}
// -----
func.func @f(%tf: tensor<2x?xf32>) {
  %0 = math.trunc %tf fastmath<fast> {a} : tensor<2x?xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = math.atan2 %f, %g : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = math.atan2 %vf, %vf fastmath<fast> : vector<4xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = math.copysign %f, %g : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = math.copysign %vf, %vf fastmath<fast> : vector<4xf32>
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = math.powf %f, %g : f32
  return
}
// -----
func.func @f(%vf: vector<4xf32>) {
  %0 = math.powf %vf, %vf fastmath<fast> : vector<4xf32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = math.absi %i : i32
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = math.absi %vi : vector<4xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = math.ctlz %i : i32
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = math.ctlz %vi : vector<4xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = math.cttz %i : i32
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = math.cttz %vi : vector<4xi32>
  return
}
// -----
func.func @f(%i: i32) {
  %0 = math.ctpop %i : i32
  return
}
// -----
func.func @f(%vi: vector<4xi32>) {
  %0 = math.ctpop %vi : vector<4xi32>
  return
}
// -----
func.func @f(%i: i32, %j: i32) {
  %0 = math.ipowi %i, %j : i32
  return
}
// -----
func.func @f(%i: i32, %f: f32) {
  %0 = math.fpowi %f, %i : f32, i32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = math.fma %f, %g, %f : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0:2 = math.sincos %f : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.isfinite %f : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.isinf %f : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.isnan %f : f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = math.isnormal %f : f32
  return
}
// -----
func.func @f(%f: f32, %g: f32) {
  %0 = math.clampf %f to [%g, %f] : f32
  return
}
