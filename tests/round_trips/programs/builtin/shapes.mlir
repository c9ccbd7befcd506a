func.func private @f(tensor<2 x f32>, tensor<2 x 3 xf32>, tensor<? x ? x f32>, tensor<*x f32>)
// -----
func.func private @f(memref<2 x 3xf32>, memref<? x ?x f32, strided<[?, 1]>, 1>, memref<* x f32>)
// -----
func.func private @f(vector<4 x f32>, vector<2 x [4] x f32>, vector<4x4 x i32>)
// -----
!element = vector<2 x f32>
func.func private @f(memref<4 x !element>, tensor< 4x!element >, tensor<0x2 x
  vector<2xf32>>)
// -----
"test.op"() {a = dense<[[1.0, 2.0]]> : tensor<1 x 2 x f32>} : () -> ()
