// RUN: xdsl-opt %s -p eliminate-moves | filecheck %s

#row = affine_map<(d0) -> (d0)>
#id2 = affine_map<(d0, d1) -> (d0, d1)>
#id3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// A dimension of size 1 more: the cache is updated where it is.
// CHECK-LABEL: func.func @one_more(
// CHECK-NEXT:    %c = tensor.expand_shape %cache {{\[\[}}0 : i64, 1 : i64], [2 : i64]] output_shape [1, 64, 32]
// CHECK-NEXT:    %s = tensor.insert_slice %row into %c
// CHECK-NEXT:    %r = tensor.collapse_shape %s
func.func @one_more(%cache: tensor<64x32xf32> {bufferize.aliasing_result = 0 : i64}, %row: tensor<1x1x32xf32>, %i: index) -> tensor<64x32xf32> {
  %e = tensor.empty() : tensor<1x64x32xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]} ins(%cache : tensor<64x32xf32>) outs(%e : tensor<1x64x32xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x64x32xf32>
  %s = tensor.insert_slice %row into %c[0, %i, 0] [1, 1, 32] [1, 1, 1] : tensor<1x1x32xf32> into tensor<1x64x32xf32>
  %r = tensor.collapse_shape %s [[0, 1], [2]] : tensor<1x64x32xf32> into tensor<64x32xf32>
  func.return %r : tensor<64x32xf32>
}

// One less, of a tensor of unknown size.
// CHECK-LABEL: func.func @one_less(
// CHECK:         %v = tensor.collapse_shape %x {{\[\[}}0 : i64, 1 : i64]] : tensor<1x?xf32> into tensor<?xf32>
// CHECK-NEXT:    %y = tensor.extract %v[%i]
func.func @one_less(%x: tensor<1x?xf32>, %i: index) -> f32 {
  %one = arith.constant 1 : index
  %n = tensor.dim %x, %one : tensor<1x?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(d0) -> (0, d0)>, #row], iterator_types = ["parallel"]} ins(%x : tensor<1x?xf32>) outs(%e : tensor<?xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<?xf32>
  %y = tensor.extract %v[%i] : tensor<?xf32>
  func.return %y : f32
}

// A column becomes a row, without a copy of the elements.
// CHECK-LABEL: func.func @column_to_row(
// CHECK-NEXT:    [[V:%.*]] = tensor.collapse_shape %x {{\[\[}}0 : i64, 1 : i64]] : tensor<4x1xf32> into tensor<4xf32>
// CHECK-NEXT:    %v = tensor.expand_shape [[V]] {{\[\[}}0 : i64, 1 : i64]] output_shape [1, 4]
func.func @column_to_row(%x: tensor<4x1xf32>, %i: index) -> f32 {
  %e = tensor.empty() : tensor<1x4xf32>
  %v = linalg.transpose ins(%x : tensor<4x1xf32>) outs(%e : tensor<1x4xf32>) permutation = [1, 0]
  %y = tensor.extract %v[%i, %i] : tensor<1x4xf32>
  func.return %y : f32
}

// The elements as they are.
// CHECK-LABEL: func.func @same(
// CHECK-NEXT:    %y = tensor.extract %x[%i]
func.func @same(%x: tensor<8xf32>, %i: index) -> f32 {
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  %y = tensor.extract %v[%i] : tensor<8xf32>
  func.return %y : f32
}

// The source is needed again after the move's result is overwritten: a view would be copied.
// CHECK-LABEL: func.func @both_are_needed(
// CHECK:         %v = linalg.generic
func.func @both_are_needed(%x: tensor<8xf32>, %f: f32, %i: index) -> (f32, f32) {
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  %w = tensor.insert %f into %v[%i] : tensor<8xf32>
  %y = tensor.extract %x[%i] : tensor<8xf32>
  %z = tensor.extract %w[%i] : tensor<8xf32>
  func.return %y, %z : f32, f32
}

// The source is overwritten before the last use of the move's result.
// CHECK-LABEL: func.func @source_is_overwritten(
// CHECK:         %v = linalg.generic
func.func @source_is_overwritten(%x: tensor<8xf32>, %f: f32, %i: index) -> (f32, f32) {
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  %w = tensor.insert %f into %x[%i] : tensor<8xf32>
  %y = tensor.extract %v[%i] : tensor<8xf32>
  %z = tensor.extract %w[%i] : tensor<8xf32>
  func.return %y, %z : f32, f32
}

// Each iteration starts with the elements of %x, which a write to a view of it would change.
// CHECK-LABEL: func.func @in_each_iteration(
// CHECK:         %v = linalg.generic
func.func @in_each_iteration(%x: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %l: index, %u: index, %s: index) -> tensor<8xf32> {
  %r = scf.for %i = %l to %u step %s iter_args(%sum = %f) -> (f32) {
    %e = tensor.empty() : tensor<8xf32>
    %v = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<8xf32>
    %w = tensor.insert %sum into %v[%i] : tensor<8xf32>
    %y = tensor.extract %w[%l] : tensor<8xf32>
    scf.yield %y : f32
  }
  %z = tensor.insert %r into %x[%l] : tensor<8xf32>
  func.return %z : tensor<8xf32>
}

// The memory of a large tensor would be alive for the sake of a small one.
// CHECK-LABEL: func.func @part_of_a_large_tensor(
// CHECK:         %v = linalg.generic
func.func @part_of_a_large_tensor(%f: f32, %i: index) -> f32 {
  %a = tensor.empty() : tensor<1024xf32>
  %b = linalg.fill ins(%f : f32) outs(%a : tensor<1024xf32>) -> tensor<1024xf32>
  %x = tensor.extract_slice %b[0] [8] [1] : tensor<1024xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  %y = tensor.extract %v[%i] : tensor<8xf32>
  func.return %y : f32
}

// What is returned is memory of its own: another copy would take the place of the move.
// CHECK-LABEL: func.func @returned(
// CHECK:         %v = linalg.generic
func.func @returned(%x: tensor<8xf32>) -> tensor<1x8xf32> {
  %e = tensor.empty() : tensor<1x8xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1)>, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<1x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<1x8xf32>
  func.return %v : tensor<1x8xf32>
}

// A constant must not be written: a copy, and memory for it, would take the place of the move.
// CHECK-LABEL: func.func @constant_is_written(
// CHECK:         %v = linalg.broadcast
func.func @constant_is_written(%x: tensor<2x3xi32>) -> tensor<2x3xi32> {
  %c = arith.constant dense<[[[1, 2, 3]], [[4, 5, 6]]]> : tensor<2x1x3xi32>
  %k = tensor.collapse_shape %c [[0, 1], [2]] : tensor<2x1x3xi32> into tensor<2x3xi32>
  %e = tensor.empty() : tensor<2x3x1xi32>
  %v = linalg.broadcast ins(%k : tensor<2x3xi32>) outs(%e : tensor<2x3x1xi32>) dimensions = [2]
  %w = tensor.collapse_shape %v [[0], [1, 2]] : tensor<2x3x1xi32> into tensor<2x3xi32>
  %r = linalg.generic {indexing_maps = [#id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<2x3xi32>) outs(%w : tensor<2x3xi32>) {
  ^bb0(%in: i32, %out: i32):
    %s = arith.addi %in, %out : i32
    linalg.yield %s : i32
  } -> tensor<2x3xi32>
  func.return %r : tensor<2x3xi32>
}

// A loop writes what it carries: the constant needs to be copied before.
// CHECK-LABEL: func.func @constant_is_carried(
// CHECK:         %v = linalg.broadcast
func.func @constant_is_carried(%f: f32, %l: index, %u: index, %s: index) -> tensor<1x3xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %e = tensor.empty() : tensor<1x3xf32>
  %v = linalg.broadcast ins(%c : tensor<3xf32>) outs(%e : tensor<1x3xf32>) dimensions = [0]
  %r = scf.for %i = %l to %u step %s iter_args(%t = %v) -> (tensor<1x3xf32>) {
    %w = tensor.insert %f into %t[%l, %i] : tensor<1x3xf32>
    scf.yield %w : tensor<1x3xf32>
  }
  func.return %r : tensor<1x3xf32>
}

// A constant that is only read needs no move.
// CHECK-LABEL: func.func @constant_is_read(
// CHECK:         %v = tensor.expand_shape
func.func @constant_is_read(%i: index) -> f32 {
  %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %e = tensor.empty() : tensor<1x3xf32>
  %v = linalg.broadcast ins(%c : tensor<3xf32>) outs(%e : tensor<1x3xf32>) dimensions = [0]
  %y = tensor.extract %v[%i, %i] : tensor<1x3xf32>
  func.return %y : f32
}

// Ops on memrefs may change the source.
// CHECK-LABEL: func.func @memory(
// CHECK:         %v = linalg.generic
func.func @memory(%m: memref<8xf32>, %f: f32, %i: index) -> f32 {
  %x = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  memref.store %f, %m[%i] : memref<8xf32>
  %y = tensor.extract %v[%i] : tensor<8xf32>
  func.return %y : f32
}

// %p may be a part of %x, and is read while a part of %v is overwritten.
// CHECK-LABEL: func.func @part_through_a_branch(
// CHECK:         %v = linalg.generic
func.func @part_through_a_branch(%f: f32, %c: i1, %q: tensor<4xf32>, %i: index) -> f32 {
  %a = tensor.empty() : tensor<8xf32>
  %x = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.extract_slice %x[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %p = scf.if %c -> (tensor<4xf32>) {
    scf.yield %s : tensor<4xf32>
  } else {
    scf.yield %q : tensor<4xf32>
  }
  %e = tensor.empty() : tensor<8xf32>
  %v = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  %w = tensor.insert_slice %p into %v[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %y = tensor.extract %w[%i] : tensor<8xf32>
  func.return %y : f32
}
