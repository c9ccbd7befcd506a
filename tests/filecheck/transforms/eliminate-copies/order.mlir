// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s

// What reads the tensor comes first, and what depends on the new one behind it.
// CHECK-LABEL: func.func @writer(
// CHECK-NEXT: %h = tensor.extract %t[%i] : tensor<4xf32>
// CHECK-NEXT: %w = tensor.insert %f into %t[%i] : tensor<4xf32>
// CHECK-NEXT: %g = tensor.extract %w[%i] : tensor<4xf32>
// CHECK-NEXT: %s = arith.addf %f, %h : f32
// CHECK-NEXT: func.return %w, %g, %s : tensor<4xf32>, f32, f32
func.func @writer(%t: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, f32, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %g = tensor.extract %w[%i] : tensor<4xf32>
  %h = tensor.extract %t[%i] : tensor<4xf32>
  %s = arith.addf %f, %h : f32
  func.return %w, %g, %s : tensor<4xf32>, f32, f32
}

// All readers.
// CHECK-LABEL: func.func @readers_of_slices(
// CHECK-NEXT: %s = tensor.extract_slice %t[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
// CHECK-NEXT: %g = tensor.extract %t[%i] : tensor<4xf32>
// CHECK-NEXT: %h = tensor.extract %s[%i] : tensor<2xf32>
// CHECK-NEXT: %w = tensor.insert %f into %t[%i] : tensor<4xf32>
// CHECK-NEXT: func.return %w, %g, %h : tensor<4xf32>, f32, f32
func.func @readers_of_slices(%t: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, f32, f32) {
  %s = tensor.extract_slice %t[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %g = tensor.extract %t[%i] : tensor<4xf32>
  %h = tensor.extract %s[%i] : tensor<2xf32>
  func.return %w, %g, %h : tensor<4xf32>, f32, f32
}

// What is read last depends on what is written.
// CHECK-LABEL: func.func @dependent(
// CHECK-NEXT: %w = tensor.insert %f into %t[%i] : tensor<4xf32>
// CHECK-NEXT: %g = tensor.extract %w[%j] : tensor<4xf32>
// CHECK-NEXT: %k = arith.fptoui %g : f32 to i32
// CHECK-NEXT: %l = arith.index_cast %k : i32 to index
// CHECK-NEXT: %h = tensor.extract %t[%l] : tensor<4xf32>
// CHECK-NEXT: func.return %w, %h : tensor<4xf32>, f32
func.func @dependent(%t: tensor<4xf32>, %i: index, %j: index, %f: f32) -> (tensor<4xf32>, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %g = tensor.extract %w[%j] : tensor<4xf32>
  %k = arith.fptoui %g : f32 to i32
  %l = arith.index_cast %k : i32 to index
  %h = tensor.extract %t[%l] : tensor<4xf32>
  func.return %w, %h : tensor<4xf32>, f32
}

// The old tensor is read by the terminator.
// CHECK-LABEL: func.func @returned(
// CHECK-NEXT: %w = tensor.insert %f into %t[%i] : tensor<4xf32>
// CHECK-NEXT: func.return %w, %t : tensor<4xf32>, tensor<4xf32>
func.func @returned(%t: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %w, %t : tensor<4xf32>, tensor<4xf32>
}

// Ops on memrefs move with the memory that they write.
// CHECK-LABEL: func.func @stores(
// CHECK-NEXT: %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT: %h = tensor.extract %t[%i] : tensor<4xf32>
// CHECK-NEXT: %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT: memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT: %w = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT: memref.store %h, %a[%i] : memref<4xf32>
// CHECK-NEXT: func.return %w, %h : tensor<4xf32>, f32
func.func @stores(%t: tensor<4xf32>, %m: memref<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, f32) {
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %f, %b[%i] : memref<4xf32>
  %w = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
  %a = memref.alloc() : memref<4xf32>
  %h = tensor.extract %t[%i] : tensor<4xf32>
  memref.store %h, %a[%i] : memref<4xf32>
  func.return %w, %h : tensor<4xf32>, f32
}

// Ops on vectors access no memory.
// CHECK-LABEL: func.func @vectors(
// CHECK: vector.reduction
// CHECK: tensor.extract
// CHECK: bufferization.to_buffer
func.func @vectors(%t: tensor<4xf32>, %i: index, %f: f32, %v: vector<4xf32>) -> (tensor<4xf32>, f32) {
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %f, %b[%i] : memref<4xf32>
  %w = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
  %s = "vector.reduction"(%v) <{kind = #vector.kind<add>, fastmath = #arith.fastmath<none>}> : (vector<4xf32>) -> f32
  %h = tensor.extract %t[%i] : tensor<4xf32>
  %p = arith.addf %h, %s : f32
  func.return %w, %p : tensor<4xf32>, f32
}

// The memref argument may be that of the tensor.
// CHECK-LABEL: func.func @may_overlap(
// CHECK-NEXT: %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT: memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT: %w = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT: %g = memref.load %m[%i] : memref<4xf32>
// CHECK-NEXT: %h = tensor.extract %t[%i] : tensor<4xf32>
// CHECK-NEXT: %s = arith.addf %g, %h : f32
// CHECK-NEXT: func.return %w, %s : tensor<4xf32>, f32
func.func @may_overlap(%t: tensor<4xf32>, %m: memref<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, f32) {
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %f, %b[%i] : memref<4xf32>
  %w = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
  %g = memref.load %m[%i] : memref<4xf32>
  %h = tensor.extract %t[%i] : tensor<4xf32>
  %s = arith.addf %g, %h : f32
  func.return %w, %s : tensor<4xf32>, f32
}

// Nothing is known of what the function does.
// CHECK-LABEL: func.func @calls(
// CHECK-NEXT: %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT: memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT: %w = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT: func.call @unknown() : () -> ()
// CHECK-NEXT: %h = tensor.extract %t[%i] : tensor<4xf32>
// CHECK-NEXT: func.return %w, %h : tensor<4xf32>, f32
func.func @calls(%t: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, f32) {
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %f, %b[%i] : memref<4xf32>
  %w = bufferization.to_tensor %b restrict : memref<4xf32> to tensor<4xf32>
  func.call @unknown() : () -> ()
  %h = tensor.extract %t[%i] : tensor<4xf32>
  func.return %w, %h : tensor<4xf32>, f32
}

// What is read through the memref is read, too.
// CHECK-LABEL: func.func @loads(
// CHECK-NEXT: %b = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: %g = memref.load %b[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT: %w = tensor.insert %f into %t[%i] : tensor<4xf32>
// CHECK-NEXT: func.return %w, %g : tensor<4xf32>, f32
func.func @loads(%t: tensor<4xf32>, %i: index, %f: f32) -> (tensor<4xf32>, f32) {
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %b = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  %g = memref.load %b[%i] : memref<4xf32, strided<[?], offset: ?>>
  func.return %w, %g : tensor<4xf32>, f32
}
func.func private @unknown()
