// RUN: xdsl-opt %s -p cse | filecheck %s

// Equal conversions are one; each allocation stays itself.
// CHECK-LABEL: func.func @cse(%n: index, %m: memref<?xf32>, %t: tensor<?xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
// CHECK-NEXT:    %1 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %2 = bufferization.materialize_in_destination %t in %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
// CHECK-NEXT:    %3 = bufferization.alloc_tensor(%n) : tensor<?xf32>
// CHECK-NEXT:    %4 = bufferization.alloc_tensor(%n) : tensor<?xf32>
// CHECK-NEXT:    %5 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:    %6 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:    "test.op"(%0, %0, %1, %1, %2, %2, %3, %4, %5, %6) :
func.func @cse(%n: index, %m: memref<?xf32>, %t: tensor<?xf32>) {
  %0 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %1 = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %2 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %3 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %4 = bufferization.materialize_in_destination %t in %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %5 = bufferization.materialize_in_destination %t in %0 : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  %6 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %7 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %8 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  %9 = bufferization.clone %m : memref<?xf32> to memref<?xf32>
  "test.op"(%0, %1, %2, %3, %4, %5, %6, %7, %8, %9) : (tensor<?xf32>, tensor<?xf32>, memref<?xf32>, memref<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, memref<?xf32>, memref<?xf32>) -> ()
  func.return
}
