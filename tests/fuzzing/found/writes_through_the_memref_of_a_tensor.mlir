// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: difference
// mlir-opt-freed: difference
func.func @f(%t: tensor<4xf32>, %i: index, %x: f32, %y: f32) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %u = linalg.fill ins(%x : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  memref.store %y, %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  %r = tensor.extract %u[%i] : tensor<4xf32>
  func.return %r : f32
}
