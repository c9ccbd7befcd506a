// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s

// That a new buffer and a constant flow into one tensor does not make the buffer one that
// must not be written.
// CHECK-LABEL: func.func @new_or_constant(%c: i1, %f: f32) -> tensor<4xf32> {
// CHECK-NEXT:      %e = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:      %w = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:      %r = scf.if %c -> (tensor<4xf32>) {
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %w : tensor<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %k = arith.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %k : tensor<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<4xf32>
func.func @new_or_constant(%c: i1, %f: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %w : tensor<4xf32>
  } else {
    %k = arith.constant dense<1.0> : tensor<4xf32>
    scf.yield %k : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// A write to that tensor would write the constant.
// CHECK-LABEL: func.func @written_behind(%c: i1, %f: f32, %i: index) -> tensor<4xf32> {
// CHECK-NEXT:      %k = arith.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:      %e = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:      %w = linalg.fill {__inplace_operands_attr__ = ["none", "false"]} ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:      %r = arith.select %c, %w, %k {__inplace_operands_attr__ = ["none", "true", "false"]} : tensor<4xf32>
// CHECK-NEXT:      %x = tensor.insert %f into %r[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf32>
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"]} %x : tensor<4xf32>
func.func @written_behind(%c: i1, %f: f32, %i: index) -> tensor<4xf32> {
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = arith.select %c, %w, %k : tensor<4xf32>
  %x = tensor.insert %f into %r[%i] : tensor<4xf32>
  func.return %x : tensor<4xf32>
}

// And so would one to a tensor that gets there on a way around a loop.
// CHECK-LABEL: func.func @around_a_loop(%n: index, %f: f32) -> tensor<4xf32> {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %k = arith.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %k) -> (tensor<4xf32>) {
// CHECK-NEXT:        %x = tensor.insert %f into %a[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true"]} %x : tensor<4xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "false"]}
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<4xf32>
func.func @around_a_loop(%n: index, %f: f32) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant dense<1.0> : tensor<4xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %k) -> (tensor<4xf32>) {
    %x = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
