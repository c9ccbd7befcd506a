// RUN: xdsl-opt %s -t 'bufferization-report{format=remarks}' | filecheck %s
// RUN: xdsl-opt %s -t bufferization-report | filecheck %s --check-prefix=TEXT

// A pass makes a linalg.generic of the two moves: it has the name that the author wrote.

// CHECK: remark: moved, 128 bytes: linalg.transpose to %r: func.return (line [[#]]) returns it
func.func @chain(%b: tensor<8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %c = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %f = tensor.empty() : tensor<8x4xf32>
  %r = linalg.transpose ins(%c : tensor<4x8xf32>) outs(%f : tensor<8x4xf32>) permutation = [1, 0]
  func.return %r : tensor<8x4xf32>
}

// The fill is computed twice, which is the reason for the second buffer.

// CHECK: remark: allocated, 64 bytes: %z, for linalg.fill{{$}}
// CHECK: remark: allocated, 64 bytes: %z (%z_1), for linalg.fill: it is computed again instead of copied{{$}}
// TEXT:         @fills
// TEXT:         linalg.fill (line [[#]]); it is computed again instead of
func.func @fills(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %w: tensor<4x4xf32>, %f: f32) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %z = linalg.fill ins(%f : f32) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.matmul ins(%y, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %a, %b : tensor<4x4xf32>, tensor<4x4xf32>
}

// A copy that is eliminated has the edits of its tensor: those of the fill have nothing to do with %u.

// TEXT:         @edits
// TEXT:         eliminated copy of
// TEXT:         %u                     16  func.return (line [[#]])  an op runs after those that read what it
// TEXT-NEXT:                                                      overwrites
func.func @edits(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>, %f: f32, %d: tensor<4xf32> {bufferize.aliasing_result = 2}, %i: index) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, f32) {
  %e = tensor.empty() : tensor<4x4xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %a = linalg.matmul ins(%x, %y : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %b = linalg.matmul ins(%y, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  %u = tensor.insert %f into %d[%i] : tensor<4xf32>
  %v = tensor.extract %d[%i] : tensor<4xf32>
  func.return %a, %b, %u, %v : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4xf32>, f32
}
