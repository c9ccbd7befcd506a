// RUN: xdsl-opt %s -p one-shot-bufferize --verify-diagnostics --split-input-file | filecheck %s

// CHECK: 'tensor.extract_slice' has 2 offsets for a tensor of rank 3
func.func @extracted(%t: tensor<6x7x9xf32>, %n: index) -> tensor<2x4xf32> {
  %r = tensor.extract_slice %t[%n, 0] [2, 4] [1, 1] : tensor<6x7x9xf32> to tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// -----

// CHECK: 'tensor.insert_slice' has 1 offsets for a tensor of rank 2
func.func @inserted(%s: tensor<4xf32>, %t: tensor<6x7xf32>) -> tensor<6x7xf32> {
  %r = tensor.insert_slice %s into %t[0] [4] [1] : tensor<4xf32> into tensor<6x7xf32>
  func.return %r : tensor<6x7xf32>
}

// -----

// CHECK: 'tensor.empty' has 0 sizes for a result of type tensor<?xf32>
func.func @no_size() -> tensor<?xf32> {
  %r = tensor.empty() : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// -----

// CHECK: 'tensor.empty' has 1 sizes for a result of type tensor<4xf32>
func.func @size_of_static(%n: index) -> tensor<4xf32> {
  %r = tensor.empty(%n) : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// -----

// CHECK: 'tensor.from_elements' has 2 elements for a result of type tensor<3xf32>
func.func @elements(%f: f32) -> tensor<3xf32> {
  %r = "tensor.from_elements"(%f, %f) : (f32, f32) -> tensor<3xf32>
  func.return %r : tensor<3xf32>
}

// -----

// CHECK: 'tensor.extract_slice' has sizes other than those of the slice, which is a tensor<4xf32>
func.func @size(%t: tensor<9xf32>) -> tensor<4xf32> {
  %r = tensor.extract_slice %t[1] [16] [2] : tensor<9xf32> to tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// -----

// CHECK: 'tensor.insert_slice' has sizes other than those of the slice, which is a tensor<4xf32>
func.func @dynamic_size(%s: tensor<4xf32>, %t: tensor<9xf32>, %n: index) -> tensor<9xf32> {
  %r = tensor.insert_slice %s into %t[1] [%n] [2] : tensor<4xf32> into tensor<9xf32>
  func.return %r : tensor<9xf32>
}

// -----

// CHECK: 'tensor.extract_slice' has sizes other than those of the slice, which is a tensor<1x1x4xf32>
func.func @more_dimensions(%t: tensor<1x9xf32>) -> tensor<1x1x4xf32> {
  %r = tensor.extract_slice %t[0, 1] [1, 4] [1, 2] : tensor<1x9xf32> to tensor<1x1x4xf32>
  func.return %r : tensor<1x1x4xf32>
}

// -----

// CHECK-LABEL: func.func @fewer_dimensions
func.func @fewer_dimensions(%t: tensor<1x9x1xf32>, %i: index) -> f32 {
  %r = tensor.extract_slice %t[0, 1, 0] [1, 4, 1] [1, 2, 1] : tensor<1x9x1xf32> to tensor<4xf32>
  %x = tensor.extract %r[%i] : tensor<4xf32>
  func.return %x : f32
}

// -----

// CHECK: 'tensor.extract_slice' has sizes other than those of the slice, which is a tensor<4x1xf32>
func.func @one_dimension_more(%t: tensor<9xf32>) -> tensor<4x1xf32> {
  %r = tensor.extract_slice %t[1] [4] [2] : tensor<9xf32> to tensor<4x1xf32>
  func.return %r : tensor<4x1xf32>
}
