// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries copy-before-write}' | filecheck %s

// CHECK-LABEL: func.func @to_buffer(%t: memref<*xf32>) -> memref<*xf32> {
// CHECK-NEXT:    func.return %t : memref<*xf32>
func.func @to_buffer(%t: tensor<*xf32>) -> memref<*xf32> {
  %m = bufferization.to_buffer %t : tensor<*xf32> to memref<*xf32>
  func.return %m : memref<*xf32>
}

// A write works on a copy of what is of known rank.
// CHECK-LABEL: func.func @to_tensor(%m: memref<*xf32>, %i: index, %f: f32) -> f32 {
// CHECK-NEXT:    %c = "memref.cast"(%m) : (memref<*xf32>) -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %c, %0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %d = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%c, %d) : (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %d[%i] : memref<?xf32>
// CHECK-NEXT:    %x = memref.load %d[%i] : memref<?xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @to_tensor(%m: memref<*xf32>, %i: index, %f: f32) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<*xf32> to tensor<*xf32>
  %c = tensor.cast %t : tensor<*xf32> to tensor<?xf32>
  %d = tensor.insert %f into %c[%i] : tensor<?xf32>
  %x = tensor.extract %d[%i] : tensor<?xf32>
  func.return %x : f32
}
