// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true}' | filecheck %s

// The program stays on tensors, and each op tells which of its operands are in place.
// CHECK-LABEL: func.func @in_place(%t: tensor<4xf32> {bufferization.access = "read-write"}, %f: f32, %i: index) -> tensor<4xf32> {
// CHECK-NEXT:    %r = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<4xf32>
// CHECK-NEXT:  }
func.func @in_place(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @out_of_place(%t: tensor<4xf32> {bufferization.access = "read"}, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:    %r = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "false", "none"]} : tensor<4xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true", "true"], __equivalent_func_args__ = [0 : i64, -1 : i64]} %t, %r : tensor<4xf32>, tensor<4xf32>
// CHECK-NEXT:  }
func.func @out_of_place(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %t, %r : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @loop(%t: tensor<4xf32> {bufferization.access = "read-write"}, %f: f32, %i: index) -> tensor<4xf32> {
// CHECK-NEXT:    %r = scf.for %j = %i to %i step %i iter_args(%a = %t) -> (tensor<4xf32>) {
// CHECK-NEXT:      %b = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:      scf.yield {__inplace_operands_attr__ = ["true"]} %b : tensor<4xf32>
// CHECK-NEXT:    } {__inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<4xf32>
// CHECK-NEXT:  }
func.func @loop(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = scf.for %j = %i to %i step %i iter_args(%a = %t) -> (tensor<4xf32>) {
    %b = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// What functions do to their arguments, and which of them they return.
// CHECK-LABEL: func.func @access(%n: tensor<4xf32> {bufferization.access = "none"}, %r: tensor<4xf32> {bufferization.access = "read"}, %w: tensor<4xf32> {bufferization.access = "write"}, %f: f32, %i: index) -> (f32, tensor<4xf32>) {
// CHECK-NEXT:    %x = tensor.extract %r[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// CHECK-NEXT:    %s = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%w : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["none", "true"], __equivalent_func_args__ = [-1 : i64, 2 : i64]} %x, %s : f32, tensor<4xf32>
// CHECK-NEXT:  }
func.func @access(%n: tensor<4xf32>, %r: tensor<4xf32>, %w: tensor<4xf32>, %f: f32, %i: index) -> (f32, tensor<4xf32>) {
  %x = tensor.extract %r[%i] : tensor<4xf32>
  %s = linalg.fill ins(%f : f32) outs(%w : tensor<4xf32>) -> tensor<4xf32>
  func.return %x, %s : f32, tensor<4xf32>
}

// An op of which nothing is known is analysed, too: nothing is rewritten.
// CHECK-LABEL: func.func @unknown(
// CHECK-NEXT:    %0 = "test.op"(%a) {__inplace_operands_attr__ = ["false"]} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:    %1 = tensor.insert %x into %0[%i] {__inplace_operands_attr__ = ["none", "false", "none"]} : tensor<8xf32>
func.func @unknown(%a: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = "test.op"(%a) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = tensor.insert %x into %0[%i] : tensor<8xf32>
  func.return %a, %1 : tensor<8xf32>, tensor<8xf32>
}
