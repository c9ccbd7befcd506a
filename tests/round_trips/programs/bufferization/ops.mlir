func.func @f() {
  %0 = bufferization.alloc_tensor() : tensor<2x4xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = bufferization.alloc_tensor(%n) : tensor<?x4xf32>
  return
}
// -----
func.func @f(%s: tensor<2x4xf32>) {
  %0 = bufferization.alloc_tensor() copy(%s) {memory_space = 1 : i64} : tensor<2x4xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>) {
  %0 = bufferization.to_tensor %m : memref<2x4xf32> to tensor<2x4xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>) {
  %0 = bufferization.to_tensor %m restrict writable : memref<2x4xf32> to tensor<2x4xf32>
  return
}
// -----
func.func @f(%s: tensor<2x4xf32>) {
  %0 = bufferization.to_buffer %s read_only : tensor<2x4xf32> to memref<2x4xf32>
  return
}
// -----
func.func @f(%m: memref<2x4xf32>) {
  %0 = bufferization.clone %m : memref<2x4xf32> to memref<2x4xf32>
  return
}
// -----
func.func @f(%s: tensor<2x4xf32>, %m: memref<2x4xf32>) {
  bufferization.materialize_in_destination %s in restrict writable %m : (tensor<2x4xf32>, memref<2x4xf32>) -> ()
  return
}
// -----
func.func @f(%s: tensor<2x4xf32>) {
  %0 = bufferization.materialize_in_destination %s in %s : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return
}
// -----
func.func @f(%s: tensor<2x4xf32>) {
  bufferization.dealloc_tensor %s : tensor<2x4xf32>
  return
}
