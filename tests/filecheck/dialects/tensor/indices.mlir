// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

func.func @insert(%t: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %a = tensor.insert %f into %t[] : tensor<4xf32>
  func.return %a : tensor<4xf32>
}
// CHECK: 'tensor.insert' has 0 indices for a tensor of 1 dimensions

// -----

func.func @extract(%t: tensor<4xf32>, %i: index) -> f32 {
  %a = tensor.extract %t[%i, %i] : tensor<4xf32>
  func.return %a : f32
}
// CHECK: 'tensor.extract' has 2 indices for a tensor of 1 dimensions
