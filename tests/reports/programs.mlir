// id: row_written_in_place
// command: bufferize
// expect: check copies=0 allocs=0 output~memref\.store
func.func @f(%t: tensor<4x4xf32> {bufferize.aliasing_result = 0 : i64}, %x: f32, %i: index) -> tensor<4x4xf32> {
  %u = tensor.insert %x into %t[%i, %i] : tensor<4x4xf32>
  func.return %u : tensor<4x4xf32>
}

// -----

// id: old_contents_needed
// command: one-shot-bufferize{bufferize-function-boundaries},buffer-deallocation-pipeline
// expect: accepts check copies=1 allocs<=1 output!~tensor
func.func @f(%t: tensor<4xf32>, %x: f32, %i: index, %j: index) -> f32 {
  %u = tensor.insert %x into %t[%i] : tensor<4xf32>
  %a = tensor.extract %u[%j] : tensor<4xf32>
  %b = tensor.extract %t[%j] : tensor<4xf32>
  %r = arith.addf %a, %b : f32
  func.return %r : f32
}

// -----

// id: unknown_op
// command: bufferize
// flags: --allow-unregistered-dialect
// expect: error~'my\.op' is not bufferizable error!~did you mean
func.func @f() {
  %r = "my.op"() : () -> tensor<4xf32>
  func.return
}
