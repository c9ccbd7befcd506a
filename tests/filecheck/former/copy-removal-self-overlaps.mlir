// RUN: xdsl-opt %s -p copy-removal | filecheck %s

// Where %k is 0, what is computed in place of the copy would not be what is copied.
// CHECK-LABEL: func.func @destination(
// CHECK:         linalg.matmul ins(%a, %a : {{.*}}) outs(%e : memref<2x2xf32>)
// CHECK-NEXT:    "memref.copy"(%e, %v)
func.func @destination(%k: index, %a: memref<2x2xf32>) -> f32 {
  %o = memref.alloc() : memref<4xf32>
  %v = memref.reinterpret_cast %o to offset: [0], sizes: [2, 2], strides: [%k, 1] : memref<4xf32> to memref<2x2xf32, strided<[?, 1]>>
  %e = memref.alloc() : memref<2x2xf32>
  linalg.matmul ins(%a, %a : memref<2x2xf32>, memref<2x2xf32>) outs(%e : memref<2x2xf32>)
  memref.copy %e, %v : memref<2x2xf32> to memref<2x2xf32, strided<[?, 1]>>
  %w = memref.load %o[%k] : memref<4xf32>
  func.return %w : f32
}
