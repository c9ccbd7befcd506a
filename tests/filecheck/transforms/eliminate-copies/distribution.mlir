// RUN: xdsl-opt %s -p eliminate-copies --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p bufferize --split-input-file | filecheck %s --check-prefix=BUFFERS

// An op that reads a rotated tensor is distributed over the two slices that this is put
// together from, each of which is read where it is.
// CHECK-LABEL: func.func @rotated
// CHECK:           %[[A:.*]] = tensor.extract_slice %x[7] [1] [1]
// CHECK-NEXT:      %[[B:.*]] = tensor.extract_slice %y[0] [1] [1]
// CHECK-NEXT:      %[[C:.*]] = tensor.extract_slice %e[0] [1] [1]
// CHECK-NEXT:      %[[D:.*]] = linalg.add ins(%[[A]], %[[B]] : {{.*}}) outs(%[[C]] :
// CHECK-NEXT:      %[[E:.*]] = tensor.insert_slice %[[D]] into %e[0] [1] [1]
// CHECK-NEXT:      %[[F:.*]] = tensor.extract_slice %x[0] [7] [1]
// CHECK-NEXT:      %[[G:.*]] = tensor.extract_slice %y[1] [7] [1]
// CHECK-NEXT:      %[[H:.*]] = tensor.extract_slice %[[E]][1] [7] [1]
// CHECK-NEXT:      %[[I:.*]] = linalg.add ins(%[[F]], %[[G]] : {{.*}}) outs(%[[H]] :
// CHECK-NEXT:      %[[S:.*]] = tensor.insert_slice %[[I]] into %[[E]][1] [7] [1]
// CHECK-NEXT:      func.return %[[S]]
// BUFFERS-LABEL: func.func @rotated
// BUFFERS:         memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @rotated(%x: tensor<8xf32> {bufferization.writable = false}, %y: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %p = tensor.extract_slice %x[7] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %q = tensor.extract_slice %x[0] [7] [1] : tensor<8xf32> to tensor<7xf32>
  %i = tensor.insert_slice %p into %e[0] [1] [1] : tensor<1xf32> into tensor<8xf32>
  %r = tensor.insert_slice %q into %i[1] [7] [1] : tensor<7xf32> into tensor<8xf32>
  %s = linalg.add ins(%r, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

// -----

// Rotated in both dimensions, one after the other: what is in between is not put together
// either. The operand that is broadcast is read by columns.
// CHECK-LABEL: func.func @twice
// CHECK:           linalg.generic
// CHECK-SAME:        ins(%{{.*}}, %{{.*}} : tensor<1x1xf32>, tensor<1xf32>) outs(%{{.*}} : tensor<1x1xf32>)
// CHECK:           linalg.generic
// CHECK-SAME:        ins(%{{.*}}, %{{.*}} : tensor<1x7xf32>, tensor<7xf32>) outs(%{{.*}} : tensor<1x7xf32>)
// CHECK:           linalg.generic
// CHECK-SAME:        ins(%{{.*}}, %{{.*}} : tensor<3x1xf32>, tensor<1xf32>) outs(%{{.*}} : tensor<3x1xf32>)
// CHECK:           linalg.generic
// CHECK-SAME:        ins(%{{.*}}, %{{.*}} : tensor<3x7xf32>, tensor<7xf32>) outs(%{{.*}} : tensor<3x7xf32>)
// BUFFERS-LABEL: func.func @twice
// BUFFERS:         memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @twice(%x: tensor<4x8xf32> {bufferization.writable = false}, %y: tensor<8xf32> {bufferization.writable = false}) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %a = tensor.extract_slice %x[3, 0] [1, 8] [1, 1] : tensor<4x8xf32> to tensor<1x8xf32>
  %b = tensor.extract_slice %x[0, 0] [3, 8] [1, 1] : tensor<4x8xf32> to tensor<3x8xf32>
  %rows = tensor.concat dim(0) %a, %b : (tensor<1x8xf32>, tensor<3x8xf32>) -> tensor<4x8xf32>
  %c = tensor.extract_slice %rows[0, 7] [4, 1] [1, 1] : tensor<4x8xf32> to tensor<4x1xf32>
  %d = tensor.extract_slice %rows[0, 0] [4, 7] [1, 1] : tensor<4x8xf32> to tensor<4x7xf32>
  %both = tensor.concat dim(1) %c, %d : (tensor<4x1xf32>, tensor<4x7xf32>) -> tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%both, %y : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%u: f32, %v: f32, %o: f32):
    %w = arith.mulf %u, %v : f32
    linalg.yield %w : f32
  } -> tensor<4x8xf32>
  func.return %s : tensor<4x8xf32>
}

// -----

// An op that asks for its index is not distributed.
// CHECK-LABEL: func.func @asks_for_its_index
// CHECK:           linalg.generic
// CHECK-SAME:        ins(%r : tensor<8xf32>)
// CHECK-NOT:       linalg.generic
// CHECK:           func.return
func.func @asks_for_its_index(%x: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %p = tensor.extract_slice %x[7] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %q = tensor.extract_slice %x[0] [7] [1] : tensor<8xf32> to tensor<7xf32>
  %i = tensor.insert_slice %p into %e[0] [1] [1] : tensor<1xf32> into tensor<8xf32>
  %r = tensor.insert_slice %q into %i[1] [7] [1] : tensor<7xf32> into tensor<8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%r : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%u: f32, %o: f32):
    %n = linalg.index 0 : index
    %m = arith.index_cast %n : index to i32
    %f = arith.sitofp %m : i32 to f32
    %w = arith.mulf %u, %f : f32
    linalg.yield %w : f32
  } -> tensor<8xf32>
  func.return %s : tensor<8xf32>
}

// -----

// Neither is one that needs all elements.
// CHECK-LABEL: func.func @reduced
// CHECK:           linalg.reduce ins(%r
// CHECK-NOT:       linalg.reduce
// CHECK:           func.return
func.func @reduced(%x: tensor<8xf32> {bufferization.writable = false}) -> tensor<f32> {
  %e = tensor.empty() : tensor<8xf32>
  %z = tensor.empty() : tensor<f32>
  %p = tensor.extract_slice %x[7] [1] [1] : tensor<8xf32> to tensor<1xf32>
  %q = tensor.extract_slice %x[0] [7] [1] : tensor<8xf32> to tensor<7xf32>
  %i = tensor.insert_slice %p into %e[0] [1] [1] : tensor<1xf32> into tensor<8xf32>
  %r = tensor.insert_slice %q into %i[1] [7] [1] : tensor<7xf32> into tensor<8xf32>
  %t = linalg.reduce ins(%r : tensor<8xf32>) outs(%z : tensor<f32>) dimensions = [0] (%u: f32, %o: f32) {
    %w = arith.addf %u, %o : f32
    linalg.yield %w : f32
  }
  func.return %t : tensor<f32>
}

// -----

// What is inserted into is computed again, since it is overwritten twice.
// CHECK-LABEL: func.func @into_computed_again
// CHECK:           linalg.add {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK:           linalg.add {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK-NOT:       linalg.add
// CHECK:           func.return
// BUFFERS-LABEL: func.func @into_computed_again
func.func @into_computed_again(%x: tensor<4xf32> {bufferization.writable = false}, %f: f32, %y: tensor<8xf32> {bufferization.writable = false}, %i: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %z = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p = tensor.insert_slice %x into %z[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %q = tensor.insert %f into %z[%i] : tensor<8xf32>
  %s = linalg.add ins(%p, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %s, %q : tensor<8xf32>, tensor<8xf32>
}

// -----

// Slices of a padded argument are read in the argument, and the border is filled by itself: a row of
// each slice. No padded copy is made.
// CHECK-LABEL: func.func @padded
// CHECK-NOT:       tensor.pad
// CHECK:           linalg.fill {{.*}} -> tensor<1x8xf32>
// CHECK:           linalg.fill {{.*}} -> tensor<1x8xf32>
// CHECK:           func.return
// BUFFERS-LABEL: func.func @padded
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @padded(%x: tensor<8x8xf32> {bufferization.writable = false}, %z: f32) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<8x8xf32> to tensor<10x10xf32>
  %a = tensor.extract_slice %p[0, 1] [8, 8] [1, 1] : tensor<10x10xf32> to tensor<8x8xf32>
  %b = tensor.extract_slice %p[2, 1] [8, 8] [1, 1] : tensor<10x10xf32> to tensor<8x8xf32>
  %s = linalg.add ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  func.return %s : tensor<8x8xf32>
}
