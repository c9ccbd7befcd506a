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

// -----

%t, %s, %n = "test.op"() : () -> (tensor<8xf32>, tensor<4xf32>, index)
%r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<8xf32> {
  scf.forall.in_parallel {
    "tensor.parallel_insert_slice"(%s, %o) <{static_offsets = array<i64: 0>, static_sizes = array<i64: 4>, static_strides = array<i64: -9223372036854775808>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<4xf32>, tensor<8xf32>) -> ()
  }
}
// CHECK: (0) does not match the number of dynamic position markers (1) in the strides

// -----

%t, %s, %n = "test.op"() : () -> (tensor<8xf32>, tensor<4xf32>, index)
%r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<8xf32> {
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %s into %o[0, 0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  }
}
// CHECK: needs one of the offsets for each dimension of tensor<8xf32>

// -----

%t, %s, %n = "test.op"() : () -> (tensor<8xf32>, tensor<4xf32>, index)
%r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<8xf32> {
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %s into %o[0] [3] [1] : tensor<4xf32> into tensor<8xf32>
  }
}
// CHECK: the source must be of type tensor<3xf32>, or that without some of its unit dimensions, but is tensor<4xf32>

// -----

%t, %s, %n = "test.op"() : () -> (tensor<8xf32>, tensor<4xf32>, index)
%r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<8xf32> {
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %s into %o[0] [%n] [1] : tensor<4xf32> into tensor<8xf32>
  }
}
// CHECK: the source must be of type tensor<?xf32>, or that without some of its unit dimensions, but is tensor<4xf32>

// -----

%t, %s, %n = "test.op"() : () -> (tensor<8xf32>, tensor<4xf32>, index)
%r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<8xf32> {
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %s into %o[2] [4] [2] : tensor<4xf32> into tensor<8xf32>
  }
}
// CHECK: the slice from 2 to 8 is out of bounds in dimension 0 of tensor<8xf32>

// -----

%t, %s, %n = "test.op"() : () -> (tensor<8xf32>, tensor<4xf32>, index)
%r = scf.forall (%i) in (4) shared_outs(%o = %t) -> tensor<8xf32> {
  scf.forall.in_parallel {
    tensor.parallel_insert_slice %s into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
  }
}
// CHECK: must insert into an argument of the loop's body, one for an output

// -----

%t, %s = "test.op"() : () -> (tensor<8xf32>, tensor<4xf32>)
tensor.parallel_insert_slice %s into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
// CHECK: expects parent op 'scf.forall.in_parallel'

// -----

%t = "test.op"() : () -> tensor<f32>
%0 = tensor.expand_shape %t [] output_shape [2] : tensor<f32> into tensor<2xf32>
// CHECK: a tensor of one element cannot be expanded to tensor<2xf32>

// -----

%t = "test.op"() : () -> tensor<8xf32>
%0 = tensor.expand_shape %t [] output_shape [1] : tensor<8xf32> into tensor<1xf32>
// CHECK: Operation does not verify

// -----

%t, %s = "test.op"() : () -> (tensor<?xf32>, tensor<2xindex>)
%0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<2xindex>) -> tensor<?x4xi32>
// CHECK: element types of source and result tensor types should be the same: tensor<?xf32> and tensor<?x4xi32>

// -----

%t, %s = "test.op"() : () -> (tensor<?xf32>, tensor<1x2xindex>)
%0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<1x2xindex>) -> tensor<?x4xf32>
// CHECK: shape tensor must have a rank one

// -----

%t, %s = "test.op"() : () -> (tensor<?xf32>, tensor<?xindex>)
%0 = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<?xindex>) -> tensor<?x4xf32>
// CHECK: length of shape operand differs from the result's tensor rank

// -----

%t, %s = "test.op"() : () -> (tensor<12xf32>, tensor<2xindex>)
%0 = tensor.reshape %t(%s) : (tensor<12xf32>, tensor<2xindex>) -> tensor<4x4xf32>
// CHECK: source and result tensor should have the same number of elements: tensor<12xf32> and tensor<4x4xf32>
