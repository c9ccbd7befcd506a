// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s

func.func @unknown_size(%f: tensor<2x3x3x5xf32>, %o: tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32> {
  %r = "linalg.winograd_filter_transform"(%f, %o) <{fmr = 32 : i32}> : (tensor<2x3x3x5xf32>, tensor<6x6x5x2xf32>) -> tensor<6x6x5x2xf32>
  func.return %r : tensor<6x6x5x2xf32>
}

// CHECK: 'linalg.winograd_filter_transform' expects fmr to be one of 0 (F_2_3), 1 (F_4_3), 2 (F_2_5)

// -----

func.func @unknown_dimension(%t: tensor<2x4xf32>, %o: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %r = linalg.softmax dimension(2) ins(%t : tensor<2x4xf32>) outs(%o : tensor<2x4xf32>) -> tensor<2x4xf32>
  func.return %r : tensor<2x4xf32>
}

// CHECK: 'linalg.softmax' expects one of the input's dimensions, not 2
