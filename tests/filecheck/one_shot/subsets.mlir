// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s

// What is inserted is not in its place, as the fill works on a copy: so the insertion
// destroys what is read behind it.
// CHECK-LABEL: func.func @source_is_a_copy(%t: tensor<8xf32> {bufferization.access = "read-write"}, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
// CHECK-NEXT:      %e = tensor.extract_slice %t[0] [4] [1] {__inplace_operands_attr__ = ["false"]} : tensor<8xf32> to tensor<4xf32>
// CHECK-NEXT:      %c = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:      %r = tensor.insert_slice %c into %t[0] [4] [1] {__inplace_operands_attr__ = ["true", "true"]} : tensor<4xf32> into tensor<8xf32>
// CHECK-NEXT:      %x = tensor.extract %e[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true", "none"], __equivalent_func_args__ = [0 : i64, -1 : i64]} %r, %x : tensor<8xf32>, f32
func.func @source_is_a_copy(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %e = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %c = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %c into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %x = tensor.extract %e[%i] : tensor<4xf32>
  func.return %r, %x : tensor<8xf32>, f32
}

// All of a tensor, overwritten with what it contains.
// CHECK-LABEL: func.func @onto_itself(%t: tensor<4xf32> {bufferization.access = "read-write"}) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:      %a = linalg.copy {__inplace_operands_attr__ = ["true", "true"]} ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true", "true"], __equivalent_func_args__ = [0 : i64, 0 : i64]} %t, %a : tensor<4xf32>, tensor<4xf32>
func.func @onto_itself(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = linalg.copy ins(%t : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  func.return %t, %a : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @materialize_onto_itself(%t: tensor<4xf32> {bufferization.access = "read-write"}) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:      %a = bufferization.materialize_in_destination %t in %t {__inplace_operands_attr__ = ["true", "true"]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true", "true"], __equivalent_func_args__ = [0 : i64, 0 : i64]} %t, %a : tensor<4xf32>, tensor<4xf32>
func.func @materialize_onto_itself(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = bufferization.materialize_in_destination %t in %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %t, %a : tensor<4xf32>, tensor<4xf32>
}

// Overwritten with something else.
// CHECK-LABEL: func.func @onto_another(%t: tensor<4xf32> {bufferization.access = "read"}, %s: tensor<4xf32> {bufferization.access = "read"}) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:      %a = linalg.copy {__inplace_operands_attr__ = ["true", "false"]} ins(%s : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true", "true"], __equivalent_func_args__ = [0 : i64, -1 : i64]} %t, %a : tensor<4xf32>, tensor<4xf32>
func.func @onto_another(%t: tensor<4xf32>, %s: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = linalg.copy ins(%s : tensor<4xf32>) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  func.return %t, %a : tensor<4xf32>, tensor<4xf32>
}

// A function may return the elements of a slice in another order, so that its result is not what
// is in the place of the slice already.
// CHECK-LABEL: func.func @reverse
// CHECK-LABEL: func.func @insert_what_a_function_returns
// CHECK:         tensor.extract_slice %t[%i] [4] [1] {__inplace_operands_attr__ = ["false", "none"]}
// CHECK:         tensor.insert_slice %r into %t[%i] [4] [1] {__inplace_operands_attr__ = ["true", "true", "none"]}
func.func @reverse(%s: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %v = tensor.extract_slice %s[3] [4] [-1] : tensor<4xf32> to tensor<4xf32>
    scf.yield %v : tensor<4xf32>
  } else {
    scf.yield %s : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
func.func @insert_what_a_function_returns(%t: tensor<8xf32>, %i: index, %c: i1) -> tensor<8xf32> {
  %s = tensor.extract_slice %t[%i] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %r = func.call @reverse(%s, %c) : (tensor<4xf32>, i1) -> tensor<4xf32>
  %u = tensor.insert_slice %r into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %u : tensor<8xf32>
}

// A write to a part of the slice is a write to the slice: the last insertion reads around both.
// CHECK-LABEL: func.func @write_a_part_of_the_slice
// CHECK:         tensor.extract_slice %t[%i] [8] [1] {__inplace_operands_attr__ = ["true", "none"]}
// CHECK-NEXT:    tensor.extract_slice %s[2] [4] [1] {__inplace_operands_attr__ = ["true"]}
// CHECK-NEXT:    linalg.fill {__inplace_operands_attr__ = ["none", "true"]}
// CHECK-NEXT:    tensor.insert_slice %q into %s[2] [4] [1] {__inplace_operands_attr__ = ["true", "true"]}
// CHECK-NEXT:    tensor.insert_slice %r into %t[%i] [8] [1] {__inplace_operands_attr__ = ["true", "true", "none"]}
func.func @write_a_part_of_the_slice(%t: tensor<16xf32>, %i: index, %x: f32) -> tensor<16xf32> {
  %s = tensor.extract_slice %t[%i] [8] [1] : tensor<16xf32> to tensor<8xf32>
  %p = tensor.extract_slice %s[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %q = linalg.fill ins(%x : f32) outs(%p : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %q into %s[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %u = tensor.insert_slice %r into %t[%i] [8] [1] : tensor<8xf32> into tensor<16xf32>
  func.return %u : tensor<16xf32>
}
