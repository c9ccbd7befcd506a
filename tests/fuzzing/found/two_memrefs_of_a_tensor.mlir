// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: equal
// mlir-opt --cse --one-shot-bufferize="bufferize-function-boundaries": difference
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index, %j: index) -> (f32, f32, tensor<4xf32>) {
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %r = memref.load %m[%i] : memref<4xf32, strided<[?], offset: ?>>
  %w = tensor.insert %x into %t[%j] : tensor<4xf32>
  %n = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %s = memref.load %n[%j] : memref<4xf32, strided<[?], offset: ?>>
  func.return %r, %s, %w : f32, f32, tensor<4xf32>
}
