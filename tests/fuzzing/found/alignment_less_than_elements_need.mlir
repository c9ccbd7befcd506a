// one-shot-bufferize{bufferize-function-boundaries=true buffer-alignment=1},plan-static-memory
func.func @f(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %a = tensor.insert %x into %t[%i] : tensor<8xf32>
  %b = tensor.insert %x into %a[%i] : tensor<8xf32>
  %r = tensor.extract %a[%i] : tensor<8xf32>
  func.return %t, %r : tensor<8xf32>, f32
}
