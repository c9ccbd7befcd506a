ml_program.global private @g(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
// -----
ml_program.global private mutable @g(dense<0xFF800000> : tensor<4xf32>) : tensor<4xf32>
