// RUN: xdsl-opt %s -p linalg-fuse-elementwise-ops --split-input-file | filecheck %s

// Somebody else needs the result.
// CHECK-LABEL: func.func @returned(
// CHECK:         %p = linalg.exp
// CHECK:         %c = linalg.log ins(%p
func.func @returned(%a: tensor<4xf32>, %e: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %p = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.log ins(%p : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %c, %p : tensor<4xf32>, tensor<4xf32>
}

// -----

// In the loop, it would be computed in each iteration.
// CHECK-LABEL: func.func @loop(
// CHECK:         %p = linalg.exp
// CHECK:         scf.for
// CHECK:           linalg.log ins(%p
func.func @loop(%a: tensor<4xf32>, %e: tensor<4xf32>, %l: index, %u: index, %s: index) -> tensor<4xf32> {
  %p = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %l to %u step %s iter_args(%t = %e) -> (tensor<4xf32>) {
    %c = linalg.log ins(%p : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %c : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// -----

// Read through two maps, it would be computed twice.
// CHECK-LABEL: func.func @two_maps(
// CHECK:         %p = linalg.exp
// CHECK:         ins(%p, %p
func.func @two_maps(%a: tensor<4x4xf32>, %e: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %p = linalg.exp ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p, %p : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%x: f32, %z: f32, %o: f32):
    %y = arith.addf %x, %z : f32
    linalg.yield %y : f32
  } -> tensor<4x4xf32>
  func.return %c : tensor<4x4xf32>
}

// -----

// Without its input, the size of the reduced dimension would be unknown.
// CHECK-LABEL: func.func @unbounded(
// CHECK:         %p = linalg.fill
// CHECK:         ins(%p
func.func @unbounded(%f: f32, %i: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %p = linalg.fill ins(%f : f32) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// The op adds to the result of the producer, which reads and writes it in other places.
// CHECK-LABEL: func.func @read_init(
// CHECK:         %p = linalg.exp
// CHECK:         outs(%p
func.func @read_init(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %p = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%p : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// What it loads may be overwritten before the other op runs.
// CHECK-LABEL: func.func @side_effects(
// CHECK:         memref.load
// CHECK:         memref.store
// CHECK:         linalg.log ins(%p
func.func @side_effects(%a: tensor<4xf32>, %e: tensor<4xf32>, %m: memref<f32>, %f: f32) -> tensor<4xf32> {
  %p = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %l = memref.load %m[] : memref<f32>
    %y = arith.addf %x, %l : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  memref.store %f, %m[] : memref<f32>
  %c = linalg.log ins(%p : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// A library expects the operands as they are.
// CHECK-LABEL: func.func @library_call(
// CHECK:         linalg.exp
// CHECK:         library_call = "log"
func.func @library_call(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %p = linalg.exp ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"], library_call = "log"} ins(%p : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = math.log %x : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// A copy is asked for.
// CHECK-LABEL: func.func @copy(
// CHECK:         linalg.copy
// CHECK:         linalg.exp
func.func @copy(%a: tensor<4xf32>, %e: tensor<4xf32>) -> tensor<4xf32> {
  %p = linalg.copy ins(%a : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.exp ins(%p : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}
