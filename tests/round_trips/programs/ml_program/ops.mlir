ml_program.global private @g(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
// -----
ml_program.global private mutable @g(dense<0xFF800000> : tensor<4xf32>) : tensor<4xf32>
// -----
ml_program.global private @g(dense<1.0> : tensor<4xf32>) : tensor<4xf32> {a = 1}
// -----
ml_program.global private mutable @h : tensor<4xf32>
// -----
ml_program.global private mutable @e(#ml_program.extern : tensor<4xf32>) : tensor<?xf32>
// -----
ml_program.global public @p(3 : i32) : i32
// -----
ml_program.global private @g(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
func.func @f() -> tensor<4xf32> {
  %0 = ml_program.global_load_const @g : tensor<4xf32> {a = 1}
  return %0 : tensor<4xf32>
}
// -----
ml_program.global private mutable @h : tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %k: !ml_program.token) {
  %0 = ml_program.global_load @h : tensor<4xf32> {a = 1}
  return
}
// -----
ml_program.global private mutable @h : tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %k: !ml_program.token) {
  ml_program.global_store @h = %t : tensor<4xf32> {a = 1}
  return
}
// -----
ml_program.global private mutable @h : tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %k: !ml_program.token) {
  %0 = ml_program.token {a = 1}
  return
}
// -----
ml_program.global private mutable @h : tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %k: !ml_program.token) {
  %0, %1 = ml_program.global_load_graph @h ordering(%k -> !ml_program.token) : tensor<4xf32>
  return
}
// -----
ml_program.global private mutable @h : tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %k: !ml_program.token) {
  %0, %1 = ml_program.global_load_graph @h ordering(() -> !ml_program.token) : tensor<4xf32> {a = 1}
  return
}
// -----
ml_program.global private mutable @h : tensor<4xf32>
func.func @f(%t: tensor<4xf32>, %k: !ml_program.token) {
  %0 = ml_program.global_store_graph @h = %t ordering(%k, %k -> !ml_program.token) : tensor<4xf32> {a = 1}
  return
}
// -----
ml_program.func private @f(%arg0: i32) -> i32 {
  ml_program.return %arg0 : i32
}
// -----
ml_program.subgraph @g(%a : i32) -> i32 {
  %1 = "unregistered.dummy"(%a, %2) : (i32, i32) -> i32
  %2 = "unregistered.dummy"(%a) : (i32) -> i32
  ml_program.output %1 : i32
}
// -----
ml_program.func private @ext(i32)
// -----
ml_program.func public @f(%a: i32 {my.a}) -> (i32 {my.b = 1 : i32}, f32) attributes {my.attr} {
  %0 = arith.constant 1.0 : f32
  ml_program.return %a, %0 : i32, f32
}
// -----
ml_program.func @f() {
  ml_program.return
}
