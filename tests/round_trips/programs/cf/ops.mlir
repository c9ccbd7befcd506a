func.func @g(%c: i1, %f: f32, %i: i32) {
  cf.cond_br %c weights([1, 2]), ^bb1, ^bb2(%f : f32)
^bb1:
  return
^bb2(%g: f32):
  return
}
// -----
func.func @g(%c: i1, %f: f32, %i: i32) {
  cf.cond_br %c, ^bb1, ^bb2(%f : f32) {a = 1}
^bb1:
  return
^bb2(%g: f32):
  return
}
// -----
func.func @g(%c: i1, %f: f32, %i: i32) {
  cf.br ^bb2(%f : f32) {a = 1}
^bb1:
  return
^bb2(%g: f32):
  return
}
// -----
func.func @g(%c: i1, %f: f32, %i: i32) {
  cf.switch %i : i32, [
    default: ^bb1,
    42: ^bb1,
    43: ^bb2(%f : f32)
  ] {a = 1}
^bb1:
  return
^bb2(%g: f32):
  return
}
// -----
func.func @g(%c: i1, %f: f32, %i: i32) {
  cf.assert %c, "x" {a = 1}
  return
}
