// RUN: xdsl-opt -t bufferization-report %s | filecheck %s --match-full-lines

// Layers are named by their locations, lines in generic form have types in place of attributes and regions,
// and copies that differ in names of layers only are shown once, before the buffers.
// CHECK:      @layers, {{.*}}layers.mlir:[[#]]:2
// CHECK-NEXT:   peak: 448 bytes at linalg.fill /model/fill (line [[#]])
// CHECK:     {{ *}}%p{{.*}}tensor.pad /model/conv1/Pad (line [[#]]){{.*}}
// CHECK:          [[#]] |   %f = "linalg.fill"(%zero, %e) : (f32, tensor<8x8xf32>) -> tensor<8x8xf32>
// CHECK-NEXT:        |         ^^^^^^^^^^^ the peak (/model/fill)
// CHECK:        copies: 2, 64 bytes, at least 64 of them forced
// CHECK-EMPTY:
// CHECK-NEXT: copy of %x at /model/conv1/Pad (line [[#]]), 32 bytes: tensor.pad puts it into another buffer [B011]
// CHECK-NEXT:   [[#]] |   %p = "tensor.pad"(%x) : (tensor<1x8xf32>) -> tensor<3x8xf32>
// CHECK-NEXT:      |                     ^^ copied for this (/model/conv1/Pad)
// CHECK-NEXT:   forced: tensor.pad needs room around its operand, and the caller's memory has none.
// CHECK-NEXT:   1 more like this one: %y /model/conv2/Pad (line [[#]])
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type             bytes  made for                               output
// CHECK:      @focus, {{.*}}layers.mlir:[[#]]:1
// CHECK:      copy of %a (line [[#]]), 64 bytes: tensor.concat puts it into another buffer [B011]
// CHECK:        forced: tensor.concat puts something beside it, in memory that must not be written.
// CHECK-NEXT:   1 more like this one: %b (line [[#]])
// CHECK:      @folded, {{.*}}layers.mlir:[[#]]:1
// CHECK:        copies eliminated: 3, 96 bytes
// CHECK:        buffer  type            bytes  made for
// CHECK-NEXT:   %c      memref<24xf32>     96  tensor.concat (line [[#]])
// CHECK-EMPTY:
// CHECK-NEXT:   eliminated copy of  bytes  for                      since
// CHECK-NEXT:   %p and 2 more          96  tensor.concat (line [[#]])  it can be computed where tensor.concat puts it
"func.func"() <{function_type = (tensor<1x8xf32>, tensor<1x8xf32>, tensor<4xf32>) -> (tensor<3x8xf32>, tensor<3x8xf32>, tensor<8x8xf32>), sym_name = "layers"}> ({
^bb0(%x: tensor<1x8xf32>, %y: tensor<1x8xf32>, %b: tensor<4xf32>):
  %zero = "arith.constant"() <{value = 0.0 : f32}> : () -> f32
  %p = "tensor.pad"(%x) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_low = array<i64: 1, 0>, static_high = array<i64: 1, 0>}> ({
  ^bb0(%i: index, %j: index):
    "tensor.yield"(%zero) : (f32) -> ()
  }) : (tensor<1x8xf32>) -> tensor<3x8xf32> loc("/model/conv1/Pad")
  %q = "tensor.pad"(%y) <{operandSegmentSizes = array<i32: 1, 0, 0>, static_low = array<i64: 1, 0>, static_high = array<i64: 1, 0>}> ({
  ^bb0(%i: index, %j: index):
    "tensor.yield"(%zero) : (f32) -> ()
  }) : (tensor<1x8xf32>) -> tensor<3x8xf32> loc("/model/conv2/Pad")
  %e = "tensor.empty"() : () -> tensor<8x8xf32>
  %f = "linalg.fill"(%zero, %e) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%c: f32, %d: f32):
    "linalg.yield"(%c) : (f32) -> ()
  }) : (f32, tensor<8x8xf32>) -> tensor<8x8xf32> loc("/model/fill")
  "func.return"(%p, %q, %f) : (tensor<3x8xf32>, tensor<3x8xf32>, tensor<8x8xf32>) -> ()
}) : () -> ()
func.func @focus(%x: tensor<4x8xf32> {bufferization.writable = false}) -> tensor<4x8xf32> {
  %a = tensor.extract_slice %x[0, 0] [2, 8] [2, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %b = tensor.extract_slice %x[1, 0] [2, 8] [2, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %c = tensor.concat dim(0) %a, %b : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  func.return %c : tensor<4x8xf32>
}
func.func @folded(%x: tensor<8xf32>) -> tensor<24xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %q = linalg.log ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.abs ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = tensor.concat dim(0) %p, %q, %r : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<24xf32>
  func.return %c : tensor<24xf32>
}
