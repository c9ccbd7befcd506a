// RUN: xdsl-opt %s -p empty-tensor-to-alloc-tensor | xdsl-opt | filecheck %s
// RUN: xdsl-opt %s -p empty-tensor-to-alloc-tensor | xdsl-opt -p canonicalize,cse | filecheck %s --check-prefix=CLEAN

// CHECK-LABEL: func.func @empty(%n: index, %t: tensor<?xf32>) -> index {
// CHECK-NEXT:    %m = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %d = tensor.dim %0, %c0 : tensor<?xf32>
// CHECK-NEXT:    func.return %d : index

// What xDSL's pass builds is of xDSL's classes; once it is read again, it is simplified.
// CLEAN-LABEL: func.func @empty(%n: index, %t: tensor<?xf32>) -> index {
// CLEAN-NEXT:    func.return %n : index
func.func @empty(%n: index, %t: tensor<?xf32>) -> index {
  %m = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %0 = tensor.empty(%n) : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %d = tensor.dim %0, %c0 : tensor<?xf32>
  func.return %d : index
}
