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

// Sizes that are known at run time only are compared: these two are one number, computed twice.
// CHECK-LABEL: func.func @of_one_size(
// CHECK: memref.alloc(
// CHECK-NOT: memref.alloc
// CHECK: func.return
func.func @of_one_size(%x: tensor<?x64xf32>, %a: tensor<64x64xf32>) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %d = tensor.empty(%n) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x64xf32>) -> tensor<?x64xf32>
  %m = linalg.matmul ins(%x, %a : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %u = tensor.extract %m[%c0, %c0] : tensor<?x64xf32>
  %p = tensor.dim %x, %c0 : tensor<?x64xf32>
  %e = tensor.empty(%p) : tensor<?x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = linalg.matmul ins(%x, %a : tensor<?x64xf32>, tensor<64x64xf32>) outs(%g : tensor<?x64xf32>) -> tensor<?x64xf32>
  %v = tensor.extract %o[%c0, %c0] : tensor<?x64xf32>
  %q = linalg.matmul ins(%x, %a : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %w = tensor.extract %q[%c0, %c0] : tensor<?x64xf32>
  func.return %u, %v, %w : f32, f32, f32
}

// Two arguments may have two sizes: neither product fits in the memory of the other.
// CHECK-LABEL: func.func @of_two_sizes(
// CHECK: memref.alloc(
// CHECK: memref.alloc(
// CHECK: memref.alloc(
// CHECK: func.return
func.func @of_two_sizes(%x: tensor<?x64xf32>, %y: tensor<?x64xf32>, %a: tensor<64x64xf32>) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %p = tensor.dim %y, %c0 : tensor<?x64xf32>
  %d = tensor.empty(%n) : tensor<?x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%d : tensor<?x64xf32>) -> tensor<?x64xf32>
  %m = linalg.matmul ins(%x, %a : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %u = tensor.extract %m[%c0, %c0] : tensor<?x64xf32>
  %e = tensor.empty(%p) : tensor<?x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%e : tensor<?x64xf32>) -> tensor<?x64xf32>
  %o = linalg.matmul ins(%y, %a : tensor<?x64xf32>, tensor<64x64xf32>) outs(%g : tensor<?x64xf32>) -> tensor<?x64xf32>
  %v = tensor.extract %o[%c0, %c0] : tensor<?x64xf32>
  %q = linalg.matmul ins(%x, %a : tensor<?x64xf32>, tensor<64x64xf32>) outs(%f : tensor<?x64xf32>) -> tensor<?x64xf32>
  %w = tensor.extract %q[%c0, %c0] : tensor<?x64xf32>
  func.return %u, %v, %w : f32, f32, f32
}
