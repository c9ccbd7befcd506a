// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Each iteration updates the argument; one call in it is of a function without a body.
// CHECK-LABEL: func.func @loop(%t: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %n: index, %f: f32) -> memref<8xf32> {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t) -> (memref<8xf32>) {
// CHECK-NEXT:        memref.store %f, %s[%i] : memref<8xf32>
// CHECK-NEXT:        %g, %0 = func.call @declared(%s, %f) : (memref<8xf32>, f32) -> (f32, memref<8xf32>)
// CHECK-NEXT:        scf.yield %s : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %t : memref<8xf32>
// CHECK-NEXT:    }
func.func @loop(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %n: index, %f: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %t) -> (tensor<8xf32>) {
    %v = tensor.insert %f into %s[%i] : tensor<8xf32>
    %g, %w = func.call @declared(%v, %f) : (tensor<8xf32>, f32) -> (f32, tensor<8xf32>)
    scf.yield %w : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: "func.func"() <{sym_name = "declared", function_type = (memref<8xf32>, f32) -> (f32, memref<8xf32>), sym_visibility = "private", arg_attrs = [{bufferize.aliasing_result = 1 : i64}, {}]}> ({
func.func private @declared(%t: tensor<8xf32> {bufferize.aliasing_result = 1 : i64}, %f: f32) -> (f32, tensor<8xf32>)
