// RUN: xdsl-opt %s -p 'one-shot-bufferize{test-analysis-only dump-alias-sets bufferize-function-boundaries allow-unknown-ops}' | filecheck %s

// The names are those that are printed.
// CHECK-LABEL: func.func @names(%t: tensor<4xf32> {bufferization.access = "read-write"}, %u: tensor<4xf32> {bufferization.access = "read"}, %f: f32, %i: index) -> (tensor<4xf32>, tensor<2xf32>) attributes {__bbarg_alias_set_attr__ = [[[["%t", "%a", "%0"], ["%u"]]]]} {
// CHECK-NEXT:    %a = tensor.insert %f into %t[%i] {__opresult_alias_set_attr__ = [["%t", "%a", "%0"]], __inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf32>
// CHECK-NEXT:    %0 = tensor.extract_slice %a[%i] [2] [1] {__opresult_alias_set_attr__ = [["%t", "%a", "%0"]], __inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32> to tensor<2xf32>
// CHECK-NEXT:    %a_1 = tensor.insert %f into %u[%i] {__opresult_alias_set_attr__ = [["%a_1"]], __inplace_operands_attr__ = ["none", "false", "none"]} : tensor<4xf32>
// CHECK-NEXT:    %x = tensor.extract %u[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true", "true"]} %a_1, %0 : tensor<4xf32>, tensor<2xf32>
func.func @names(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<2xf32>) {
  %a = tensor.insert %f into %t[%i] : tensor<4xf32>
  %0 = tensor.extract_slice %a[%i] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %a_1 = tensor.insert %f into %u[%i] : tensor<4xf32>
  %x = tensor.extract %u[%i] : tensor<4xf32>
  func.return %a_1, %0 : tensor<4xf32>, tensor<2xf32>
}

// Of each block of each region, each tensor argument, and of each op, each tensor result.
// CHECK-LABEL: func.func @structure(%t: tensor<4xf32> {bufferization.access = "read-write"}, %n: index) -> tensor<4xf32> attributes {__bbarg_alias_set_attr__ = [[[["%t", "%r"]]]]} {
// CHECK-NEXT:    %a, %b, %c = "test.op"() ({
// CHECK-NEXT:    ^bb0(%d: tensor<2xf32>, %e: index, %f: tensor<3xf32>):
// CHECK-NEXT:      "test.termop"() [^bb1] : () -> ()
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      "test.termop"() : () -> ()
// CHECK-NEXT:    }, {
// CHECK-NEXT:    }) {__opresult_alias_set_attr__ = [["%a"], ["%c"]], __bbarg_alias_set_attr__ = [[[["%d"], ["%f"]], []], []]} : () -> (tensor<4xf32>, i32, tensor<?xf32>)
// CHECK-NEXT:    %r = scf.for %i = %n to %n step %n iter_args(%s = %t) -> (tensor<4xf32>) {
// CHECK-NEXT:      %g = tensor.extract %s[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
// CHECK-NEXT:      scf.yield {__inplace_operands_attr__ = ["true"]} %s : tensor<4xf32>
// CHECK-NEXT:    } {__opresult_alias_set_attr__ = [["%t", "%r"]], __bbarg_alias_set_attr__ = [[[["%s"]]]], __inplace_operands_attr__ = ["none", "none", "none", "true"]}
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<4xf32>
func.func @structure(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %a, %b, %c = "test.op"() ({
  ^bb0(%d: tensor<2xf32>, %e: index, %f: tensor<3xf32>):
    "test.termop"() [^bb1] : () -> ()
  ^bb1:
    "test.termop"() : () -> ()
  }, {
  }) : () -> (tensor<4xf32>, i32, tensor<?xf32>)
  %r = scf.for %i = %n to %n step %n iter_args(%s = %t) -> (tensor<4xf32>) {
    %g = tensor.extract %s[%i] : tensor<4xf32>
    scf.yield %s : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
