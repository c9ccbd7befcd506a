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

// A layer gets its arena of run-time size from its callers, which compute the size from what they
// give: neither calls nor iterations allocate.
// CHECK-LABEL: func.func private @layer(
// CHECK-SAME:    %[[result:[a-z]+]]: memref<?x16xf32>, %arena: memref<?xi8> {bufferize.arena = 64 : i64}) {
// CHECK-NOT:     memref.alloc
// CHECK:         memref.view %arena[%{{.*}}][%n] : memref<?xi8> to memref<?x16xf32>
// CHECK-NOT:     memref.alloc
func.func private @layer(%x: tensor<?x16xf32> {bufferization.writable = false}, %w: tensor<16x16xf32> {bufferization.writable = false}) -> tensor<?x16xf32> {
  %z = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %m = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  %o = linalg.matmul ins(%m, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %o : tensor<?x16xf32>
}

// CHECK-LABEL: func.func @layers(
// CHECK:         %arena = memref.alloc(%{{.*}}) {alignment = 64 : i64} : memref<?xi8>
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK:         %[[size:.*]] = arith.muli
// CHECK:         %[[part:.*]] = memref.view %arena[%{{.*}}][%[[size]]] : memref<?xi8> to memref<?xi8>
// CHECK:         func.call @layer(%{{.*}}, %[[part]])
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func @layers(%x: tensor<?x16xf32> {bufferization.writable = false}, %w: tensor<16x16xf32> {bufferization.writable = false}, %k: index, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %j = %c0 to %k step %c1 iter_args(%h = %x) -> (tensor<?x16xf32>) {
    %a = func.call @layer(%h, %w) : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
    %b = func.call @layer(%a, %w) : (tensor<?x16xf32>, tensor<16x16xf32>) -> tensor<?x16xf32>
    scf.yield %b : tensor<?x16xf32>
  }
  %s = tensor.extract %r[%i, %c0] : tensor<?x16xf32>
  func.return %s : f32
}
