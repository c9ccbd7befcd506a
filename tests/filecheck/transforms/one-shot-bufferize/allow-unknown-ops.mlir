// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops=true}' | filecheck %s --check-prefix=DYNAMIC
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops=true unknown-type-conversion=fully-dynamic-layout-map}' | filecheck %s --check-prefix=DYNAMIC
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops=true unknown-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=IDENTITY

// Ops of which nothing is known stay on tensors, and are connected to the rest.
// DYNAMIC-LABEL: func.func @between(%i: index, %f: f32) -> f32 {
// DYNAMIC-NEXT:    %a = "test.op"() : () -> tensor<4xf32>
// DYNAMIC-NEXT:    %0 = bufferization.to_buffer %a : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// DYNAMIC-NEXT:    "memref.copy"(%0, %b) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// DYNAMIC-NEXT:    memref.store %f, %b[%i] : memref<4xf32>
// DYNAMIC-NEXT:    %1 = bufferization.to_tensor %b : memref<4xf32> to tensor<4xf32>
// DYNAMIC-NEXT:    %c = "test.op"(%1) : (tensor<4xf32>) -> tensor<4xf32>
// DYNAMIC-NEXT:    %2 = bufferization.to_buffer %c : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:    %x = memref.load %2[%i] : memref<4xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:    func.return %x : f32
// IDENTITY-LABEL: func.func @between(%i: index, %f: f32) -> f32 {
// IDENTITY-NEXT:    %a = "test.op"() : () -> tensor<4xf32>
// IDENTITY-NEXT:    %0 = bufferization.to_buffer %a : tensor<4xf32> to memref<4xf32>
// IDENTITY-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// IDENTITY-NEXT:    "memref.copy"(%0, %b) : (memref<4xf32>, memref<4xf32>) -> ()
// IDENTITY-NEXT:    memref.store %f, %b[%i] : memref<4xf32>
// IDENTITY-NEXT:    %1 = bufferization.to_tensor %b : memref<4xf32> to tensor<4xf32>
// IDENTITY-NEXT:    %c = "test.op"(%1) : (tensor<4xf32>) -> tensor<4xf32>
// IDENTITY-NEXT:    %2 = bufferization.to_buffer %c : tensor<4xf32> to memref<4xf32>
// IDENTITY-NEXT:    %x = memref.load %2[%i] : memref<4xf32>
// IDENTITY-NEXT:    func.return %x : f32
func.func @between(%i: index, %f: f32) -> f32 {
  %a = "test.op"() : () -> tensor<4xf32>
  %b = tensor.insert %f into %a[%i] : tensor<4xf32>
  %c = "test.op"(%b) : (tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %c[%i] : tensor<4xf32>
  func.return %x : f32
}

// Whether an unknown op works in place is decided when it is bufferized some day.
// DYNAMIC-LABEL: func.func @stays(%m: memref<4xf32>, %i: index) -> f32 {
// DYNAMIC-NEXT:    %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
// DYNAMIC-NEXT:    "test.op"(%0) : (tensor<4xf32>) -> ()
// DYNAMIC-NEXT:    %x = memref.load %m[%i] : memref<4xf32>
// DYNAMIC-NEXT:    func.return %x : f32
// IDENTITY-LABEL: func.func @stays(%m: memref<4xf32>, %i: index) -> f32 {
// IDENTITY-NEXT:    %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
// IDENTITY-NEXT:    "test.op"(%0) : (tensor<4xf32>) -> ()
// IDENTITY-NEXT:    %x = memref.load %m[%i] : memref<4xf32>
// IDENTITY-NEXT:    func.return %x : f32
func.func @stays(%m: memref<4xf32>, %i: index) -> f32 {
  %a = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  "test.op"(%a) : (tensor<4xf32>) -> ()
  %x = tensor.extract %a[%i] : tensor<4xf32>
  func.return %x : f32
}
