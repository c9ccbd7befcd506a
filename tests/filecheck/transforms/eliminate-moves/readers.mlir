// RUN: xdsl-opt %s -p eliminate-moves | filecheck %s

#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>

// A bias is broadcast, and read where it is.
// CHECK-LABEL: func.func @broadcast(
// CHECK-NEXT:    %e = tensor.empty()
// CHECK-NEXT:    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>], {{.*}}} ins(%x, %b : tensor<4x8xf32>, tensor<8xf32>)
func.func @broadcast(%x: tensor<4x8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %c = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %c : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %d: f32, %o: f32):
    %s = arith.addf %a, %d : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// Maps compose: the reader transposes, and so does the move, whose output is transposed, too.
// CHECK-LABEL: func.func @composed(
// CHECK:         linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], {{.*}}} ins(%b, %x :
func.func @composed(%x: tensor<8x4xf32>, %b: tensor<4xf32>, %l: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %c = linalg.generic {indexing_maps = [#row, #t], iterator_types = ["parallel", "parallel"]} ins(%b : tensor<4xf32>) outs(%e : tensor<8x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8x4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%f : tensor<4x8xf32>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [#t, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %t : tensor<8x4xf32>, tensor<4x8xf32>) outs(%f : tensor<4x8xf32>) {
  ^bb0(%a: f32, %d: f32, %o: f32):
    %s = arith.addf %a, %d : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// Of a chain of moves one is left, a linalg.generic, if its result is needed.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    %f = tensor.empty() : tensor<8x4xf32>
// CHECK-NEXT:    %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], {{.*}}} ins(%b : tensor<8xf32>) outs(%f : tensor<8x4xf32>)
// CHECK:         func.return %r
func.func @chain(%b: tensor<8xf32>) -> tensor<8x4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %c = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<4x8xf32>) dimensions = [0]
  %f = tensor.empty() : tensor<8x4xf32>
  %r = linalg.transpose ins(%c : tensor<4x8xf32>) outs(%f : tensor<8x4xf32>) permutation = [1, 0]
  func.return %r : tensor<8x4xf32>
}

// A reduction reads the transposed matrix in its own order.
// CHECK-LABEL: func.func @reduction(
// CHECK:         %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>)
func.func @reduction(%x: tensor<8x4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// Nothing else tells how often the reduction has to add.
// CHECK-LABEL: func.func @unbounded(
// CHECK:         %c = linalg.broadcast
func.func @unbounded(%b: tensor<4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %c = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<4x8xf32>) dimensions = [1]
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%c : tensor<4x8xf32>) outs(%init : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %o, %a : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// One of the readers needs the result.
// CHECK-LABEL: func.func @needed(
// CHECK:         %t = linalg.transpose
// CHECK:         %r = linalg.generic {{.*}} ins(%t : tensor<4x8xf32>)
func.func @needed(%x: tensor<8x4xf32>, %i: index) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  func.return %t, %r : tensor<4x8xf32>, tensor<4x8xf32>
}

// The weights are overwritten before the transposed ones are read: both of their contents are
// needed.
// CHECK-LABEL: func.func @overwritten(
// CHECK:         %t = linalg.transpose
func.func @overwritten(%w: tensor<4x4xf32> {bufferize.aliasing_result = 0 : i64}, %g: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %u = linalg.add ins(%w, %g : tensor<4x4xf32>, tensor<4x4xf32>) outs(%w : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  func.return %u, %r : tensor<4x4xf32>, tensor<4x4xf32>
}

// eliminate-copies computes the new weights in the memory of the old ones, as long as no other
// element of these is read.
// CHECK-LABEL: func.func @computed_in_place(
// CHECK:         %t = linalg.transpose
func.func @computed_in_place(%w: tensor<4x4xf32> {bufferize.aliasing_result = 0 : i64}) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%w, %t : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// The loop overwrites the weights in each iteration.
// CHECK-LABEL: func.func @read_in_a_loop(
// CHECK:         %t = linalg.transpose
func.func @read_in_a_loop(%w: tensor<4x4xf32>, %l: index, %u: index, %s: index) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%w : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %v = scf.for %i = %l to %u step %s iter_args(%x = %w) -> (tensor<4x4xf32>) {
    %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%x : tensor<4x4xf32>) {
    ^bb0(%a: f32, %o: f32):
      %y = arith.addf %a, %o : f32
      linalg.yield %y : f32
    } -> tensor<4x4xf32>
    scf.yield %r : tensor<4x4xf32>
  }
  func.return %v : tensor<4x4xf32>
}

// The init says in which memory the elements have to be.
// CHECK-LABEL: func.func @to_other_memory(
// CHECK:         %t = linalg.transpose
func.func @to_other_memory(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %m = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%m : tensor<4x8xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<4x8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// An encoding, too.
// CHECK-LABEL: func.func @to_encoded_memory(
// CHECK:         %t = linalg.transpose
func.func @to_encoded_memory(%x: tensor<8x4xf32, 1 : i64>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x4xf32, 1 : i64>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// A library expects the matrix as it is written here.
// CHECK-LABEL: func.func @library(
// CHECK:         %t = linalg.transpose
func.func @library(%x: tensor<8x4xf32>) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"], library_call = "negate"} ins(%t : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// %y may be the matrix that is transposed, and is overwritten before %t is read.
// CHECK-LABEL: func.func @through_a_branch(
// CHECK:         %t = linalg.transpose
func.func @through_a_branch(%x: tensor<4x4xf32>, %z: tensor<4x4xf32>, %c: i1, %f: f32, %i: index) -> (tensor<4x4xf32>, f32) {
  %y = scf.if %c -> (tensor<4x4xf32>) {
    scf.yield %x : tensor<4x4xf32>
  } else {
    scf.yield %z : tensor<4x4xf32>
  }
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %w = tensor.insert %f into %y[%i, %i] : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %v = tensor.extract %w[%i, %i] : tensor<4x4xf32>
  func.return %r, %v : tensor<4x4xf32>, f32
}

// So may a matrix that a function returns.
// CHECK-LABEL: func.func @through_a_call(
// CHECK:         %t = linalg.transpose
func.func @through_a_call(%x: tensor<4x4xf32>, %f: f32, %i: index) -> (tensor<4x4xf32>, f32) {
  %y = func.call @same(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %w = tensor.insert %f into %y[%i, %i] : tensor<4x4xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%t : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<4x4xf32>
  %v = tensor.extract %w[%i, %i] : tensor<4x4xf32>
  func.return %r, %v : tensor<4x4xf32>, f32
}
func.func private @same(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  func.return %x : tensor<4x4xf32>
}

// Matrix products read their operands transposed.
// CHECK-LABEL: func.func @products(
// CHECK-NEXT:    %r = "linalg.matmul"(%x, %y, %c) <{{{.*}}indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>]}>
// CHECK:         %s = "linalg.batch_matmul"(%v, %w, %d) <{{{.*}}indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>]}>
// CHECK-NOT:     linalg.transpose
// CHECK:         func.return
func.func @products(%x: tensor<8x4xf32>, %y: tensor<16x8xf32>, %c: tensor<4x16xf32>, %v: tensor<2x4x8xf32>, %w: tensor<2x16x8xf32>, %d: tensor<2x4x16xf32>) -> (tensor<4x16xf32>, tensor<2x4x16xf32>) {
  %e = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  %f = tensor.empty() : tensor<8x16xf32>
  %u = linalg.transpose ins(%y : tensor<16x8xf32>) outs(%f : tensor<8x16xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%t, %u : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  %g = tensor.empty() : tensor<2x8x16xf32>
  %p = linalg.transpose ins(%w : tensor<2x16x8xf32>) outs(%g : tensor<2x8x16xf32>) permutation = [0, 2, 1]
  %s = linalg.batch_matmul ins(%v, %p : tensor<2x4x8xf32>, tensor<2x8x16xf32>) outs(%d : tensor<2x4x16xf32>) -> tensor<2x4x16xf32>
  func.return %r, %s : tensor<4x16xf32>, tensor<2x4x16xf32>
}

// What they cannot read: the batch is the first dimension, and no dimension is missing.
// CHECK-LABEL: func.func @no_products(
// CHECK:         %t = linalg.transpose
// CHECK:         "linalg.batch_matmul"(%t,
// CHECK:         %b = linalg.broadcast
// CHECK:         linalg.matmul ins(%b,
func.func @no_products(%x: tensor<8x2x4xf32>, %w: tensor<2x4x16xf32>, %d: tensor<2x8x16xf32>, %row: tensor<8xf32>, %y: tensor<8x16xf32>, %c: tensor<4x16xf32>) -> (tensor<2x8x16xf32>, tensor<4x16xf32>) {
  %e = tensor.empty() : tensor<2x8x4xf32>
  %t = linalg.transpose ins(%x : tensor<8x2x4xf32>) outs(%e : tensor<2x8x4xf32>) permutation = [1, 0, 2]
  %s = linalg.batch_matmul ins(%t, %w : tensor<2x8x4xf32>, tensor<2x4x16xf32>) outs(%d : tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %b = linalg.broadcast ins(%row : tensor<8xf32>) outs(%f : tensor<4x8xf32>) dimensions = [0]
  %r = linalg.matmul ins(%b, %y : tensor<4x8xf32>, tensor<8x16xf32>) outs(%c : tensor<4x16xf32>) -> tensor<4x16xf32>
  func.return %s, %r : tensor<2x8x16xf32>, tensor<4x16xf32>
}

// A collapsed transposition is one of the collapsed source, read through in turn.
// CHECK-LABEL: func.func @collapsed(
// CHECK-NEXT:    %{{.*}} = tensor.collapse_shape %x {{\[\[}}0 : i64, 1 : i64], [2 : i64]] : tensor<2x8x24xf32> into tensor<16x24xf32>
// CHECK-NEXT:    %r = "linalg.matmul"(%{{.*}}, %y, %c) <{{{.*}}indexing_maps = [affine_map<(d0, d1, d2) -> (d2, d0)>,
// CHECK-NOT:     linalg.transpose
// CHECK:         func.return
func.func @collapsed(%x: tensor<2x8x24xf32>, %y: tensor<16x4xf32>, %c: tensor<24x4xf32>) -> tensor<24x4xf32> {
  %e = tensor.empty() : tensor<24x2x8xf32>
  %t = linalg.transpose ins(%x : tensor<2x8x24xf32>) outs(%e : tensor<24x2x8xf32>) permutation = [2, 0, 1]
  %s = tensor.collapse_shape %t [[0], [1, 2]] : tensor<24x2x8xf32> into tensor<24x16xf32>
  %r = linalg.matmul ins(%s, %y : tensor<24x16xf32>, tensor<16x4xf32>) outs(%c : tensor<24x4xf32>) -> tensor<24x4xf32>
  func.return %r : tensor<24x4xf32>
}

// Dimensions that are collapsed are not next to each other in the source.
// CHECK-LABEL: func.func @apart(
// CHECK:         %t = linalg.transpose
// CHECK:         tensor.collapse_shape %t
func.func @apart(%x: tensor<2x24x8xf32>, %y: tensor<24x4xf32>, %c: tensor<16x4xf32>) -> tensor<16x4xf32> {
  %e = tensor.empty() : tensor<2x8x24xf32>
  %t = linalg.transpose ins(%x : tensor<2x24x8xf32>) outs(%e : tensor<2x8x24xf32>) permutation = [0, 2, 1]
  %s = tensor.collapse_shape %t [[0, 1], [2]] : tensor<2x8x24xf32> into tensor<16x24xf32>
  %r = linalg.matmul ins(%s, %y : tensor<16x24xf32>, tensor<24x4xf32>) outs(%c : tensor<16x4xf32>) -> tensor<16x4xf32>
  func.return %r : tensor<16x4xf32>
}
