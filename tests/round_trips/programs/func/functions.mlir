func.func private @f(i32 {my.a = 1 : i32}, f32) -> (i32 {my.b}, f32)
// -----
func.func private @f(%a: i32 {my.a = 1 : i32}, %b: f32)
// -----
func.func @f(%a: i32 {my.a = 1 : i32}, %b: f32) -> (i32 {my.b = "x"}, f32) {
  return %a, %b : i32, f32
}
// -----
func.func @f(%a: i32) -> (i32 {my.b = "x"}) attributes {my.attr = 1, no_inline} {
  return %a : i32
}
// -----
func.func private @g(i32, f32) -> (i32, f32)
func.func @f(%a: i32, %b: f32) -> (i32, f32) {
  %0:2 = call @g(%a, %b) {my.attr = 1, no_inline} : (i32, f32) -> (i32, f32)
  return %0#0, %0#1 : i32, f32
}
// -----
func.func private @f() attributes {llvm.emit_c_interface}
// -----
func.func nested @f() -> i32 {
  %0 = arith.constant 1 : i32
  return %0 : i32
}
// -----
func.func public @f() {
  return
}
// -----
func.func @f() -> i32 {
  %0 = call @g() : () -> i32
  return %0 : i32
}
func.func private @g() -> i32
// -----
func.func @f() -> i32 {
  %0 = call @g() {a = 1} : () -> i32
  return %0 : i32
}
func.func private @g() -> i32
// -----
func.func @f() {
  %0 = func.constant @g : () -> i32
  %1 = call_indirect %0() : () -> i32
  return
}
func.func private @g() -> i32
// -----
func.func @f(%a: i32) -> (i32, i32) {
  %0:2 = call @g(%a, %a) : (i32, i32) -> (i32, i32)
  return {a} %0#0, %0#1 : i32, i32
}
func.func private @g(i32, i32) -> (i32, i32)
// -----
func.func private @f((i32) -> f32) -> (() -> ())
// -----
func.func private @"a b"(memref<*xf32>, complex<f32>, tuple<i32, f32>, none, !llvm.ptr)
// -----
module @m attributes {my.a = 1} {
  func.func private @f()
  module {
    func.func private @f()
  }
}
// -----
func.func @f(%a: i32) {
  cf.br ^bb1(%a : i32)
^bb1(%b: i32):
  %c = arith.cmpi eq, %a, %b : i32
  cf.cond_br %c, ^bb1(%a : i32), ^bb2
^bb2:
  return
}
// -----
func.func @f(%a: i32) {
  cf.switch %a : i32, [
    default: ^bb1(%a : i32),
    42: ^bb1(%a : i32),
    -1: ^bb2
  ]
^bb1(%b: i32):
  return
^bb2:
  return
}
// -----
func.func @f(%a: i1) {
  cf.assert %a, "message \22quoted\22"
  return
}
// -----
func.func @f(%a: i32) {
  cf.switch %a : i32, [
    default: ^bb1
  ] {a}
^bb1:
  return
}
