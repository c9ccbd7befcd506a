// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s

// A copy for one operand is made in front of the op, and so before the loop writes through
// the other one.
// CHECK-LABEL: func.func @same_tensor_twice(%t: tensor<8xf32> {bufferization.access = "read-write"}, %f: f32, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT:        %x = tensor.insert %f into %a[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
// CHECK-NEXT:        %y = tensor.insert %f into %b[%c0] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
// CHECK-NEXT:        scf.yield {__inplace_operands_attr__ = ["true", "true"]} %x, %y : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:      } {__inplace_operands_attr__ = ["none", "none", "none", "false", "true"]}
// CHECK-NEXT:      func.return {__inplace_operands_attr__ = ["true", "true"], __equivalent_func_args__ = [-1 : i64, 0 : i64]} %r, %s : tensor<8xf32>, tensor<8xf32>
func.func @same_tensor_twice(%t: tensor<8xf32>, %f: f32, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %s = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %t) -> (tensor<8xf32>, tensor<8xf32>) {
    %x = tensor.insert %f into %a[%i] : tensor<8xf32>
    %y = tensor.insert %f into %b[%c0] : tensor<8xf32>
    scf.yield %x, %y : tensor<8xf32>, tensor<8xf32>
  }
  func.return %r, %s : tensor<8xf32>, tensor<8xf32>
}

// But if the op is run again, its copy reads what it has written the last time.
// CHECK-LABEL: func.func @run_again(%t: tensor<8xf32> {bufferization.access = "read"}, %f: f32, %n: index) -> f32 {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (f32) {
// CHECK-NEXT:        %x, %y = scf.for %j = %c0 to %n step %c1 iter_args(%b = %t, %c = %t) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT:          %v = tensor.insert %f into %b[%j] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
// CHECK-NEXT:          %w = tensor.insert %a into %c[%c0] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<8xf32>
// CHECK-NEXT:          scf.yield {__inplace_operands_attr__ = ["true", "true"]} %v, %w : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:        } {__inplace_operands_attr__ = ["none", "none", "none", "false", "false"]}
// CHECK-NEXT:        %p = tensor.extract %x[%c0] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8xf32>
// CHECK-NEXT:        %q = tensor.extract %y[%c1] {__inplace_operands_attr__ = ["true", "none"]} : tensor<8xf32>
// CHECK-NEXT:        %s = arith.addf %p, %q : f32
// CHECK-NEXT:        scf.yield %s : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : f32
func.func @run_again(%t: tensor<8xf32>, %f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %f) -> (f32) {
    %x, %y = scf.for %j = %c0 to %n step %c1 iter_args(%b = %t, %c = %t) -> (tensor<8xf32>, tensor<8xf32>) {
      %v = tensor.insert %f into %b[%j] : tensor<8xf32>
      %w = tensor.insert %a into %c[%c0] : tensor<8xf32>
      scf.yield %v, %w : tensor<8xf32>, tensor<8xf32>
    }
    %p = tensor.extract %x[%c0] : tensor<8xf32>
    %q = tensor.extract %y[%c1] : tensor<8xf32>
    %s = arith.addf %p, %q : f32
    scf.yield %s : f32
  }
  func.return %r : f32
}
