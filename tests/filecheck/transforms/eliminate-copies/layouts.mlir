// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s

// A memref of unknown layout would have to be copied.
// CHECK: func.func @to_buffer(%t: tensor<4xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0)>}, %u: tensor<4xf32>)
func.func @to_buffer(%t: tensor<4xf32>, %u: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %zero = arith.constant 0 : index
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %f = memref.load %b[%zero] : memref<4xf32>
  func.return %u, %f : tensor<4xf32>, f32
}

// So does its caller know the layout.
// CHECK: func.func @caller(%u: tensor<4xf32>, %t: tensor<4xf32> {bufferization.buffer_layout = affine_map<(d0) -> (d0)>})
func.func @caller(%u: tensor<4xf32>, %t: tensor<4xf32>) -> (tensor<4xf32>, f32) {
  %r:2 = func.call @to_buffer(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, f32)
  func.return %r#0, %r#1 : tensor<4xf32>, f32
}

// Any layout will do.
// CHECK: func.func @any(%t: tensor<4xf32>)
func.func @any(%t: tensor<4xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %f = memref.load %b[%zero] : memref<4xf32, strided<[?], offset: ?>>
  func.return %f : f32
}

// The function says what layout the argument has.
// CHECK: func.func @chosen(%t: tensor<4xf32> {bufferization.buffer_layout = strided<[2]>})
func.func @chosen(%t: tensor<4xf32> {bufferization.buffer_layout = strided<[2]>}) -> f32 {
  %zero = arith.constant 0 : index
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %f = memref.load %b[%zero] : memref<4xf32>
  func.return %f : f32
}
