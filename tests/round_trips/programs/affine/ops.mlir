func.func @f(%n: index) {
  %0 = affine.apply affine_map<(d0)[s0] -> (d0 + s0)>(%n)[%n]
  return
}
// -----
func.func @f(%n: index) {
  %0 = affine.min affine_map<(d0) -> (d0, 4)>(%n)
  return
}
// -----
func.func @f() {
  affine.for %i = 0 to 4 {
  }
  return
}
// -----
func.func @f(%n: index) {
  affine.for %i = 0 to %n step 2 {
  }
  return
}
// -----
func.func @f(%f: f32) {
  %0 = affine.for %i = 0 to 4 iter_args(%a = %f) -> (f32) {
    affine.yield %a : f32
  }
  return
}
