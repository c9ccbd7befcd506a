// RUN: xdsl-opt %s -p scf-bufferize | filecheck %s

// CHECK-LABEL: func.func @if(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %a : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    %1 = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:      scf.yield %0 : memref<4xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %2 = "test.op"(%b) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:      %3 = bufferization.to_buffer %2 : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:      scf.yield %3 : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %4 = bufferization.to_tensor %1 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    func.return %4 : tensor<4xf32>
func.func @if(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.if %c -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  } else {
    %1 = "test.op"(%b) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @for(%n: index, %s: index, %t: tensor<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %1 = arith.constant 0 : index
// CHECK-NEXT:    %2 = memref.dim %0, %1 : memref<?xf32>
// CHECK-NEXT:    %3 = memref.alloc(%2) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%0, %3) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    %4 = scf.for %i = %n to %n step %s iter_args(%a = %3) -> (memref<?xf32>) {
// CHECK-NEXT:      %5 = bufferization.to_tensor %a : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:      %6 = "test.op"(%5) : (tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:      %7 = bufferization.to_buffer %6 : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:      scf.yield %7 : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %8 = bufferization.to_tensor %4 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:    func.return %8 : tensor<?xf32>
func.func @for(%n: index, %s: index, %t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = scf.for %i = %n to %n step %s iter_args(%a = %t) -> (tensor<?xf32>) {
    %1 = "test.op"(%a) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %1 : tensor<?xf32>
  }
  func.return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @while(%t: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%0, %1) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %2 = scf.while (%a = %1) : (memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %3 = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:      %c = "test.op"(%3) : (tensor<4xf32>) -> i1
// CHECK-NEXT:      scf.condition(%c) %a : memref<4xf32>
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%b: memref<4xf32>):
// CHECK-NEXT:      %4 = bufferization.to_tensor %b : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:      %5 = "test.op"(%4) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:      %6 = bufferization.to_buffer %5 : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:      scf.yield %6 : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %7 = bufferization.to_tensor %2 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    func.return %7 : tensor<4xf32>
func.func @while(%t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = scf.while (%a = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    %c = "test.op"(%a) : (tensor<4xf32>) -> i1
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %1 = "test.op"(%b) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  func.return %0 : tensor<4xf32>
}

// What the runs combine is a part of the loop.
// CHECK-LABEL: func.func @parallel(%n: index, %x: tensor<1xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %x : tensor<1xf32> to memref<1xf32>
// CHECK-NEXT:    %1 = bufferization.to_buffer %o : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%1, %r) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    "scf.forall"(%n) <{operandSegmentSizes = array<i32: 0, 1, 0, 0>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
// CHECK-NEXT:    ^bb0(%i: index):
// CHECK-NEXT:      %2 = memref.subview %r[%i] [1] [1] : memref<4xf32> to memref<1xf32, strided<[1], offset: ?>>
// CHECK-NEXT:      "memref.copy"(%0, %2) : (memref<1xf32>, memref<1xf32, strided<[1], offset: ?>>) -> ()
// CHECK-NEXT:      "scf.forall.in_parallel"() ({
// CHECK-NEXT:      ^bb0:
// CHECK-NEXT:      }) : () -> ()
// CHECK-NEXT:    }) : (index) -> ()
// CHECK-NEXT:    %3 = bufferization.to_tensor %r : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    func.return %3 : tensor<4xf32>
func.func @parallel(%n: index, %x: tensor<1xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = "scf.forall"(%n, %o) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index, %a: tensor<4xf32>):
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%x, %a, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1>, static_strides = array<i64: 1>}> : (tensor<1xf32>, tensor<4xf32>, index) -> ()
    }) : () -> ()
  }) : (index, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
