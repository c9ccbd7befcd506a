// RUN: xdsl-opt %s --verify-diagnostics --parsing-diagnostics --split-input-file | filecheck %s

// alloc_tensor
%n = "test.op"() : () -> index
%0 = "bufferization.alloc_tensor"(%n) <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (index) -> tensor<?x?xf32>
// CHECK: needs 2 dynamic sizes for tensor<?x?xf32>, but has 1

// -----

%n, %t = "test.op"() : () -> (index, tensor<?xf32>)
%0 = bufferization.alloc_tensor(%n) copy(%t) : tensor<?xf32>
// CHECK: takes no dynamic sizes with 'copy', which has them, but has 1

// -----

%t = "test.op"() : () -> tensor<?xf32>
%0 = "bufferization.alloc_tensor"(%t) <{operandSegmentSizes = array<i32: 0, 1, 0>}> : (tensor<?xf32>) -> tensor<4xf32>
// CHECK: must have the type of 'copy'

// -----

%0 = bufferization.alloc_tensor() : tensor<*xf32>
// CHECK: needs 'copy' to know the sizes of an unranked tensor

// -----

// clone
%m = "test.op"() : () -> memref<4xf32>
%0 = bufferization.clone %m : memref<4xf32> to memref<5xf32>
// CHECK: cannot copy memref<4xf32> to memref<5xf32>

// -----

%m = "test.op"() : () -> memref<4xf32>
%0 = bufferization.clone %m : memref<4xf32> to memref<*xi32>
// CHECK: cannot copy memref<4xf32> to memref<*xi32>

// -----

// dealloc
%m, %c = "test.op"() : () -> (memref<4xf32>, i1)
bufferization.dealloc (%m : memref<4xf32>) if (%c, %c)
// CHECK: needs one condition for each memref to deallocate, but has 2 for 1

// -----

%m, %c = "test.op"() : () -> (memref<4xf32>, i1)
%0, %1 = "bufferization.dealloc"(%m, %c, %m) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<4xf32>, i1, memref<4xf32>) -> (i1, i1)
// CHECK: needs one result for each retained memref, but has 2 for 1

// -----

%m, %c = "test.op"() : () -> (memref<4xf32>, i1)
%0 = "bufferization.dealloc"(%m, %c, %m) <{operandSegmentSizes = array<i32: 1, 1, 1>}> : (memref<4xf32>, i1, memref<4xf32>) -> i32
// CHECK: Expected attribute i1 but got i32

// -----

// dealloc_tensor
%m = "test.op"() : () -> memref<4xf32>
bufferization.dealloc_tensor %m : memref<4xf32>
// CHECK: Unexpected attribute memref<4xf32>

// -----

// materialize_in_destination
%t, %d = "test.op"() : () -> (tensor<4xf32>, tensor<5xf32>)
%0 = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<5xf32>) -> tensor<5xf32>
// CHECK: source and destination differ in their shape: tensor<4xf32> and tensor<5xf32>

// -----

%t, %d = "test.op"() : () -> (tensor<4xf32>, tensor<4x1xf32>)
%0 = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
// CHECK: source and destination differ in their shape: tensor<4xf32> and tensor<4x1xf32>

// -----

%t, %d = "test.op"() : () -> (tensor<4xf32>, tensor<*xf32>)
%0 = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<*xf32>) -> tensor<*xf32>
// CHECK: source and destination differ in their shape: tensor<4xf32> and tensor<*xf32>

// -----

%t, %d = "test.op"() : () -> (tensor<4xf32>, tensor<4xi32>)
%0 = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<4xi32>) -> tensor<4xi32>
// CHECK: source and destination differ in their element type: tensor<4xf32> and tensor<4xi32>

// -----

%t, %d = "test.op"() : () -> (tensor<4xf32>, tensor<?xf32>)
%0 = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<?xf32>) -> tensor<4xf32>
// CHECK: the result type tensor<4xf32> is not the destination's type tensor<?xf32>

// -----

%t = "test.op"() : () -> tensor<4xf32>
bufferization.materialize_in_destination %t in %t : (tensor<4xf32>, tensor<4xf32>) -> ()
// CHECK: needs a result when the destination is a tensor

// -----

%t = "test.op"() : () -> tensor<4xf32>
%0 = bufferization.materialize_in_destination %t in restrict %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: 'restrict' is for memref destinations only

// -----

%t = "test.op"() : () -> tensor<4xf32>
%0 = bufferization.materialize_in_destination %t in writable %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: 'writable' is for memref destinations only

// -----

%t, %m = "test.op"() : () -> (tensor<4xf32>, memref<4xf32>)
bufferization.materialize_in_destination %t in %m : (tensor<4xf32>, memref<4xf32>) -> ()
// CHECK: needs 'writable' when the destination is a memref

// -----

%t, %m = "test.op"() : () -> (tensor<4xf32>, memref<4xf32>)
%0 = bufferization.materialize_in_destination %t in writable %m : (tensor<4xf32>, memref<4xf32>) -> tensor<4xf32>
// CHECK: has no result when the destination is a memref

// -----

// to_buffer
%t = "test.op"() : () -> tensor<4xf32>
%0 = bufferization.to_buffer %t : tensor<4xf32> to memref<?xf32>
// CHECK: tensor and memref differ in their shape: tensor<4xf32> and memref<?xf32>

// -----

%t = "test.op"() : () -> tensor<4xf32>
%0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xi32>
// CHECK: tensor and memref differ in their element type: tensor<4xf32> and memref<4xi32>

// -----

%t = "test.op"() : () -> tensor<4xf32>
%0 = bufferization.to_buffer %t : tensor<4xf32> to memref<*xf32>
// CHECK: tensor and memref differ in their shape: tensor<4xf32> and memref<*xf32>

// -----

%t = "test.op"() : () -> tensor<4xf32>
%0 = bufferization.to_buffer %t : f32 to memref<4xf32>
// CHECK: expected a tensor or memref type

// -----

// to_memref
%t = "test.op"() : () -> tensor<4xf32>
%0 = bufferization.to_memref %t : tensor<4xf32> to memref<?xf32>
// CHECK: tensor and memref differ in their shape: tensor<4xf32> and memref<?xf32>

// -----

// to_tensor
%m = "test.op"() : () -> memref<4xf32>
%0 = bufferization.to_tensor %m : memref<4xf32> to tensor<5xf32>
// CHECK: tensor and memref differ in their shape: tensor<5xf32> and memref<4xf32>

// -----

%m = "test.op"() : () -> memref<4xf32>
%0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xi32>
// CHECK: tensor and memref differ in their element type: tensor<4xi32> and memref<4xf32>

// -----

%m = "test.op"() : () -> memref<4xf32>
%0 = bufferization.to_tensor %m : memref<4xf32> to tensor<*xf32>
// CHECK: tensor and memref differ in their shape: tensor<*xf32> and memref<4xf32>

// -----

%m = "test.op"() : () -> memref<4xf32>
%0 = bufferization.to_tensor %m : tensor<4xf32>
// CHECK: expected a memref type
