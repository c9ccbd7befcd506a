// canonicalize,one-shot-bufferize{bufferize-function-boundaries=true}
  func.func @f7(%t0: tensor<8xf32>, %t1: tensor<4xf32>, %i: index, %f: f32, %c: i1) -> (tensor<8xf32>, f32) {
    %v26 = memref.alloc() : memref<8xf32>
    bufferization.materialize_in_destination %t0 in restrict writable %v26 : (tensor<8xf32>, memref<8xf32>) -> ()
    %v27 = bufferization.to_tensor %v26 restrict writable : memref<8xf32> to tensor<8xf32>
    %v28 = tensor.insert %f into %v27[%i] : tensor<8xf32>
    %v29 = bufferization.to_buffer %v27 read_only : tensor<8xf32> to memref<8xf32, strided<[?], offset: ?>>
    %v30 = memref.load %v29[%i] : memref<8xf32, strided<[?], offset: ?>>
    func.return %v28, %v30 : tensor<8xf32>, f32
  }
