// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only print-conflicts dump-alias-sets},one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only}' | filecheck %s --check-prefix=ANALYSIS

// What an earlier analysis wrote is not believed, and gone afterwards, whatever it is.
// CHECK-LABEL: func.func @f(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> (memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%t, %a) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %a, %t : memref<4xf32>, memref<4xf32, strided<[?], offset: ?>>
// ANALYSIS-LABEL: func.func @f(%t: tensor<4xf32> {bufferization.access = "read"}, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
// ANALYSIS-NEXT:    %a = tensor.insert %f into %t[%i] {other, __inplace_operands_attr__ = ["none", "false", "none"]} : tensor<4xf32>
// ANALYSIS-NEXT:    %b = tensor.insert %f into %a[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf32>
// ANALYSIS-NEXT:    func.return {__inplace_operands_attr__ = ["true", "true"], __equivalent_func_args__ = [-1 : i64, 0 : i64]} %b, %t : tensor<4xf32>, tensor<4xf32>
func.func @f(%t: tensor<4xf32> {bufferization.access = "none"}, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) attributes {"W_0[NOT-WRITABLE: bbArg 0]", __bbarg_alias_set_attr__ = 7 : i64} {
  %a = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["true"], "C_0[CONFL-WRITE: 1]", "C_12[DEF: result 0]", other} : tensor<4xf32>
  %b = tensor.insert %f into %a[%i] {__inplace_operands_attr__ = "none", __opresult_alias_set_attr__, "P_0[RACING-WRITE: 1]"} : tensor<4xf32>
  func.return {__equivalent_func_args__ = [5, 6, 7], "C_0[READ: 0]"} %b, %t : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @g(%t: memref<4xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    func.return %t : memref<4xf32, strided<[?], offset: ?>>
// ANALYSIS-LABEL: func.func @g(%t: tensor<4xf32> {bufferization.access = "read-write"}) -> tensor<4xf32> {
// ANALYSIS-NEXT:    %r = bufferization.materialize_in_destination %t in %t {__inplace_operands_attr__ = ["true", "true"]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// ANALYSIS-NEXT:    func.return {__inplace_operands_attr__ = ["true"], __equivalent_func_args__ = [0 : i64]} %r : tensor<4xf32>
func.func @g(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = bufferization.materialize_in_destination %t in %t {__inplace_operands_attr__ = ["none"]} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
