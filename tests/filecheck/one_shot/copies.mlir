// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// The loop needs a copy of the slice as it was, not of the memory that it was taken from.
// CHECK-LABEL: func.func @copy_of_a_copy(%t: memref<8xf32>, %f: f32, %n: index) -> (memref<4xf32>, memref<4xf32>, memref<8xf32>) {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %e = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
// CHECK-NEXT:      %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%e, %0) : (memref<4xf32, strided<[1], offset: 4>>, memref<4xf32>) -> ()
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%t : memref<8xf32>)
// CHECK-NEXT:      %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%0, %1) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %1) -> (memref<4xf32>) {
// CHECK-NEXT:        memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:        scf.yield %a : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %0, %r, %t : memref<4xf32>, memref<4xf32>, memref<8xf32>
func.func @copy_of_a_copy(%t: tensor<8xf32>, %f: f32, %n: index) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %w = linalg.fill ins(%f : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %e) -> (tensor<4xf32>) {
    %x = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  }
  func.return %e, %r, %w : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}
