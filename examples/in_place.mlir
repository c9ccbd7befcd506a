// Writes one element. The tensor is not read as it was before: the buffer is written.
func.func @set(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  func.return %set : tensor<8xf32>
}

// Also returns the element that was there, read after the write: a copy is written.
func.func @exchange(%t: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8xf32>, f32) {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  func.return %set, %old : tensor<8xf32>, f32
}
