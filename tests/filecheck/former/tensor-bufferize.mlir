// RUN: xdsl-opt %s -p tensor-bufferize | filecheck %s

// CHECK-LABEL: func.func @views(%t: tensor<8xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<8xf32> to memref<8xf32>
// CHECK-NEXT:    %1 = memref.subview %0[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
// CHECK-NEXT:    %2 = bufferization.to_tensor %1 : memref<4xf32, strided<[2]>> to tensor<4xf32>
// CHECK-NEXT:    %3 = "test.op"(%2) : (tensor<4xf32>) -> tensor<?xf32>
// CHECK-NEXT:    %4 = bufferization.to_buffer %3 : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %5 = "memref.cast"(%4) : (memref<?xf32>) -> memref<4xf32>
// CHECK-NEXT:    %6 = bufferization.to_tensor %5 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    func.return %6 : tensor<4xf32>
func.func @views(%t: tensor<8xf32>) -> tensor<4xf32> {
  %0 = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
  %1 = "test.op"(%0) : (tensor<4xf32>) -> tensor<?xf32>
  %2 = tensor.cast %1 : tensor<?xf32> to tensor<4xf32>
  func.return %2 : tensor<4xf32>
}

// What is written is a copy.
// CHECK-LABEL: func.func @insert(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %1 = arith.constant 0 : index
// CHECK-NEXT:    %2 = memref.dim %0, %1 : memref<?xf32>
// CHECK-NEXT:    %3 = memref.alloc(%2) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%0, %3) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %3[%i] : memref<?xf32>
// CHECK-NEXT:    %4 = bufferization.to_tensor %3 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:    func.return %4 : tensor<?xf32>
func.func @insert(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %0 = tensor.insert %f into %t[%i] : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}

// What is on buffers already is not connected through tensors.
// CHECK-LABEL: func.func @buffers(%m: memref<4xf32>, %i: index) -> (f32, memref<4xf32>, tensor<4xf32>) {
// CHECK-NEXT:    %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    %0 = memref.load %m[%i] : memref<4xf32>
// CHECK-NEXT:    %1 = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    func.return %0, %2, %1 : f32, memref<4xf32>, tensor<4xf32>
func.func @buffers(%m: memref<4xf32>, %i: index) -> (f32, memref<4xf32>, tensor<4xf32>) {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %0 = tensor.extract %t[%i] : tensor<4xf32>
  %1 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %2 = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %3 = bufferization.to_buffer %2 : tensor<4xf32> to memref<4xf32>
  func.return %0, %3, %2 : f32, memref<4xf32>, tensor<4xf32>
}

// It is a part of the loop.
// CHECK-LABEL: func.func @parallel(%n: index, %x: tensor<1xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %r = "scf.forall"(%n, %o) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
// CHECK-NEXT:    ^bb0(%i: index, %a: tensor<4xf32>):
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:        "tensor.parallel_insert_slice"(%x, %a, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<1xf32>, tensor<4xf32>, index) -> ()
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) : (index, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return %r : tensor<4xf32>
func.func @parallel(%n: index, %x: tensor<1xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = "scf.forall"(%n, %o) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index, %a: tensor<4xf32>):
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%x, %a, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<1xf32>, tensor<4xf32>, index) -> ()
    }) : () -> ()
  }) : (index, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
