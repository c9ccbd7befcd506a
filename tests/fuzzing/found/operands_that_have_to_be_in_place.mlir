// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: equal
// mlir-opt-freed: equal
func.func @f(%t: tensor<4xf32>, %i: index, %x: f32) -> (tensor<4xf32>, f32) {
  %m = memref.alloc() : memref<4xf32>
  %u = tensor.insert %x into %t[%i] : tensor<4xf32>
  bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %v = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %w = bufferization.materialize_in_destination %u in %v : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.extract %t[%i] : tensor<4xf32>
  func.return %w, %r : tensor<4xf32>, f32
}
