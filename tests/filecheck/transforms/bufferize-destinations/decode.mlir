// RUN: xdsl-opt %s -p 'bufferize' | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{destinations=false}' | filecheck %s --check-prefix=WITHOUT

// The layer computes its result where the caller needs it.
//
// CHECK-LABEL:   func.func private @layer(%x: memref<1x4xf32{{.*}}>, %w: memref<4x4xf32{{.*}}>, %e: memref<1x4xf32{{.*}}>) {
// CHECK-NOT:       memref.alloc
// CHECK:           func.return
// WITHOUT-LABEL: func.func private @layer
// WITHOUT:         memref.alloc
// WITHOUT:         func.return %{{.*}}
func.func private @layer(%x: tensor<1x4xf32>, %w: tensor<4x4xf32>) -> tensor<1x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x4xf32>) -> tensor<1x4xf32>
  %m = linalg.matmul ins(%x, %w : tensor<1x4xf32>, tensor<4x4xf32>) outs(%f : tensor<1x4xf32>) -> tensor<1x4xf32>
  func.return %m : tensor<1x4xf32>
}

// The first result is allocated once for all iterations; the second is the next iteration's operand,
// from which it is copied to a row of the cache.
//
// CHECK-LABEL:   func.func @decode
// CHECK:           memref.alloc() {alignment = 64 : i64} : memref<1x4xf32>
// CHECK:           scf.for
// CHECK-NOT:         memref.alloc
// CHECK:             func.call @layer
// CHECK-NEXT:        func.call @layer(%{{.*}}, %w, %h)
// CHECK-NEXT:        %[[ROW:.*]] = memref.subview %{{.*}}[%i, 0] [1, 4] [1, 1]
// CHECK-NEXT:        "memref.copy"(%h, %[[ROW]])
// CHECK-NEXT:        scf.yield
// WITHOUT-LABEL: func.func @decode
// WITHOUT:         scf.for
// WITHOUT-COUNT-2:   "memref.copy"
// WITHOUT:           scf.yield
func.func @decode(%x: tensor<1x4xf32>, %w: tensor<4x4xf32> {bufferization.writable = false}, %cache: tensor<8x4xf32> {bufferize.aliasing_result = 0 : i64}, %n: index) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x, %k = %cache) -> (tensor<1x4xf32>, tensor<8x4xf32>) {
    %a = func.call @layer(%h, %w) : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
    %b = func.call @layer(%a, %w) : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
    %k2 = tensor.insert_slice %b into %k[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
    scf.yield %b, %k2 : tensor<1x4xf32>, tensor<8x4xf32>
  }
  func.return %r#1 : tensor<8x4xf32>
}
