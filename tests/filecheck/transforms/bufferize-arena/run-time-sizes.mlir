// RUN: xdsl-opt %s -p 'bufferize{arena function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Buffers of a static size and of a size that is known at run time are in one arena.
// CHECK-LABEL: func.func @net(
// CHECK:         %arena = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.view %arena[%{{.*}}][] : memref<?xi8> to memref<64xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         memref.view %arena[%{{.*}}][%n] : memref<?xi8> to memref<?x16xf32>
// CHECK:         %[[result:.*]] = memref.alloc(%n)
// CHECK:         memref.dealloc %arena
// CHECK-NEXT:    func.return %[[result]]
func.func @net(%x: tensor<?x16xf32>, %w: tensor<16x16xf32>, %v: tensor<64xf32> {bufferization.writable = false}, %i: index) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %s = tensor.empty() : tensor<64xf32>
  %e = linalg.exp ins(%v : tensor<64xf32>) outs(%s : tensor<64xf32>) -> tensor<64xf32>
  %f = tensor.extract %e[%i] : tensor<64xf32>
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %empty = tensor.empty(%n) : tensor<?x16xf32>
  %start = linalg.fill ins(%f : f32) outs(%empty : tensor<?x16xf32>) -> tensor<?x16xf32>
  %a = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%start : tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = linalg.matmul ins(%a, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%start : tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %b : tensor<?x16xf32>
}
