// RUN: not xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --split-input-file 2>&1 | filecheck %s

// CHECK: error: 'func.func' has the layout affine_map<(d0) -> (d0)> for argument #0 of type tensor<4x8xf32>
// CHECK: hint: give a ranked tensor an affine map, or strides, of its rank
func.func @rank(%t: tensor<4x8xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0)>}) {
  func.return
}
