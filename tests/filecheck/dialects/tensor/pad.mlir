// RUN: xdsl-opt %s --split-input-file --verify-diagnostics | filecheck %s

// The result may say more of its sizes than follows from the source and the padding.
// CHECK-LABEL: func.func @static_result(
// CHECK-NEXT:    %p = tensor.pad %t low[1] high[%h] {
func.func @static_result(%t: tensor<?xf32>, %h: index, %x: f32) -> tensor<10xf32> {
  %p = tensor.pad %t low[1] high[%h] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<?xf32> to tensor<10xf32>
  func.return %p : tensor<10xf32>
}

// -----

func.func @wrong_size(%t: tensor<4xf32>, %x: f32) -> tensor<10xf32> {
  %p = tensor.pad %t low[1] high[2] {
  ^bb0(%i: index):
    tensor.yield %x : f32
  } : tensor<4xf32> to tensor<10xf32>
  func.return %p : tensor<10xf32>
}
// CHECK: dimension 0 of the result must be 7, by the sizes of source and padding
