// RUN: xdsl-opt %s --verify-diagnostics --parsing-diagnostics --split-input-file | filecheck %s

%n = "test.op"() : () -> index
%0 = tensor.generate %n, %n {
^bb0(%i: index):
  tensor.yield %i : index
} : tensor<?xindex>
// CHECK: needs 1 dynamic sizes for tensor<?xindex>, but has 2

// -----

%0 = tensor.generate {
^bb0(%i: index):
  tensor.yield %i : index
} : tensor<4x4xindex>
// CHECK: the body must have 2 arguments, one for each dimension, but has 1

// -----

%0 = tensor.generate {
^bb0(%i: i32):
  tensor.yield %i : i32
} : tensor<4xi32>
// CHECK: the body's arguments must be of type index

// -----

%0 = tensor.generate {
^bb0(%i: index):
  tensor.yield %i : index
} : tensor<4xi32>
// CHECK: the body must end with a tensor.yield of one i32

// -----

%0 = tensor.generate {
^bb0(%i: index):
  "test.op"() : () -> ()
} : tensor<4xi32>
// CHECK: Operation test.op terminates block in single-block region but is not a terminator
