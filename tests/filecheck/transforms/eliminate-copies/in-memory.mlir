// RUN: xdsl-opt %s -p bufferize | filecheck %s

// A sum is computed in the product's memory, and so both in the caller's. mlir-opt allocates once.
// CHECK-LABEL: func.func @matmul_bias(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
func.func @matmul_bias(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %bias: tensor<8xf32>, %out: memref<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%m, %bias : tensor<8x8xf32>, tensor<8xf32>) outs(%g : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func @matmul_bias_memrefs(
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
func.func @matmul_bias_memrefs(%ma: memref<8x8xf32>, %mb: memref<8x8xf32>, %mbias: memref<8xf32>, %out: memref<8x8xf32>) {
  %a = bufferization.to_tensor %ma restrict : memref<8x8xf32> to tensor<8x8xf32>
  %b = bufferization.to_tensor %mb restrict : memref<8x8xf32> to tensor<8x8xf32>
  %bias = bufferization.to_tensor %mbias restrict : memref<8xf32> to tensor<8xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
    ins(%m, %bias : tensor<8x8xf32>, tensor<8xf32>) outs(%g : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8x8xf32>, memref<8x8xf32>) -> ()
  func.return
}

// Each tile is accumulated in its part of the output; mlir-opt allocates one more for each.
// CHECK-LABEL: func.func @forall(
// CHECK: %e = memref.alloc() {alignment = 64 : i64} : memref<8x8xf32>
// CHECK-NOT: memref.alloc
// CHECK-NOT: memref.copy
func.func @forall(%a: tensor<8x64xf32>, %b: tensor<64x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %r = scf.forall (%i) = (0) to (8) step (4) shared_outs(%o = %e) -> (tensor<8x8xf32>) {
    %t = tensor.empty() : tensor<4x8xf32>
    %f = linalg.fill ins(%zero : f32) outs(%t : tensor<4x8xf32>) -> tensor<4x8xf32>
    %k = scf.for %j = %c0 to %c64 step %c8 iter_args(%acc = %f) -> (tensor<4x8xf32>) {
      %x = tensor.extract_slice %a[%i, %j] [4, 8] [1, 1] : tensor<8x64xf32> to tensor<4x8xf32>
      %y = tensor.extract_slice %b[%j, 0] [8, 8] [1, 1] : tensor<64x8xf32> to tensor<8x8xf32>
      %m = linalg.matmul ins(%x, %y : tensor<4x8xf32>, tensor<8x8xf32>) outs(%acc : tensor<4x8xf32>) -> tensor<4x8xf32>
      scf.yield %m : tensor<4x8xf32>
    }
    %g = tensor.empty() : tensor<4x8xf32>
    %h = linalg.exp ins(%k : tensor<4x8xf32>) outs(%g : tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %h into %o[%i, 0] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<8x8xf32>
    }
  }
  func.return %r : tensor<8x8xf32>
}

// So does what is inserted into an argument, which is written in any case.
// CHECK-LABEL: func.func @into_argument(
// CHECK: [[S:%.*]] = memref.subview %d[8, 0] [8, 8] [1, 1]
// CHECK-NEXT: linalg.fill ins(%zero : f32) outs([[S]]
// CHECK-NEXT: linalg.matmul ins(%a, %b : {{.*}}) outs([[S]]
// CHECK-NEXT: linalg.exp ins([[S]] : {{.*}}) outs([[S]]
func.func @into_argument(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %d: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %m = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %g = tensor.empty() : tensor<8x8xf32>
  %r = linalg.exp ins(%m : tensor<8x8xf32>) outs(%g : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = tensor.insert_slice %r into %d[8, 0] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<16x8xf32>
  func.return %s : tensor<16x8xf32>
}
