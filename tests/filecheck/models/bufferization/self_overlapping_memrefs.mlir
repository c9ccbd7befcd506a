// RUN: xdsl-opt %s -p 'eliminate-empty-tensors,one-shot-bufferize{bufferize-function-boundaries}' --split-input-file --verify-diagnostics | filecheck %s

// Where %k is 0, both rows of the destination are in one place. The tensor is computed elsewhere.
// CHECK-LABEL: func.func @destination(
// CHECK:         %e = memref.alloc()
// CHECK:         linalg.fill ins(%f : f32) outs(%e : memref<2x2xf32>)
// CHECK-NEXT:    "memref.copy"(%e, %v)
func.func @destination(%f: f32, %o: memref<4xf32>, %k: index) {
  %e = tensor.empty() : tensor<2x2xf32>
  %r = linalg.fill ins(%f : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %v = memref.reinterpret_cast %o to offset: [0], sizes: [2, 2], strides: [%k, 1] : memref<4xf32> to memref<2x2xf32, strided<[?, 1]>>
  bufferization.materialize_in_destination %r in restrict writable %v : (tensor<2x2xf32>, memref<2x2xf32, strided<[?, 1]>>) -> ()
  func.return
}

// Strides that are at least as large as the rows are harmless.
// CHECK-LABEL: func.func @rows(
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.fill ins(%f : f32) outs(%v : memref<?x?xf32, strided<[?, 1]>>)
// CHECK-NEXT:    func.return
func.func @rows(%f: f32, %o: memref<?xf32>, %m: index, %n: index) {
  %v = memref.reinterpret_cast %o to offset: [0], sizes: [%m, %n], strides: [%n, 1] : memref<?xf32> to memref<?x?xf32, strided<[?, 1]>>
  %e = tensor.empty(%m, %n) : tensor<?x?xf32>
  %r = linalg.fill ins(%f : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  bufferization.materialize_in_destination %r in restrict writable %v : (tensor<?x?xf32>, memref<?x?xf32, strided<[?, 1]>>) -> ()
  func.return
}

// Strides smaller than the rows: in memory, the second row begins within the first.
// CHECK-LABEL: func.func @small_stride(
// CHECK:         %e = memref.alloc()
// CHECK:         "memref.copy"(%e, %o)
func.func @small_stride(%f: f32, %o: memref<2x2xf32, strided<[1, 1]>>) {
  %e = tensor.empty() : tensor<2x2xf32>
  %r = linalg.fill ins(%f : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<2x2xf32>, memref<2x2xf32, strided<[1, 1]>>) -> ()
  func.return
}

// Columns of a matrix do not overlap, and layouts of arguments are taken not to.
// CHECK-LABEL: func.func @columns(
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func @columns(%f: f32, %a: memref<4x?xf32, strided<[1, 4]>>, %b: memref<?x?xf32, strided<[?, ?], offset: ?>>, %i: index) -> (f32, f32) {
  %s = bufferization.to_tensor %a restrict writable : memref<4x?xf32, strided<[1, 4]>> to tensor<4x?xf32>
  %t = bufferization.to_tensor %b restrict writable : memref<?x?xf32, strided<[?, ?], offset: ?>> to tensor<?x?xf32>
  %u = tensor.insert %f into %s[%i, %i] : tensor<4x?xf32>
  %v = tensor.insert %f into %t[%i, %i] : tensor<?x?xf32>
  %x = tensor.extract %u[%i, %i] : tensor<4x?xf32>
  %y = tensor.extract %v[%i, %i] : tensor<?x?xf32>
  func.return %x, %y : f32, f32
}

// What a conditional yields, and a view of it.
// CHECK-LABEL: func.func @conditional(
// CHECK:         "memref.copy"
// CHECK:         memref.store
func.func @conditional(%f: f32, %o: memref<2x2xf32>, %p: memref<4xf32>, %k: index, %c: i1) -> f32 {
  %m = scf.if %c -> (memref<2x2xf32, strided<[?, 1]>>) {
    %v = memref.reinterpret_cast %p to offset: [0], sizes: [2, 2], strides: [%k, 1] : memref<4xf32> to memref<2x2xf32, strided<[?, 1]>>
    scf.yield %v : memref<2x2xf32, strided<[?, 1]>>
  } else {
    %v = memref.cast %o : memref<2x2xf32> to memref<2x2xf32, strided<[?, 1]>>
    scf.yield %v : memref<2x2xf32, strided<[?, 1]>>
  }
  %s = memref.subview %m[0, 0] [2, 1] [1, 1] : memref<2x2xf32, strided<[?, 1]>> to memref<2xf32, strided<[?]>>
  %t = bufferization.to_tensor %s restrict writable : memref<2xf32, strided<[?]>> to tensor<2xf32>
  %u = tensor.insert %f into %t[%k] : tensor<2xf32>
  %x = tensor.extract %u[%k] : tensor<2xf32>
  func.return %x : f32
}

// Nothing is written: the elements are read where they are.
// CHECK-LABEL: func.func @read(
// CHECK-NOT:     memref.alloc
// CHECK:         memref.load
func.func @read(%o: memref<2x2xf32, strided<[0, 1]>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %o restrict writable : memref<2x2xf32, strided<[0, 1]>> to tensor<2x2xf32>
  %x = tensor.extract %t[%i, %i] : tensor<2x2xf32>
  func.return %x : f32
}

// -----

// A tensor in such memory cannot be a destination.
func.func @refused(%f: tensor<2x2xf32>, %o: memref<2x2xf32, strided<[0, 1]>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %o restrict writable : memref<2x2xf32, strided<[0, 1]>> to tensor<2x2xf32>
  %r = bufferization.materialize_in_destination %f in %t : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %x = tensor.extract %r[%i, %i] : tensor<2x2xf32>
  func.return %x : f32
}
// CHECK: must have operand #1 in place, but its buffer must not be written
