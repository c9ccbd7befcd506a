// RUN: xdsl-opt %s -t bufferization-report | filecheck %s
// RUN: xdsl-opt %s -t 'bufferization-report{arena}' | filecheck %s --check-prefix=ARENA

// The layer gets the memory of its result from its callers: its report is on what is left.
//
// CHECK:      @layer, {{.*}}destinations.mlir:12:1
// CHECK-NEXT:   peak: 64 bytes
// CHECK:      @decode
// ARENA:      @layer, {{.*}}destinations.mlir:12:1
// ARENA-NEXT:   peak in %arena: 64 bytes
// ARENA:      @decode
func.func private @layer(%x: tensor<1x16xf32>,
      %w: tensor<16x16xf32> {bufferization.writable = false}) -> tensor<1x16xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<1x16xf32>, tensor<16x16xf32>)
      outs(%f : tensor<1x16xf32>) -> tensor<1x16xf32>
  %t = linalg.exp ins(%m : tensor<1x16xf32>) outs(%e : tensor<1x16xf32>) -> tensor<1x16xf32>
  %n = linalg.matmul ins(%t, %w : tensor<1x16xf32>, tensor<16x16xf32>)
      outs(%f : tensor<1x16xf32>) -> tensor<1x16xf32>
  func.return %n : tensor<1x16xf32>
}

func.func @decode(%x: tensor<1x16xf32> {bufferization.writable = false},
      %w: tensor<16x16xf32> {bufferization.writable = false},
                  %cache: tensor<8x16xf32> {bufferize.aliasing_result = 0 : i64}, %n: index)
      -> tensor<8x16xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x, %k = %cache)
      -> (tensor<1x16xf32>, tensor<8x16xf32>) {
    %a = func.call @layer(%h, %w) : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
    %b = func.call @layer(%a, %w) : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
    %k2 = tensor.insert_slice %b into %k[%i, 0] [1, 16] [1, 1] : tensor<1x16xf32>
      into tensor<8x16xf32>
    scf.yield %b, %k2 : tensor<1x16xf32>, tensor<8x16xf32>
  }
  func.return %r#1 : tensor<8x16xf32>
}
