// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

// CHECK: 'tensor.extract_slice' has a slice of i32 and a tensor of f32
func.func @extract_slice(%t: tensor<8xf32>) -> tensor<4xi32> {
  %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xi32>
  func.return %s : tensor<4xi32>
}

// -----

// CHECK: 'tensor.insert_slice' has a slice of i32 and a tensor of f32
func.func @insert_slice(%t: tensor<8xf32>, %s: tensor<4xi32>) -> tensor<8xf32> {
  %r = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4xi32> into tensor<8xf32>
  func.return %r : tensor<8xf32>
}
