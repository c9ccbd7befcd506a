// RUN: xdsl-opt %s -p linalg-fuse-elementwise-ops --split-input-file | filecheck %s

// The producer is computed in the loops of the op that reads it, transposed here.
// CHECK-LABEL: func.func @transposed(
// CHECK-NEXT:    %c = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {
// CHECK-NEXT:    ^bb0([[X:%.*]]: f32, %z: f32, %{{.*}}: f32):
// CHECK-NEXT:      [[E:%.*]] = math.exp [[X]] : f32
// CHECK-NEXT:      [[S:%.*]] = arith.addf [[E]], %z : f32
// CHECK-NEXT:      linalg.yield [[S]] : f32
// CHECK-NEXT:    } -> tensor<4x8xf32>
// CHECK-NEXT:    func.return %c
func.func @transposed(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %p = linalg.exp ins(%a : tensor<8x4xf32>) outs(%e : tensor<8x4xf32>) -> tensor<8x4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%p, %b : tensor<8x4xf32>, tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) {
  ^bb0(%x: f32, %z: f32, %r: f32):
    %y = arith.addf %x, %z : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  func.return %c : tensor<4x8xf32>
}

// -----

// A reduction computes what it reduces; the index is that of the producer's loop.
// CHECK-LABEL: func.func @reduced(
// CHECK:         %c = linalg.generic
// CHECK-SAME:      iterator_types = ["reduction", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%i : tensor<4xf32>)
// CHECK:           linalg.index 0
// CHECK:           arith.addf
// CHECK:         func.return %c
func.func @reduced(%a: tensor<4x8xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%x: f32, %o: f32):
    %k = linalg.index 1 : index
    %n = arith.index_cast %k : index to i32
    %f = arith.sitofp %n : i32 to f32
    %y = arith.mulf %x, %f : f32
    linalg.yield %y : f32
  } -> tensor<4x8xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i, j)>, affine_map<(j, i) -> (i)>], iterator_types = ["reduction", "parallel"]} ins(%p : tensor<4x8xf32>) outs(%i : tensor<4xf32>) {
  ^bb0(%x: f32, %o: f32):
    %y = arith.addf %x, %o : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// Where the element is at a computed place, so is the producer's index.
// CHECK-LABEL: func.func @window(
// CHECK:         [[I:%.*]] = linalg.index 0
// CHECK-NEXT:    [[J:%.*]] = linalg.index 1
// CHECK-NEXT:    affine.apply affine_map<(d0, d1) -> ((d0 + d1))> ([[I]], [[J]])
// CHECK:         func.return %c
func.func @window(%a: tensor<10xindex>, %w: tensor<3xindex>, %i: tensor<8xindex>) -> tensor<8xindex> {
  %e = tensor.empty() : tensor<10xindex>
  %p = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%a : tensor<10xindex>) outs(%e : tensor<10xindex>) {
  ^bb0(%x: index, %o: index):
    %k = linalg.index 0 : index
    %y = arith.addi %x, %k : index
    linalg.yield %y : index
  } -> tensor<10xindex>
  %c = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]} ins(%p, %w : tensor<10xindex>, tensor<3xindex>) outs(%i : tensor<8xindex>) {
  ^bb0(%x: index, %z: index, %o: index):
    %m = arith.muli %x, %z : index
    %y = arith.addi %m, %o : index
    linalg.yield %y : index
  } -> tensor<8xindex>
  func.return %c : tensor<8xindex>
}

// -----

// A scalar is captured; a producer that reads its init reads it as an input, and only the result
// that is needed is computed. The chain is one op.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    %c = linalg.generic
// CHECK-SAME:      ins(%a, %i : tensor<4xf32>, tensor<4xf32>) outs(%j : tensor<4xf32>) {
// CHECK-NEXT:    ^bb0(%x: f32, %o: f32, %{{.*}}: f32):
// CHECK-NEXT:      [[M:%.*]] = arith.mulf %x, %o : f32
// CHECK-NEXT:      [[E:%.*]] = math.exp [[M]] : f32
// CHECK-NEXT:      [[S:%.*]] = arith.addf [[E]], %f : f32
// CHECK-NEXT:      linalg.yield [[S]] : f32
// CHECK-NEXT:    } -> tensor<4xf32>
func.func @chain(%a: tensor<4xf32>, %i: tensor<4xf32>, %j: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %s = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %p, %q = "linalg.generic"(%a, %i, %e) <{indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = [#linalg.iterator_type<parallel>], operandSegmentSizes = array<i32: 1, 2>}> ({
  ^bb0(%x: f32, %o: f32, %u: f32):
    %m = arith.mulf %x, %o : f32
    %t = math.tanh %x : f32
    linalg.yield %m, %t : f32, f32
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %n = linalg.exp ins(%p : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%n, %s : tensor<4xf32>, tensor<4xf32>) outs(%j : tensor<4xf32>) {
  ^bb0(%x: f32, %z: f32, %o: f32):
    %y = arith.addf %x, %z : f32
    linalg.yield %y : f32
  } -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// -----

// Overwritten, the result of a producer needs no buffer either: what it overwrites is overwritten.
// CHECK-LABEL: func.func @overwritten(
// CHECK-NEXT:    %c = linalg.generic
// CHECK-SAME:      ins(%a : tensor<4xf32>) outs(%i : tensor<4xf32>)
func.func @overwritten(%a: tensor<4xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %p = linalg.exp ins(%a : tensor<4xf32>) outs(%i : tensor<4xf32>) -> tensor<4xf32>
  %c = linalg.log ins(%p : tensor<4xf32>) outs(%p : tensor<4xf32>) -> tensor<4xf32>
  func.return %c : tensor<4xf32>
}
