// RUN: xdsl-opt %s -p bufferize | filecheck %s

// A fill that three products start from is computed again for each, in one buffer: each product is
// dead before the next fill. mlir-opt allocates three times and copies twice.
// CHECK-LABEL: func.func @products(
// CHECK: %e = memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
func.func @products(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> (f32, f32, f32) {
  %i = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %u = tensor.extract %m[%i, %i] : tensor<64x64xf32>
  %n = linalg.matmul ins(%b, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %v = tensor.extract %n[%i, %i] : tensor<64x64xf32>
  %o = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %w = tensor.extract %o[%i, %i] : tensor<64x64xf32>
  func.return %u, %v, %w : f32, f32, f32
}

// Between two of them, other memory is needed. Both at once would be a higher peak.
// CHECK-LABEL: func.func @between(
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
// CHECK: memref.dealloc
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<64x32xf32>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<64x64xf32>
// CHECK-NOT: memref.copy
func.func @between(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %c: tensor<64x32xf32>) -> (f32, f32, f32) {
  %i = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %m = linalg.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %u = tensor.extract %m[%i, %i] : tensor<64x64xf32>
  %g = tensor.empty() : tensor<64x32xf32>
  %h = linalg.exp ins(%c : tensor<64x32xf32>) outs(%g : tensor<64x32xf32>) -> tensor<64x32xf32>
  %v = tensor.extract %h[%i, %i] : tensor<64x32xf32>
  %n = linalg.matmul ins(%b, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %w = tensor.extract %n[%i, %i] : tensor<64x64xf32>
  func.return %u, %v, %w : f32, f32, f32
}
