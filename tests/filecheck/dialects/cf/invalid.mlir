// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

func.func @too_few() -> f32 {
  cf.br ^end
^end(%x: f32):
  func.return %x : f32
}
// CHECK: 'cf.br' forwards () to a block that takes (f32)

// -----

func.func @other_type(%c: i1, %i: index, %f: f32) -> f32 {
  cf.cond_br %c, ^end(%i : index), ^end(%f : f32)
^end(%x: f32):
  func.return %x : f32
}
// CHECK: 'cf.cond_br' forwards (index) to a block that takes (f32)

// -----

func.func @case(%i: i32, %f: f32) -> f32 {
  cf.switch %i : i32, [
    default: ^end(%f : f32),
    0: ^end(%f, %f : f32, f32)
  ]
^end(%x: f32):
  func.return %x : f32
}
// CHECK: 'cf.switch' forwards (f32, f32) to a block that takes (f32)
