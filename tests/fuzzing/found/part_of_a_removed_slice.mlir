// cse,bufferize{analysis-heuristic=fuzzer private-function-dynamic-ownership=false drop-results=false fuse=false}
builtin.module {
  func.func private @external(tensor<8xf32> {bufferization.access = "none"}, tensor<4xf32>, index, f32, i1) -> (tensor<4xf32>, f32)
  func.func @f1(%t0: tensor<8xf32>, %t1: tensor<8xf32>, %t2: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4xf32>, tensor<8xf32>, f32) {
    %v8 = tensor.extract_slice %t2[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
    %v9 = linalg.fill ins(%f : f32) outs(%v8 : tensor<4xf32>) -> tensor<4xf32>
    %v10, %v10_1 = func.call @external(%t2, %v9, %i, %f, %c) : (tensor<8xf32>, tensor<4xf32>, index, f32, i1) -> (tensor<4xf32>, f32)
    %v14 = tensor.concat dim(0) %v10, %v10 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    func.return %v10, %v14, %v10_1 : tensor<4xf32>, tensor<8xf32>, f32
  }
  func.func @f2(%t0: tensor<8xf32>, %t1: tensor<4xf32>, %t2: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4xf32>, f32) {
    func.return %t1, %f : tensor<4xf32>, f32
  }
  func.func @f3(%t0: tensor<8xf32>, %t1: tensor<4xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4xf32>, f32) {
    func.return %t1, %f : tensor<4xf32>, f32
  }
}
