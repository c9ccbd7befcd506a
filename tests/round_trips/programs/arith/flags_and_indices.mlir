func.func @f(%a: i32, %b: i32) {
  %0, %1 = arith.addui_extended %a, %b : i32, i1
  return
}
// -----
func.func @f(%a: index, %b: index) {
  %0, %1 = arith.addui_extended %a, %b : index, i1
  return
}
// -----
func.func @f(%a: vector<[4]xindex>, %b: vector<[4]xindex>) {
  %0, %1 = arith.addui_extended %a, %b : vector<[4]xindex>, vector<[4]xi1>
  return
}
// -----
func.func @f(%a: tensor<4xindex, "encoding">, %b: tensor<4xindex, "encoding">) {
  %0, %1 = arith.addui_extended %a, %b : tensor<4xindex, "encoding">, tensor<4xi1, "encoding">
  return
}
// -----
func.func @f(%a: f32, %b: f8E8M0FNU) {
  %0 = arith.scaling_truncf %a, %b upward : f32, f8E8M0FNU to f8E4M3FN
  return
}
// -----
func.func @f(%a: f32, %b: f8E8M0FNU) {
  %0 = arith.scaling_truncf %a, %b toward_zero fastmath<fast> : f32, f8E8M0FNU to f8E4M3FN
  return
}
// -----
func.func @f(%a: f32, %b: f8E8M0FNU) {
  %0 = arith.scaling_truncf %a, %b downward {mark} : f32, f8E8M0FNU to f8E4M3FN
  return
}
