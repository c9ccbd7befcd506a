// RUN: xdsl-opt %s -p 'verify-bufferization-decisions{bufferize-function-boundaries}' --verify-diagnostics --split-input-file | filecheck %s

// What is read through a view of the memref has been overwritten.

func.func @view(%t: tensor<4xf32>, %i: index, %f: f32) -> (f32, tensor<4xf32>) {
  %m = bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["true"]} : tensor<4xf32> to memref<4xf32>
  %v = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32>
  %u = tensor.insert %f into %t[%i] {__inplace_operands_attr__ = ["none", "true", "none"]} : tensor<4xf32>
  %x = memref.load %v[%i] : memref<2xf32>
  func.return {__inplace_operands_attr__ = ["none", "true"]} %x, %u : f32, tensor<4xf32>
}

// CHECK: wrong in-place decision: 'memref.load' reads the contents of operand #0 after they have been overwritten
// CHECK: overwritten by: {{.*}}8:8

// -----

// What is written through the memref overwrites a tensor.

func.func @written(%t: tensor<4xf32>, %i: index, %f: f32) -> f32 {
  %m = bufferization.to_buffer %t {__inplace_operands_attr__ = ["true"]} : tensor<4xf32> to memref<4xf32>
  %u = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  memref.store %f, %m[%i] : memref<4xf32>
  %x = tensor.extract %u[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
  func.return {__inplace_operands_attr__ = ["none"]} %x : f32
}

// CHECK: wrong in-place decision: 'tensor.extract' reads the contents of operand #0 after they have been overwritten
// CHECK: overwritten by: {{.*}}23:3

// -----

// The memref of a copy is another.

func.func @copied(%t: tensor<4xf32>, %i: index, %f: f32) -> f32 {
  %m = bufferization.to_buffer %t {__inplace_operands_attr__ = ["false"]} : tensor<4xf32> to memref<4xf32>
  %u = linalg.fill {__inplace_operands_attr__ = ["none", "true"]} ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  memref.store %f, %m[%i] : memref<4xf32>
  %x = tensor.extract %u[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
  func.return {__inplace_operands_attr__ = ["none"]} %x : f32
}

// CHECK-LABEL: func.func @copied

// -----

// An unknown op does not write a memref that must only be read.

func.func @unknown(%t: tensor<4xf32>, %i: index) -> f32 {
  %m = bufferization.to_buffer %t read_only {__inplace_operands_attr__ = ["true"]} : tensor<4xf32> to memref<4xf32>
  "test.op"(%m) : (memref<4xf32>) -> ()
  %x = tensor.extract %t[%i] {__inplace_operands_attr__ = ["true", "none"]} : tensor<4xf32>
  func.return {__inplace_operands_attr__ = ["none"]} %x : f32
}

// CHECK-LABEL: func.func @unknown
