// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s --check-prefix=OFF
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=false}' | filecheck %s --check-prefix=OFF
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' | filecheck %s --check-prefix=ON

// Of the functions around it nothing is known, so an argument must not be written.
// OFF-LABEL: func.func @callee(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
// OFF-NEXT:    %0 = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// OFF-NEXT:    %1 = arith.constant 0 : index
// OFF-NEXT:    %2 = memref.dim %0, %1 : memref<?xf32, strided<[?], offset: ?>>
// OFF-NEXT:    %r = memref.alloc(%2) {alignment = 64 : i64} : memref<?xf32>
// OFF-NEXT:    "memref.copy"(%0, %r) : (memref<?xf32, strided<[?], offset: ?>>, memref<?xf32>) -> ()
// OFF-NEXT:    memref.store %f, %r[%i] : memref<?xf32>
// OFF-NEXT:    %3 = bufferization.to_tensor %r : memref<?xf32> to tensor<?xf32>
// OFF-NEXT:    func.return %3 : tensor<?xf32>
// ON-LABEL: func.func @callee(%t: memref<?xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<?xf32, strided<[?], offset: ?>> {
// ON-NEXT:    memref.store %f, %t[%i] : memref<?xf32, strided<[?], offset: ?>>
// ON-NEXT:    func.return %t : memref<?xf32, strided<[?], offset: ?>>
func.func @callee(%t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// OFF-LABEL: func.func @caller(%f: f32, %i: index) -> f32 {
// OFF-NEXT:    %t = memref.alloc(%i) {alignment = 64 : i64} : memref<?xf32>
// OFF-NEXT:    %0 = bufferization.to_tensor %t : memref<?xf32> to tensor<?xf32>
// OFF-NEXT:    %r = func.call @callee(%0, %f, %i) : (tensor<?xf32>, f32, index) -> tensor<?xf32>
// OFF-NEXT:    %1 = bufferization.to_buffer %r : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
// OFF-NEXT:    %x = memref.load %1[%i] : memref<?xf32, strided<[?], offset: ?>>
// OFF-NEXT:    func.return %x : f32
// ON-LABEL: func.func @caller(%f: f32, %i: index) -> f32 {
// ON-NEXT:    %t = memref.alloc(%i) {alignment = 64 : i64} : memref<?xf32>
// ON-NEXT:    %0 = "memref.cast"(%t) : (memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>>
// ON-NEXT:    %r = func.call @callee(%0, %f, %i) : (memref<?xf32, strided<[?], offset: ?>>, f32, index) -> memref<?xf32, strided<[?], offset: ?>>
// ON-NEXT:    %x = memref.load %r[%i] : memref<?xf32, strided<[?], offset: ?>>
// ON-NEXT:    func.return %x : f32
func.func @caller(%f: f32, %i: index) -> f32 {
  %t = tensor.empty(%i) : tensor<?xf32>
  %r = func.call @callee(%t, %f, %i) : (tensor<?xf32>, f32, index) -> tensor<?xf32>
  %x = tensor.extract %r[%i] : tensor<?xf32>
  func.return %x : f32
}

// A tensor that ops on tensors use as well stays what it is for them.
// OFF-LABEL: func.func @used_by_both(%t: tensor<4xf32>, %i: index) -> (f32, tensor<4xf32>) {
// OFF-NEXT:    %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// OFF-NEXT:    %x = memref.load %0[%i] : memref<4xf32, strided<[?], offset: ?>>
// OFF-NEXT:    func.return %x, %t : f32, tensor<4xf32>
// ON-LABEL: func.func @used_by_both(%t: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> (f32, memref<4xf32, strided<[?], offset: ?>>) {
// ON-NEXT:    %x = memref.load %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// ON-NEXT:    func.return %x, %t : f32, memref<4xf32, strided<[?], offset: ?>>
func.func @used_by_both(%t: tensor<4xf32>, %i: index) -> (f32, tensor<4xf32>) {
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x, %t : f32, tensor<4xf32>
}
