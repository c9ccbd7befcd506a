func.func @f() {
  %0 = tensor.empty() : tensor<2x4xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = tensor.empty(%n) {a} : tensor<?x4xf32>
  return
}
// -----
func.func @f(%t: tensor<?x4xf32>, %n: index) {
  %0 = tensor.extract %t[%n, %n] : tensor<?x4xf32>
  return
}
// -----
func.func @f(%t: tensor<?x4xf32>, %n: index, %f: f32) {
  %0 = tensor.insert %f into %t[%n, %n] : tensor<?x4xf32>
  return
}
// -----
func.func @f(%t: tensor<?x4xf32>, %n: index) {
  %0 = tensor.dim %t, %n : tensor<?x4xf32>
  return
}
// -----
func.func @f(%u: tensor<*xf32>) {
  %0 = tensor.rank %u : tensor<*xf32>
  return
}
// -----
func.func @f(%s: tensor<2x4xf32>) {
  %0 = tensor.cast %s : tensor<2x4xf32> to tensor<?x4xf32>
  return
}
// -----
func.func @f(%u: tensor<*xf32>) {
  %0 = tensor.cast %u : tensor<*xf32> to tensor<?x4xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = tensor.from_elements %f, %f : tensor<2xf32>
  return
}
// -----
func.func @f(%f: f32) {
  %0 = tensor.splat %f : tensor<2x4xf32>
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  %0 = tensor.splat %f[%n] : tensor<?x4xf32>
  return
}
// -----
func.func @f(%t: tensor<?x4xf32>, %n: index) {
  %0 = tensor.extract_slice %t[%n, 0] [2, 4] [1, 1] : tensor<?x4xf32> to tensor<2x4xf32>
  return
}
// -----
func.func @f(%t: tensor<?x4xf32>, %n: index) {
  %0 = tensor.extract_slice %t[0, 0] [1, %n] [1, 1] : tensor<?x4xf32> to tensor<?xf32>
  return
}
// -----
func.func @f(%t: tensor<?x4xf32>, %s: tensor<2x4xf32>, %n: index) {
  %0 = tensor.insert_slice %s into %t[%n, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<?x4xf32>
  return
}
// -----
func.func @f(%d: tensor<4xf32>) {
  %0 = tensor.expand_shape %d [[0, 1]] output_shape [2, 2] : tensor<4xf32> into tensor<2x2xf32>
  return
}
// -----
func.func @f(%n: index, %e: tensor<?xf32>) {
  %0 = tensor.expand_shape %e [[0, 1]] output_shape [%n, 2] : tensor<?xf32> into tensor<?x2xf32>
  return
}
// -----
func.func @f(%s: tensor<2x4xf32>) {
  %0 = tensor.collapse_shape %s [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  return
}
// -----
func.func @f(%one: tensor<1x1xf32>) {
  %0 = tensor.collapse_shape %one [] : tensor<1x1xf32> into tensor<f32>
  return
}
// -----
func.func @f(%s: tensor<2x4xf32>, %sh: tensor<2xindex>) {
  %0 = tensor.reshape %s(%sh) : (tensor<2x4xf32>, tensor<2xindex>) -> tensor<4x2xf32>
  return
}
// -----
func.func @f(%n: index, %f: f32) {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<?x4xf32>
  return
}
// -----
func.func @f(%s: tensor<2x4xf32>, %n: index, %f: f32) {
  %0 = tensor.pad %s low[1, %n] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<2x4xf32> to tensor<3x?xf32>
  return
}
// -----
func.func @f(%s: tensor<2x4xf32>, %f: f32) {
  %0 = tensor.pad %s nofold low[1, 1] high[0, 2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %f : f32
  } : tensor<2x4xf32> to tensor<3x7xf32>
  return
}
// -----
func.func @t(%t: tensor<4x8xf32>, %i: tensor<1x2x2xindex>, %s: tensor<1x2xf32>, %u: tensor<?x8xf32>) {
  %0 = tensor.bitcast %t {a = 1} : tensor<4x8xf32> to tensor<4x8xi32>
  return
}
// -----
func.func @t(%t: tensor<4x8xf32>, %i: tensor<1x2x2xindex>, %s: tensor<1x2xf32>, %u: tensor<?x8xf32>) {
  %0 = tensor.concat dim(0) %t, %u {a = 1} : (tensor<4x8xf32>, tensor<?x8xf32>) -> tensor<?x8xf32>
  return
}
// -----
func.func @t(%t: tensor<4x8xf32>, %i: tensor<1x2x2xindex>, %s: tensor<1x2xf32>, %u: tensor<?x8xf32>) {
  %0 = tensor.gather %t[%i] gather_dims([0, 1]) {a = 1} : (tensor<4x8xf32>, tensor<1x2x2xindex>) -> tensor<1x2x1x1xf32>
  return
}
// -----
func.func @t(%t: tensor<4x8xf32>, %i: tensor<1x2x2xindex>, %s: tensor<1x2xf32>, %u: tensor<?x8xf32>) {
  %0 = tensor.gather %t[%i] gather_dims([0, 1]) unique : (tensor<4x8xf32>, tensor<1x2x2xindex>) -> tensor<1x2xf32>
  return
}
// -----
func.func @t(%t: tensor<4x8xf32>, %i: tensor<1x2x2xindex>, %s: tensor<1x2xf32>, %u: tensor<?x8xf32>) {
  %0 = tensor.scatter %s into %t[%i] scatter_dims([0, 1]) unique {a = 1} : (tensor<1x2xf32>, tensor<4x8xf32>, tensor<1x2x2xindex>) -> tensor<4x8xf32>
  return
}
