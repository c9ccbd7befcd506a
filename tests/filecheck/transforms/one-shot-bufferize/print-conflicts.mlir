// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true test-analysis-only=true print-conflicts=true}' | filecheck %s

// The insertion would destroy what the extraction reads.
// CHECK-LABEL: func.func @conflict(%t: tensor<4xf32> {bufferization.access = "read"}, %f: f32, %i: index) -> (tensor<4xf32>, f32) attributes {"C_0[DEF: bbArg 0]"} {
// CHECK-NEXT:    %r = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "false", "none"], "C_0[CONFL-WRITE: 1]"} : tensor<4xf32>
// CHECK-NEXT:    %x = tensor.extract %t[%i] {__inplace_operands_attr__ = ["true", "none"], "C_0[READ: 0]"} : tensor<4xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true", "none"]} %r, %x : tensor<4xf32>, f32
// CHECK-NEXT:  }
func.func @conflict(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}

// The contents come from an op.
// CHECK-LABEL: func.func @conflict_of_result(%f: f32, %i: index) -> (tensor<4xf32>, f32) {
// CHECK-NEXT:    %t = tensor.splat %f {"C_1[DEF: result 0]"} : tensor<4xf32>
// CHECK-NEXT:    %r = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "false", "none"], "C_1[CONFL-WRITE: 1]"} : tensor<4xf32>
// CHECK-NEXT:    %x = tensor.extract %t[%i] {__inplace_operands_attr__ = ["true", "none"], "C_1[READ: 0]"} : tensor<4xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true", "none"]} %r, %x : tensor<4xf32>, f32
// CHECK-NEXT:  }
func.func @conflict_of_result(%f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %t = tensor.splat %f : tensor<4xf32>
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}

// CHECK-LABEL: func.func @not_writable(%t: tensor<4xf32> {bufferization.writable = false, bufferization.access = "read"}, %f: f32, %i: index) -> tensor<4xf32> attributes {"W_0[NOT-WRITABLE: bbArg 0]"} {
// CHECK-NEXT:    %r = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "false", "none"]} : tensor<4xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<4xf32>
// CHECK-NEXT:  }
func.func @not_writable(%t: tensor<4xf32> {bufferization.writable = false}, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @constant(%f: f32, %i: index) -> tensor<4xf32> {
// CHECK-NEXT:    %t = arith.constant {"W_1[NOT-WRITABLE: result 0]"} dense<1.000000e+00> : tensor<4xf32>
// CHECK-NEXT:    %r = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "false", "none"]} : tensor<4xf32>
// CHECK-NEXT:    func.return {__inplace_operands_attr__ = ["true"]} %r : tensor<4xf32>
// CHECK-NEXT:  }
func.func @constant(%f: f32, %i: index) -> tensor<4xf32> {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
