// RUN: xdsl-opt %s -p bufferize | filecheck %s

// Reshapes between what is computed and where it is inserted. mlir-opt copies four times with
// --eliminate-empty-tensors --one-shot-bufferize=bufferize-function-boundaries.
// CHECK-NOT: memref.copy

// A pad of what is merged: computed in the middle of the result.
func.func @padded(%a: tensor<2x4x3xf32>) -> tensor<4x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x3xf32>
  %x = linalg.exp ins(%a : tensor<2x4x3xf32>) outs(%e : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %c = tensor.collapse_shape %x [[0], [1, 2]] : tensor<2x4x3xf32> into tensor<2x12xf32>
  %p = tensor.pad %c low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x12xf32> to tensor<4x12xf32>
  func.return %p : tensor<4x12xf32>
}

// Shuffled channels, padded in height and width.
func.func @shuffled(%a: tensor<1x2x3x4x4xf32>) -> tensor<1x6x6x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x3x2x4x4xf32>
  %x = linalg.transpose ins(%a : tensor<1x2x3x4x4xf32>) outs(%e : tensor<1x3x2x4x4xf32>) permutation = [0, 2, 1, 3, 4]
  %c = tensor.collapse_shape %x [[0], [1, 2], [3], [4]] : tensor<1x3x2x4x4xf32> into tensor<1x6x4x4xf32>
  %p = tensor.pad %c low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x6x4x4xf32> to tensor<1x6x6x6xf32>
  func.return %p : tensor<1x6x6x6xf32>
}

func.func @concatenated(%a: tensor<2x4x3xf32>, %b: tensor<1x12xf32>) -> tensor<3x12xf32> {
  %e = tensor.empty() : tensor<2x4x3xf32>
  %x = linalg.exp ins(%a : tensor<2x4x3xf32>) outs(%e : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  %c = tensor.collapse_shape %x [[0], [1, 2]] : tensor<2x4x3xf32> into tensor<2x12xf32>
  %f = tensor.empty() : tensor<1x12xf32>
  %y = linalg.exp ins(%b : tensor<1x12xf32>) outs(%f : tensor<1x12xf32>) -> tensor<1x12xf32>
  %p = tensor.concat dim(0) %c, %y : (tensor<2x12xf32>, tensor<1x12xf32>) -> tensor<3x12xf32>
  func.return %p : tensor<3x12xf32>
}
