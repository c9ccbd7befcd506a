// licm,convert-elementwise-to-linalg,bufferize{allow-unknown-ops=false no-analysis-func-filter="f0" drop-results=true fuse=true hoist=true}
builtin.module {
  func.func @f0(%t0: tensor<8xf32>, %t1: tensor<4x4xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4xf32>, tensor<8xf32>, f32) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %e = tensor.empty() : tensor<4xf32>
    %v1 = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %v10 = scf.if %c -> (tensor<8xf32>) {
      %v13 = scf.for %v14i = %c0 to %i step %c1 iter_args(%v14 = %t0) -> (tensor<8xf32>) {
        scf.yield %v14 : tensor<8xf32>
      }
      scf.yield %v13 : tensor<8xf32>
    } else {
      scf.yield %t0 : tensor<8xf32>
    }
    %v23 = linalg.fill ins(%f : f32) outs(%v10 : tensor<8xf32>) -> tensor<8xf32>
    %v25 = "scf.forall"(%v23) <{staticLowerBound = array<i64: 0>, staticUpperBound = array<i64: 8>, staticStep = array<i64: 4>, operandSegmentSizes = array<i32: 0, 0, 0, 1>}> ({
    ^bb0(%v27: index, %v26: tensor<8xf32>):
      "scf.forall.in_parallel"() ({
        "tensor.parallel_insert_slice"(%v1, %v26, %v27) <{static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> : (tensor<4xf32>, tensor<8xf32>, index) -> ()
      }) : () -> ()
    }) : (tensor<8xf32>) -> tensor<8xf32>
    func.return %v1, %v25, %f : tensor<4xf32>, tensor<8xf32>, f32
  }
  func.func @f1(%t0: tensor<8xf32>, %t1: tensor<4xf32>, %t2: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> (tensor<4x4xf32>, f32) {
    %e = tensor.empty() : tensor<4x4xf32>
    %v33 = linalg.fill ins(%f : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
    func.return %v33, %f : tensor<4x4xf32>, f32
  }
}
