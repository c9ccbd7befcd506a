// eliminate-empty-tensors,tensor-copy-insertion{bufferize-function-boundaries=true},tensor-copy-insertion{bufferize-function-boundaries=true},tensor-bufferize,linalg-bufferize,tensor-constant-bufferize,func-bufferize,arith-bufferize,bufferization-bufferize,scf-bufferize,finalizing-bufferize,buffer-loop-hoisting,copy-removal
builtin.module {
  func.func @f0(%t0: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4x4xf32>, f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %c8 = arith.constant 8 : index
    %v1 = tensor.empty() : tensor<4xf32>
    %v2 = linalg.fill ins(%f : f32) outs(%v1 : tensor<4xf32>) -> tensor<4xf32>
    %v3 = tensor.empty() : tensor<4x4xf32>
    %v4 = linalg.fill ins(%f : f32) outs(%v3 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %v5, %v5_1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t0 : tensor<8xf32>) outs(%t0, %t0 : tensor<8xf32>, tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %o: f32):
      %s = arith.addf %a, %b : f32
      linalg.yield %s, %a : f32, f32
    } -> (tensor<8xf32>, tensor<8xf32>)
    %v6 = linalg.add ins(%v5_1, %v5 : tensor<8xf32>, tensor<8xf32>) outs(%v5_1 : tensor<8xf32>) -> tensor<8xf32>
    %v7 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v6 : tensor<8xf32>) {
    ^bb0(%a_1: f32):
      %d = linalg.index 0 : index
      %b_1 = tensor.extract %v6[%d] : tensor<8xf32>
      %s_1 = arith.addf %a_1, %b_1 : f32
      linalg.yield %s_1 : f32
    } -> tensor<8xf32>
    %v8 = tensor.insert_slice %v2 into %v7[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %v9 = linalg.fill ins(%f : f32) outs(%v2 : tensor<4xf32>) -> tensor<4xf32>
    %v10 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%v9 : tensor<4xf32>) {
    ^bb0(%a_2: f32):
      %d_1 = linalg.index 0 : index
      %b_2 = tensor.extract %v7[%d_1] : tensor<8xf32>
      %s_2 = arith.addf %a_2, %b_2 : f32
      linalg.yield %s_2 : f32
    } -> tensor<4xf32>
    %v11 = tensor.concat dim(0) %v10, %v2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    %v12 = linalg.fill ins(%f : f32) outs(%v10 : tensor<4xf32>) -> tensor<4xf32>
    %v13 = tensor.insert_slice %v9 into %v11[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %v14 = linalg.fill ins(%f : f32) outs(%v13 : tensor<8xf32>) -> tensor<8xf32>
    func.return %v4, %f : tensor<4x4xf32>, f32
  }
}
