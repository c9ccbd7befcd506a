// RUN: xdsl-opt %s -p eliminate-moves | filecheck %s

// A transposed row is a column: nothing is moved.
// CHECK-LABEL: func.func @row(
// CHECK-NEXT:    %0 = tensor.collapse_shape %row {{\[\[}}0 : i64, 1 : i64]] : tensor<1x4xf32> into tensor<4xf32>
// CHECK-NEXT:    %s = tensor.insert_slice %0 into %x[0, %i] [4, 1] [1, 1] : tensor<4xf32> into tensor<4x8xf32>
// CHECK-NEXT:    func.return %s
func.func @row(%x: tensor<4x8xf32> {bufferize.aliasing_result = 0 : i64}, %row: tensor<1x4xf32>, %i: index) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %s = tensor.insert_slice %row into %t[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  %r = linalg.transpose ins(%s : tensor<8x4xf32>) outs(%f : tensor<4x8xf32>) permutation = [1, 0]
  return %r : tensor<4x8xf32>
}

// A scatter, in loops.
// CHECK-LABEL: func.func @scatter(
// CHECK-NEXT:    %s = scf.for %i = %l to %h step %st iter_args(%a = %x) -> (tensor<4x6x8xf32>)
// CHECK-NEXT:    %j = tensor.extract
// CHECK-NEXT:    %p = tensor.extract_slice
// CHECK-NEXT:    %0 = tensor.collapse_shape %p
// CHECK-NEXT:    %b = tensor.insert_slice %0 into %a[0, %j, 0] [4, 1, 8] [1, 1, 1] : tensor<4x8xf32> into tensor<4x6x8xf32>
// CHECK-NEXT:    %q = scf.for %k = %l to %h step %st iter_args(%c = %b) -> (tensor<4x6x8xf32>)
// CHECK-NEXT:    %d = tensor.insert %f into %c[%i, %k, %j] : tensor<4x6x8xf32>
// CHECK-NEXT:    scf.yield %d
// CHECK-NEXT:    }
// CHECK-NEXT:    scf.yield %q
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %s
func.func @scatter(%x: tensor<4x6x8xf32> {bufferize.aliasing_result = 0 : i64}, %rows: tensor<?x4x8xf32>, %at: tensor<?xindex>, %l: index, %h: index, %st: index, %f: f32) -> tensor<4x6x8xf32> {
  %e = tensor.empty() : tensor<6x4x8xf32>
  %g = tensor.empty() : tensor<4x6x8xf32>
  %t = linalg.transpose ins(%x : tensor<4x6x8xf32>) outs(%e : tensor<6x4x8xf32>) permutation = [1, 0, 2]
  %s = scf.for %i = %l to %h step %st iter_args(%a = %t) -> (tensor<6x4x8xf32>) {
    %j = tensor.extract %at[%i] : tensor<?xindex>
    %p = tensor.extract_slice %rows[%i, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<?x4x8xf32> to tensor<1x4x8xf32>
    %b = tensor.insert_slice %p into %a[%j, 0, 0] [1, 4, 8] [1, 1, 1] : tensor<1x4x8xf32> into tensor<6x4x8xf32>
    %q = scf.for %k = %l to %h step %st iter_args(%c = %b) -> (tensor<6x4x8xf32>) {
      %d = tensor.insert %f into %c[%k, %i, %j] : tensor<6x4x8xf32>
      scf.yield %d : tensor<6x4x8xf32>
    }
    scf.yield %q : tensor<6x4x8xf32>
  }
  %r = linalg.transpose ins(%s : tensor<6x4x8xf32>) outs(%g : tensor<4x6x8xf32>) permutation = [1, 0, 2]
  return %r : tensor<4x6x8xf32>
}

// Sizes that are not known; offsets and strides that are not constants; a part of lower rank.
// CHECK-LABEL: func.func @reduced(
// CHECK-NEXT:    %s = tensor.insert_slice %part into %x[%n, %i, 0] [1, 2, 3] [1, %m, 1] : tensor<2x3xf32> into tensor<?x?x3xf32>
// CHECK-NEXT:    func.return %s
func.func @reduced(%x: tensor<?x?x3xf32> {bufferize.aliasing_result = 0 : i64}, %part: tensor<2x3xf32>, %n: index, %m: index, %i: index) -> tensor<?x?x3xf32> {
  %e = tensor.empty(%m, %n) : tensor<?x3x?xf32>
  %f = tensor.empty(%n, %m) : tensor<?x?x3xf32>
  %t = linalg.transpose ins(%x : tensor<?x?x3xf32>) outs(%e : tensor<?x3x?xf32>) permutation = [1, 2, 0]
  %s = tensor.insert_slice %part into %t[%i, 0, %n] [2, 3, 1] [%m, 1, 1] : tensor<2x3xf32> into tensor<?x3x?xf32>
  %r = linalg.transpose ins(%s : tensor<?x3x?xf32>) outs(%f : tensor<?x?x3xf32>) permutation = [2, 0, 1]
  return %r : tensor<?x?x3xf32>
}

// %x is read after the insertion.
// CHECK-LABEL: func.func @read_later(
// CHECK:         linalg.transpose ins(%x
// CHECK:         linalg.transpose ins(%s
func.func @read_later(%x: tensor<4x8xf32> {bufferize.aliasing_result = 0 : i64}, %row: tensor<1x4xf32>, %i: index) -> (tensor<4x8xf32>, f32) {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %s = tensor.insert_slice %row into %t[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  %r = linalg.transpose ins(%s : tensor<8x4xf32>) outs(%f : tensor<4x8xf32>) permutation = [1, 0]
  %y = tensor.extract %x[%i, %i] : tensor<4x8xf32>
  return %r, %y : tensor<4x8xf32>, f32
}

// The caller keeps %x.
// CHECK-LABEL: func.func @kept(
// CHECK:         linalg.transpose ins(%x
// CHECK:         linalg.transpose ins(%s
func.func @kept(%x: tensor<4x8xf32>, %row: tensor<1x4xf32>, %i: index) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %s = tensor.insert_slice %row into %t[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  %r = linalg.transpose ins(%s : tensor<8x4xf32>) outs(%f : tensor<4x8xf32>) permutation = [1, 0]
  return %r : tensor<4x8xf32>
}

// The elements of %part would have another order.
// CHECK-LABEL: func.func @block(
// CHECK:         linalg.transpose ins(%x
// CHECK:         linalg.transpose ins(%s
func.func @block(%x: tensor<4x8xf32> {bufferize.aliasing_result = 0 : i64}, %part: tensor<2x3xf32>, %i: index) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %s = tensor.insert_slice %part into %t[%i, 0] [2, 3] [1, 1] : tensor<2x3xf32> into tensor<8x4xf32>
  %r = linalg.transpose ins(%s : tensor<8x4xf32>) outs(%f : tensor<4x8xf32>) permutation = [1, 0]
  return %r : tensor<4x8xf32>
}

// The loop reads the transposed tensor.
// CHECK-LABEL: func.func @read_between(
// CHECK:         linalg.transpose ins(%x
// CHECK:         linalg.transpose ins(%s
func.func @read_between(%x: tensor<4x8xf32> {bufferize.aliasing_result = 0 : i64}, %row: tensor<1x4xf32>, %l: index, %h: index) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<8x4xf32>
  %f = tensor.empty() : tensor<4x8xf32>
  %t = linalg.transpose ins(%x : tensor<4x8xf32>) outs(%e : tensor<8x4xf32>) permutation = [1, 0]
  %s = scf.for %i = %l to %h step %h iter_args(%a = %t) -> (tensor<8x4xf32>) {
    %y = tensor.extract %a[%i, %i] : tensor<8x4xf32>
    %b = tensor.insert %y into %a[%i, %l] : tensor<8x4xf32>
    scf.yield %b : tensor<8x4xf32>
  }
  %r = linalg.transpose ins(%s : tensor<8x4xf32>) outs(%f : tensor<4x8xf32>) permutation = [1, 0]
  return %r : tensor<4x8xf32>
}

// The loop hands on what is inserted in the place of another tensor.
// CHECK-LABEL: func.func @swapped(
// CHECK:         linalg.transpose ins(%x
// CHECK:         linalg.transpose ins(%s
func.func @swapped(%x: tensor<4x4xf32> {bufferize.aliasing_result = 0 : i64}, %z: tensor<4x4xf32>, %g: f32, %l: index, %h: index) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<4x4xf32>
  %f = tensor.empty() : tensor<4x4xf32>
  %t = linalg.transpose ins(%x : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) permutation = [1, 0]
  %s:2 = scf.for %i = %l to %h step %h iter_args(%a = %t, %c = %z) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
    %b = tensor.insert %g into %a[%i, %l] : tensor<4x4xf32>
    scf.yield %c, %b : tensor<4x4xf32>, tensor<4x4xf32>
  }
  %r = linalg.transpose ins(%s#0 : tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) permutation = [1, 0]
  return %r, %s#1 : tensor<4x4xf32>, tensor<4x4xf32>
}
