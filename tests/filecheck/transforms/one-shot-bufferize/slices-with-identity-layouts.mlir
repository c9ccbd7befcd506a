// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// A slice of run-time size has the strides of what it is a part of. Without a layout, its sizes
// would give others.

func.func private @external(tensor<?x?xf32>) -> f32

// CHECK-LABEL: func.func @argument(
// CHECK:         %[[copy:[0-9]+]] = memref.alloc(%{{.*}}, %{{.*}}) {alignment = 64 : i64} : memref<?x?xf32>
// CHECK-NEXT:    "memref.copy"(%s, %[[copy]]) : (memref<?x?xf32, strided<[4, 1]>>, memref<?x?xf32>) -> ()
// CHECK-NEXT:    func.call @external(%[[copy]]) : (memref<?x?xf32>) -> f32
func.func @argument(%t: tensor<4x4xf32>, %n: index) -> f32 {
  %s = tensor.extract_slice %t[0, 0] [%n, %n] [1, 1] : tensor<4x4xf32> to tensor<?x?xf32>
  %r = func.call @external(%s) : (tensor<?x?xf32>) -> f32
  func.return %r : f32
}

// CHECK-LABEL: func.func @result(
// CHECK:         "memref.copy"(%s, %[[copy:[0-9]+]]) : (memref<2x?x4xf32, strided<[16, 4, 1]>>, memref<2x?x4xf32>) -> ()
// CHECK-NEXT:    func.return %[[copy]] : memref<2x?x4xf32>
func.func @result(%t: tensor<4x4x4xf32>, %n: index) -> tensor<2x?x4xf32> {
  %s = tensor.extract_slice %t[0, 0, 0] [2, %n, 4] [1, 1, 1] : tensor<4x4x4xf32> to tensor<2x?x4xf32>
  func.return %s : tensor<2x?x4xf32>
}

// CHECK-LABEL: func.func @buffer(
// CHECK:         "memref.copy"(%s, %m) : (memref<?x?xf32, strided<[4, 1]>>, memref<?x?xf32>) -> ()
// CHECK-NEXT:    func.return %m : memref<?x?xf32>
func.func @buffer(%t: tensor<4x4xf32>, %n: index) -> memref<?x?xf32> {
  %s = tensor.extract_slice %t[0, 0] [%n, %n] [1, 1] : tensor<4x4xf32> to tensor<?x?xf32>
  %m = bufferization.to_buffer %s : tensor<?x?xf32> to memref<?x?xf32>
  func.return %m : memref<?x?xf32>
}

// The type tells that these rows are contiguous.
// CHECK-LABEL: func.func @rows(
// CHECK-NEXT:    %s = memref.subview
// CHECK-NEXT:    %[[cast:[0-9]+]] = "memref.cast"(%s) : (memref<?x4xf32, strided<[4, 1]>>) -> memref<?x4xf32>
// CHECK-NEXT:    func.return %[[cast]] : memref<?x4xf32>
func.func @rows(%t: tensor<4x4xf32>, %n: index) -> tensor<?x4xf32> {
  %s = tensor.extract_slice %t[0, 0] [%n, 4] [1, 1] : tensor<4x4xf32> to tensor<?x4xf32>
  func.return %s : tensor<?x4xf32>
}

// One row is contiguous, whatever its stride is.
// CHECK-LABEL: func.func @row(
// CHECK-NEXT:    %s = memref.subview
// CHECK-NEXT:    "memref.cast"(%s) : (memref<1x?xf32, strided<[4, 1]>>) -> memref<1x?xf32>
func.func @row(%t: tensor<4x4xf32>, %n: index) -> tensor<1x?xf32> {
  %s = tensor.extract_slice %t[0, 0] [1, %n] [1, 1] : tensor<4x4xf32> to tensor<1x?xf32>
  func.return %s : tensor<1x?xf32>
}

// The sizes tell that these rows are, although the type does not.
// CHECK-LABEL: func.func @rows_of_unknown_size(
// CHECK:         %s = memref.subview
// CHECK-NEXT:    "memref.cast"(%s) : (memref<?x?xf32, strided<[?, 1]>>) -> memref<?x?xf32>
func.func @rows_of_unknown_size(%t: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c1 : tensor<?x?xf32>
  %s = tensor.extract_slice %t[0, 0] [%n, %d] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  func.return %s : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @rows_in_disguise(
// CHECK-NEXT:    %s = memref.subview
// CHECK-NEXT:    %c = "memref.cast"(%s) : (memref<?x4xf32, strided<[4, 1]>>) -> memref<?x?xf32, strided<[4, 1]>>
// CHECK-NEXT:    "memref.cast"(%c) : (memref<?x?xf32, strided<[4, 1]>>) -> memref<?x?xf32>
func.func @rows_in_disguise(%t: tensor<4x4xf32>, %n: index) -> tensor<?x?xf32> {
  %s = tensor.extract_slice %t[0, 0] [%n, 4] [1, 1] : tensor<4x4xf32> to tensor<?x4xf32>
  %c = tensor.cast %s : tensor<?x4xf32> to tensor<?x?xf32>
  func.return %c : tensor<?x?xf32>
}

// Steps make other strides of the same sizes.
// CHECK-LABEL: func.func @steps(
// CHECK:         "memref.copy"(%s, %{{.*}}) : (memref<?x?xf32, strided<[?, 1]>>, memref<?x?xf32>) -> ()
func.func @steps(%t: tensor<?x?xf32>, %n: index) -> tensor<?x?xf32> {
  %c1 = arith.constant 1 : index
  %d = tensor.dim %t, %c1 : tensor<?x?xf32>
  %s = tensor.extract_slice %t[0, 0] [%n, %d] [2, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  func.return %s : tensor<?x?xf32>
}
