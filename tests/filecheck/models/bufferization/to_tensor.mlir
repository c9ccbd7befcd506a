// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s

// The memref that a tensor comes from is its buffer, with its layout and memory space.
// CHECK-LABEL: func.func @writable(%b: memref<?xf32, strided<[2], offset: 1>, 1 : i64>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:    memref.store %f, %b[%i] : memref<?xf32, strided<[2], offset: 1>, 1 : i64>
// CHECK-NEXT:    %x = memref.load %b[%i] : memref<?xf32, strided<[2], offset: 1>, 1 : i64>
// CHECK-NEXT:    func.return %x : f32
func.func @writable(%b: memref<?xf32, strided<[2], offset: 1>, 1>, %f: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %b restrict writable : memref<?xf32, strided<[2], offset: 1>, 1> to tensor<?xf32>
  %r = tensor.insert %f into %t[%i] : tensor<?xf32>
  %x = tensor.extract %r[%i] : tensor<?xf32>
  func.return %x : f32
}

// Without `writable` it must not be written.
// CHECK-LABEL: func.func @not_writable(%b: memref<?xf32>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %b, %0 : memref<?xf32>
// CHECK-NEXT:    %r = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%b, %r) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%i] : memref<?xf32>
// CHECK-NEXT:    %x = memref.load %r[%i] : memref<?xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @not_writable(%b: memref<?xf32>, %f: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %b restrict : memref<?xf32> to tensor<?xf32>
  %r = tensor.insert %f into %t[%i] : tensor<?xf32>
  %x = tensor.extract %r[%i] : tensor<?xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @rank_zero(%b: memref<i1>) -> i1 {
// CHECK-NEXT:    %x = memref.load %b[] : memref<i1>
// CHECK-NEXT:    func.return %x : i1
func.func @rank_zero(%b: memref<i1>) -> i1 {
  %t = bufferization.to_tensor %b restrict : memref<i1> to tensor<i1>
  %x = tensor.extract %t[] : tensor<i1>
  func.return %x : i1
}
