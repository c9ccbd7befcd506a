// RUN: xdsl-opt %s -p eliminate-empty-tensors | filecheck %s

// CHECK-LABEL: func.func @slice(
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %t[%o] [4] [1] : tensor<16xf32> to tensor<4xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%[[S]] : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %r = tensor.insert_slice %f into %t[%o] [4] [1]
func.func @slice(%t: tensor<16xf32>, %x: f32, %o: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %f into %t[%o] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// The part has the rank of what is inserted, and all that is dynamic.
// CHECK-LABEL: func.func @rank_reducing(
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %t[%o, 0] [1, %n] [1, 2] : tensor<16x?xf32> to tensor<?xf32>
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[S]] : tensor<?xf32>) -> tensor<?xf32>
func.func @rank_reducing(%t: tensor<16x?xf32>, %x: f32, %o: index, %n: index) -> tensor<16x?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.insert_slice %f into %t[%o, 0] [1, %n] [1, 2] : tensor<?xf32> into tensor<16x?xf32>
  func.return %r : tensor<16x?xf32>
}

// With a step of 0 the part is one element, and what is computed there is not what is inserted.
// CHECK-LABEL: func.func @step_that_may_be_zero(
// CHECK-NEXT: tensor.empty(%n)
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: tensor.insert_slice
func.func @step_that_may_be_zero(%t: tensor<?xf32>, %x: f32, %n: index, %s: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = tensor.insert_slice %f into %t[0] [%n] [%s] : tensor<?xf32> into tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @cast(
// CHECK-NEXT: %n = arith.constant 4 : index
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %t[0] [%n] [1] : tensor<16xf32> to tensor<?xf32>
// CHECK-NEXT: %[[C:.*]] = tensor.cast %[[S]] : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[C]] : tensor<4xf32>) -> tensor<4xf32>
func.func @cast(%t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
  %n = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c = tensor.cast %f : tensor<4xf32> to tensor<?xf32>
  %r = tensor.insert_slice %c into %t[0] [%n] [1] : tensor<?xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// CHECK-LABEL: func.func @nothing_computed(
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %t[0] [4] [1]
// CHECK-NEXT: tensor.insert_slice %[[S]] into %t[0]
func.func @nothing_computed(%t: tensor<16xf32>) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = tensor.insert_slice %e into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// Each use of an empty tensor is on its own.
// CHECK-LABEL: func.func @uses(
// CHECK-NOT: tensor.empty
// CHECK: %[[A:.*]] = tensor.extract_slice %t[0] [4] [1]
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%[[A]]
// CHECK-NEXT: %r = tensor.insert_slice %f into %t[0]
// CHECK-NEXT: %[[B:.*]] = tensor.extract_slice %r[4] [4] [1]
// CHECK-NEXT: %g = linalg.fill ins(%y : f32) outs(%[[B]]
// CHECK-NEXT: %q = tensor.insert_slice %g into %r[4]
func.func @uses(%t: tensor<16xf32>, %x: f32, %y: f32) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = linalg.fill ins(%y : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %f into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %q = tensor.insert_slice %g into %r[4] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %q : tensor<16xf32>
}

// A copy in between does not matter: what is copied lives in the part until then.
// CHECK-LABEL: func.func @out_of_place(
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %t[0] [4] [1]
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%[[S]]
func.func @out_of_place(%t: tensor<16xf32>, %x: f32, %o: index) -> (tensor<16xf32>, f32) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = tensor.insert %x into %f[%o] : tensor<4xf32>
  %y = tensor.extract %f[%o] : tensor<4xf32>
  %r = tensor.insert_slice %g into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r, %y : tensor<16xf32>, f32
}

// The destination is read while its part would be in use: nothing is gained.
// CHECK-LABEL: func.func @read_in_between(
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: tensor.extract
// CHECK-NEXT: tensor.insert_slice
func.func @read_in_between(%t: tensor<16xf32>, %x: f32, %o: index) -> (tensor<16xf32>, f32) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.extract %t[%o] : tensor<16xf32>
  %r = tensor.insert_slice %f into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r, %y : tensor<16xf32>, f32
}

// The destination has to be copied, so that a part of it would be, too.
// CHECK-LABEL: func.func @read_afterwards(
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: tensor.insert
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT: tensor.extract
func.func @read_afterwards(%t: tensor<16xf32>, %x: f32, %o: index) -> (tensor<16xf32>, f32) {
  %e = tensor.empty() : tensor<4xf32>
  %f = tensor.insert %x into %e[%o] : tensor<4xf32>
  %r = tensor.insert_slice %f into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %y = tensor.extract %t[%o] : tensor<16xf32>
  func.return %r, %y : tensor<16xf32>, f32
}

// Ops whose result is another part, or of which nothing is known, end the search.
// CHECK-LABEL: func.func @not_the_same_buffer(
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: tensor.extract_slice
// CHECK-NEXT: tensor.insert_slice
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: test.op
// CHECK-NEXT: tensor.insert_slice
func.func @not_the_same_buffer(%t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %g = tensor.extract_slice %f[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = tensor.insert_slice %g into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %h = tensor.empty() : tensor<4xf32>
  %i = "test.op"(%h) : (tensor<4xf32>) -> tensor<4xf32>
  %q = tensor.insert_slice %i into %r[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %q : tensor<16xf32>
}
