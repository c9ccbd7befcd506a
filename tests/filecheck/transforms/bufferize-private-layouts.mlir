// RUN: xdsl-opt %s -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Slices of stacked weights are not copied for a private function: it takes any layout of an
// argument for which some caller has a slice.
//
// CHECK: func.func private @layer(%x: memref<4xf32>, %w: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32>
func.func private @layer(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.mul ins(%x, %w : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %y : tensor<4xf32>
}

// So does a function that passes its own argument on.
//
// CHECK: func.func private @twice(%x: memref<4xf32>, %w: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32>
func.func private @twice(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %y = func.call @layer(%x, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %z = func.call @layer(%y, %w) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %z : tensor<4xf32>
}

// Callers outside of the module pass the identity layout, as the option says.
//
// CHECK: func.func @net(%x: memref<4xf32>, %w: memref<2x4xf32>) -> memref<4xf32>
// CHECK-NOT: memref.copy
// CHECK: func.return
func.func @net(%x: tensor<4xf32>, %w: tensor<2x4xf32>) -> tensor<4xf32> {
  %w0 = tensor.extract_slice %w[0, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
  %w1 = tensor.extract_slice %w[1, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
  %a = func.call @layer(%x, %w0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %b = func.call @twice(%a, %w1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %b : tensor<4xf32>
}

// A function that others may call, by its name, keeps its layout: the slice is copied.
//
// CHECK: func.func private @named(%w: memref<4xf32>) -> f32
func.func private @named(%w: tensor<4xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %f = tensor.extract %w[%zero] : tensor<4xf32>
  func.return %f : f32
}

// CHECK: func.func @calls_named
// CHECK:   memref.copy
func.func @calls_named(%w: tensor<2x4xf32>) -> f32 {
  %w1 = tensor.extract_slice %w[1, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
  %a = func.call @named(%w1) : (tensor<4xf32>) -> f32
  func.return %a : f32
}
"test.op"() {callback = @named} : () -> ()
