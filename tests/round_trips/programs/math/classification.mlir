func.func @f(%a: bf16) {
  %0 = math.isfinite %a : bf16
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0 = math.isfinite %a : vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<2x[4]xf64>) {
  %0 = math.isfinite %a : vector<2x[4]xf64>
  return
}
// -----
func.func @f(%a: vector<f32>) {
  %0 = math.isfinite %a : vector<f32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %0 = math.isfinite %a : tensor<4x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32, "encoding">) {
  %0 = math.isfinite %a : tensor<4xf32, "encoding">
  return
}
// -----
func.func @f(%a: f32) {
  %0 = math.isfinite %a {fastmath = #arith.fastmath<fast>, mark} : f32
  return
}
// -----
func.func @f(%a: bf16) {
  %0 = math.isinf %a : bf16
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0 = math.isinf %a : vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<2x[4]xf64>) {
  %0 = math.isinf %a : vector<2x[4]xf64>
  return
}
// -----
func.func @f(%a: vector<f32>) {
  %0 = math.isinf %a : vector<f32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %0 = math.isinf %a : tensor<4x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32, "encoding">) {
  %0 = math.isinf %a : tensor<4xf32, "encoding">
  return
}
// -----
func.func @f(%a: f32) {
  %0 = math.isinf %a {fastmath = #arith.fastmath<fast>, mark} : f32
  return
}
// -----
func.func @f(%a: bf16) {
  %0 = math.isnan %a : bf16
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0 = math.isnan %a : vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<2x[4]xf64>) {
  %0 = math.isnan %a : vector<2x[4]xf64>
  return
}
// -----
func.func @f(%a: vector<f32>) {
  %0 = math.isnan %a : vector<f32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %0 = math.isnan %a : tensor<4x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32, "encoding">) {
  %0 = math.isnan %a : tensor<4xf32, "encoding">
  return
}
// -----
func.func @f(%a: f32) {
  %0 = math.isnan %a {fastmath = #arith.fastmath<fast>, mark} : f32
  return
}
// -----
func.func @f(%a: bf16) {
  %0 = math.isnormal %a : bf16
  return
}
// -----
func.func @f(%a: vector<4xf32>) {
  %0 = math.isnormal %a : vector<4xf32>
  return
}
// -----
func.func @f(%a: vector<2x[4]xf64>) {
  %0 = math.isnormal %a : vector<2x[4]xf64>
  return
}
// -----
func.func @f(%a: vector<f32>) {
  %0 = math.isnormal %a : vector<f32>
  return
}
// -----
func.func @f(%a: tensor<4x?xf32>) {
  %0 = math.isnormal %a : tensor<4x?xf32>
  return
}
// -----
func.func @f(%a: tensor<4xf32, "encoding">) {
  %0 = math.isnormal %a : tensor<4xf32, "encoding">
  return
}
// -----
func.func @f(%a: f32) {
  %0 = math.isnormal %a {fastmath = #arith.fastmath<fast>, mark} : f32
  return
}
