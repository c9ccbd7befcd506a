// RUN: xdsl-opt %s -p fuse-for-memory --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'fuse-for-memory{max-added-work=0}' --split-input-file | filecheck %s --check-prefix=ONCE
// RUN: xdsl-opt %s -p bufferize --split-input-file | filecheck %s --check-prefix=MEMREF

// The sum computes what it adds: 16 bytes are allocated instead of 4,016.
// CHECK-LABEL: func.func @summed(
// CHECK-NOT:     tensor.empty() : tensor<1000xf32>
// CHECK:         linalg.generic
// CHECK-SAME:      iterator_types = ["reduction"]} ins(%a : tensor<1000xf32>) outs(%z : tensor<f32>)
// CHECK:           math.exp
// CHECK:           arith.addf
// ONCE-LABEL:  func.func @summed(
// ONCE-NOT:      linalg.exp
// MEMREF-LABEL: func.func @summed(
// MEMREF-NOT:    memref.alloc() {{.*}} : memref<1000xf32>
func.func @summed(%a: tensor<1000xf32> {bufferization.writable = false}) -> tensor<f32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1000xf32>
  %p = linalg.exp ins(%a : tensor<1000xf32>) outs(%e : tensor<1000xf32>) -> tensor<1000xf32>
  %i = tensor.empty() : tensor<f32>
  %z = linalg.fill ins(%c : f32) outs(%i : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]} ins(%p : tensor<1000xf32>) outs(%z : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<f32>
  func.return %s : tensor<f32>
}

// -----

// Read before the product, which needs most memory, and after it: computed again, if that may be.
// CHECK-LABEL: func.func @saved(
// CHECK:         %p = linalg.exp
// CHECK:         %m = linalg.matmul
// CHECK:         %r = linalg.generic
// CHECK-SAME:      ins(%a, %m
// CHECK:           math.exp
// ONCE-LABEL:  func.func @saved(
// ONCE:          %r = linalg.mul ins(%p, %m
func.func @saved(%a: tensor<16x16xf32> {bufferization.writable = false}, %b: tensor<16x16xf32> {bufferization.writable = false}) -> tensor<16x16xf32> {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %p = linalg.exp ins(%a : tensor<16x16xf32>) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e1 = tensor.empty() : tensor<16x16xf32>
  %q = linalg.sub ins(%p, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%e1 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e2 = tensor.empty() : tensor<16x16xf32>
  %z = linalg.fill ins(%c : f32) outs(%e2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %n = linalg.matmul ins(%q, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%z : tensor<16x16xf32>) -> tensor<16x16xf32>
  %e4 = tensor.empty() : tensor<16x16xf32>
  %z4 = linalg.fill ins(%c : f32) outs(%e4 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %m = linalg.matmul ins(%n, %b : tensor<16x16xf32>, tensor<16x16xf32>) outs(%z4 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r = linalg.mul ins(%p, %m : tensor<16x16xf32>, tensor<16x16xf32>) outs(%m : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r1 = linalg.log ins(%r : tensor<16x16xf32>) outs(%r : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r2 = linalg.log ins(%r1 : tensor<16x16xf32>) outs(%r1 : tensor<16x16xf32>) -> tensor<16x16xf32>
  %r3 = linalg.log ins(%r2 : tensor<16x16xf32>) outs(%r2 : tensor<16x16xf32>) -> tensor<16x16xf32>
  func.return %r3 : tensor<16x16xf32>
}

// -----

// The same for rows whose number is known at run time only.
// CHECK-LABEL: func.func @run_time_size(
// CHECK:         %p = linalg.exp
// CHECK:         %m = linalg.matmul
// CHECK:         %r = linalg.generic
// CHECK-SAME:      ins(%a, %m
// CHECK:           math.exp
// ONCE-LABEL:  func.func @run_time_size(
// ONCE:          %r = linalg.mul ins(%p, %m
func.func @run_time_size(%a: tensor<?x16xf32> {bufferization.writable = false}, %b: tensor<16x16xf32> {bufferization.writable = false}) -> tensor<?x16xf32> {
  %c = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x16xf32>
  %e = tensor.empty(%d) : tensor<?x16xf32>
  %p = linalg.exp ins(%a : tensor<?x16xf32>) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %e1 = tensor.empty(%d) : tensor<?x16xf32>
  %q = linalg.sub ins(%p, %a : tensor<?x16xf32>, tensor<?x16xf32>) outs(%e1 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %e2 = tensor.empty(%d) : tensor<?x16xf32>
  %z = linalg.fill ins(%c : f32) outs(%e2 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %n = linalg.matmul ins(%q, %b : tensor<?x16xf32>, tensor<16x16xf32>) outs(%z : tensor<?x16xf32>) -> tensor<?x16xf32>
  %e4 = tensor.empty(%d) : tensor<?x16xf32>
  %z4 = linalg.fill ins(%c : f32) outs(%e4 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %m = linalg.matmul ins(%n, %b : tensor<?x16xf32>, tensor<16x16xf32>) outs(%z4 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r = linalg.mul ins(%p, %m : tensor<?x16xf32>, tensor<?x16xf32>) outs(%m : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r1 = linalg.log ins(%r : tensor<?x16xf32>) outs(%r : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r2 = linalg.log ins(%r1 : tensor<?x16xf32>) outs(%r1 : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r3 = linalg.log ins(%r2 : tensor<?x16xf32>) outs(%r2 : tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %r3 : tensor<?x16xf32>
}
