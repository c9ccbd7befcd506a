// RUN: xdsl-opt -t bufferization-report %s | filecheck %s --match-full-lines

// The copy of %x is not needed, since eliminate-copies computes it in its place.
// CHECK:       @f, {{.*}}eliminated.mlir:{{[0-9]+}}:1
// CHECK-NEXT:    peak: 64 bytes at tensor.concat (line {{[0-9]+}}): %c
// CHECK-NEXT:    tensor operands: 8 in place, 0 out of place
// CHECK-NEXT:    buffers: 1, 64 bytes
// CHECK-NEXT:    copies: 1, 32 bytes, at least 32 of them forced
// CHECK-NEXT:    copies eliminated: 1, 32 bytes
// CHECK:       copy of %a (line {{[0-9]+}}), 32 bytes: tensor.concat puts it into another buffer [B011]
// CHECK-NEXT:  {{ *[0-9]+}} |   %c = tensor.concat dim(0) %a, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
// CHECK-NEXT:      |                             ^^ copied for this
// CHECK-NEXT:    forced: tensor.concat needs room around its operand, and the caller's memory has none.
// CHECK:         buffer  type            bytes  made for
// CHECK-NEXT:    %c      memref<16xf32>     64  tensor.concat (line {{[0-9]+}})
// CHECK:         eliminated copy of  bytes  for                     since
// CHECK-NEXT:    %x                     32  tensor.concat (line {{[0-9]+}})  it can be computed where tensor.concat puts it
func.func @f(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %x = linalg.exp ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = tensor.concat dim(0) %a, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  func.return %c : tensor<16xf32>
}
