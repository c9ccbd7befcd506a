// one-shot-bufferize{bufferize-function-boundaries=true},buffer-deallocation,convert-bufferization-to-memref
  func.func @f1(%t0: tensor<8xf32>, %t1: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4xf32>, f32) {
    %v24 = tensor.empty() : tensor<4xf32>
    %v26 = scf.if %c -> (tensor<8xf32>) {
      %v28 = vector.transfer_read %t1[%i], %f {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
      scf.yield %t1 : tensor<8xf32>
    } else {
      %v32 = tensor.insert %f into %t1[%i] : tensor<8xf32>
      scf.yield %v32 : tensor<8xf32>
    }
    %v44 = tensor.extract_slice %t0[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    func.return %v44, %f : tensor<4xf32>, f32
  }
  func.func @f2(%t0: tensor<8xf32>, %t1: tensor<8xf32>, %t2: tensor<4xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4xf32>, f32) {
    %v47, %v47_1 = func.call @f1(%t0, %t0, %i, %f, %c) : (tensor<8xf32>, tensor<8xf32>, index, f32, i1) -> (tensor<4xf32>, f32)
    %v48 = linalg.fill ins(%f : f32) outs(%t0 : tensor<8xf32>) -> tensor<8xf32>
    func.return %v47, %v47_1 : tensor<4xf32>, f32
  }
