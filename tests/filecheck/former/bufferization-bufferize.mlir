// RUN: xdsl-opt %s -p bufferization-bufferize | filecheck %s

// CHECK-LABEL: func.func @alloc_tensor(%n: index, %t: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %1 = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    %2 = bufferization.to_tensor %1 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:    %3 = arith.constant 0 : index
// CHECK-NEXT:    %4 = memref.dim %0, %3 : memref<?xf32>
// CHECK-NEXT:    %5 = memref.alloc(%4) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%0, %5) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    %6 = bufferization.to_tensor %5 : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:    func.return %2, %6 : tensor<?xf32>, tensor<?xf32>
func.func @alloc_tensor(%n: index, %t: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %1 = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  func.return %0, %1 : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @dealloc_tensor() {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    memref.dealloc %0 : memref<4xf32>
// CHECK-NEXT:    func.return
func.func @dealloc_tensor() {
  %0 = bufferization.alloc_tensor() : tensor<4xf32>
  bufferization.dealloc_tensor %0 : tensor<4xf32>
  func.return
}

// Into a memref, and into a tensor, which other ops on tensors may still read.
// CHECK-LABEL: func.func @destinations(%t: tensor<4xf32>, %m: memref<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%0, %m) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%0, %1) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %2 = bufferization.to_tensor %1 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    func.return %2 : tensor<4xf32>
func.func @destinations(%t: tensor<4xf32>, %m: memref<4xf32>, %u: tensor<4xf32>) -> tensor<4xf32> {
  "bufferization.materialize_in_destination"(%t, %m) <{writable, restrict}> : (tensor<4xf32>, memref<4xf32>) -> ()
  %0 = "bufferization.materialize_in_destination"(%t, %u) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// Where ops are on tensors, materializations stay.
// CHECK-LABEL: func.func @materializations(%m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    %1 = "test.op"(%0) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    func.return %2 : memref<4xf32>
func.func @materializations(%m: memref<4xf32>) -> memref<4xf32> {
  %0 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %1 = "test.op"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32>
  func.return %2 : memref<4xf32>
}
