// linalg-fuse-elementwise-ops,canonicalize
builtin.module {
  func.func @f1(%t0: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4xf32>, tensor<4xf32>, f32) {
    %v17 = tensor.empty() : tensor<4xf32>
    %v21 = scf.if %c -> (tensor<4xf32>) {
      scf.yield %v17 : tensor<4xf32>
    } else {
      %v23 = scf.for %v25 = %i to %i step %i iter_args(%v24 = %t0) -> (tensor<8xf32>) {
        %v27 = tensor.extract_slice %v24[%v25] [2] [1] : tensor<8xf32> to tensor<2xf32>
        %v30 = linalg.add ins(%v27, %v27 : tensor<2xf32>, tensor<2xf32>) outs(%v27 : tensor<2xf32>) -> tensor<2xf32>
        scf.yield %v24 : tensor<8xf32>
      }
      scf.yield %v17 : tensor<4xf32>
    }
    %v36 = linalg.fill ins(%f : f32) outs(%v21 : tensor<4xf32>) -> tensor<4xf32>
    %v37 = linalg.add ins(%v36, %v36 : tensor<4xf32>, tensor<4xf32>) outs(%v17 : tensor<4xf32>) -> tensor<4xf32>
    func.return %v17, %v37, %f : tensor<4xf32>, tensor<4xf32>, f32
  }
  func.func @f2(%t0: tensor<8xf32>, %t1: tensor<4xf32>, %t2: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> (tensor<8xf32>, tensor<8xf32>, f32) {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    func.return %t2, %t2, %f : tensor<8xf32>, tensor<8xf32>, f32
  ^bb2:
    func.return %t2, %t2, %f : tensor<8xf32>, tensor<8xf32>, f32
  }
}
