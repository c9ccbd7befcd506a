// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=tensor,bufferization}' | filecheck %s --check-prefix=TENSOR
// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=scf,bufferization}' | filecheck %s

// What the runs of a loop combine is bufferized as the loop is: mlir-opt makes a program of
// it that is not valid, or one without the insertion.
// TENSOR-LABEL: func.func @f(%n: index, %x: tensor<1xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
// TENSOR-NEXT:    %r = "scf.forall"(%n, %o) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
// TENSOR-NEXT:    ^bb0(%i: index, %a: tensor<4xf32>):
// TENSOR-NEXT:      "scf.forall.in_parallel"() ({
// TENSOR-NEXT:        "tensor.parallel_insert_slice"(%x, %a, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<1xf32>, tensor<4xf32>, index) -> ()
// CHECK-LABEL: func.func @f(%n: index, %x: tensor<1xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %x : tensor<1xf32> to memref<1xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %1 = bufferization.to_buffer %o : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%1, %r) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:    "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
// CHECK-NEXT:    ^bb0(%i: index):
// CHECK-NEXT:      %2 = memref.subview %r[%i] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
// CHECK-NEXT:      "memref.copy"(%0, %2) : (memref<1xf32, strided<[?], offset: ?>>, memref<1xf32, strided<[1], offset: ?>>) -> ()
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:      ^bb0:
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) : (index) -> ()
// CHECK-NEXT:    %3 = bufferization.to_tensor %r : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    func.return %3 : tensor<4xf32>
func.func @f(%n: index, %x: tensor<1xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = "scf.forall"(%n, %o) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index, %a: tensor<4xf32>):
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%x, %a, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<1xf32>, tensor<4xf32>, index) -> ()
    }) : () -> ()
  }) : (index, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
