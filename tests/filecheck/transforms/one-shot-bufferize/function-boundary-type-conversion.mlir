// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' | filecheck %s --check-prefix=INFER
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=infer-layout-map}' | filecheck %s --check-prefix=INFER
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=IDENTITY
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=fully-dynamic-layout-map}' | filecheck %s --check-prefix=DYNAMIC

// INFER-LABEL: func.func @new_buffer(%n: index) -> memref<?x4xf32> {
// INFER-NEXT:    %t = memref.alloc(%n) {alignment = 64 : i64} : memref<?x4xf32>
// INFER-NEXT:    func.return %t : memref<?x4xf32>
// INFER-NEXT:  }
// IDENTITY-LABEL: func.func @new_buffer(%n: index) -> memref<?x4xf32> {
// IDENTITY-NEXT:    %t = memref.alloc(%n) {alignment = 64 : i64} : memref<?x4xf32>
// IDENTITY-NEXT:    func.return %t : memref<?x4xf32>
// IDENTITY-NEXT:  }
// DYNAMIC-LABEL: func.func @new_buffer(%n: index) -> memref<?x4xf32, strided<[?, ?], offset: ?>> {
// DYNAMIC-NEXT:    %t = memref.alloc(%n) {alignment = 64 : i64} : memref<?x4xf32>
// DYNAMIC-NEXT:    %0 = "memref.cast"(%t) : (memref<?x4xf32>) -> memref<?x4xf32, strided<[?, ?], offset: ?>>
// DYNAMIC-NEXT:    func.return %0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
func.func @new_buffer(%n: index) -> tensor<?x4xf32> {
  %t = tensor.empty(%n) : tensor<?x4xf32>
  func.return %t : tensor<?x4xf32>
}

// A slice has no identity layout: with that one, a copy is returned.
// INFER-LABEL: func.func @slice(%t: memref<8xf32, strided<[?], offset: ?>>) -> memref<2xf32, strided<[?], offset: ?>> {
// INFER-NEXT:    %s = memref.subview %t[1] [2] [3] : memref<8xf32, strided<[?], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
// INFER-NEXT:    func.return %s : memref<2xf32, strided<[?], offset: ?>>
// IDENTITY-LABEL: func.func @slice(%t: memref<8xf32>) -> memref<2xf32> {
// IDENTITY-NEXT:    %s = memref.subview %t[1] [2] [3] : memref<8xf32> to memref<2xf32, strided<[3], offset: 1>>
// IDENTITY-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// IDENTITY-NEXT:    "memref.copy"(%s, %0) : (memref<2xf32, strided<[3], offset: 1>>, memref<2xf32>) -> ()
// IDENTITY-NEXT:    func.return %0 : memref<2xf32>
// DYNAMIC-LABEL: func.func @slice(%t: memref<8xf32, strided<[?], offset: ?>>) -> memref<2xf32, strided<[?], offset: ?>> {
// DYNAMIC-NEXT:    %s = memref.subview %t[1] [2] [3] : memref<8xf32, strided<[?], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
// DYNAMIC-NEXT:    func.return %s : memref<2xf32, strided<[?], offset: ?>>
func.func @slice(%t: tensor<8xf32>) -> tensor<2xf32> {
  %s = tensor.extract_slice %t[1] [2] [3] : tensor<8xf32> to tensor<2xf32>
  func.return %s : tensor<2xf32>
}

// INFER-LABEL: func.func private @external(memref<4xf32, strided<[?], offset: ?>>) -> memref<f32, strided<[], offset: ?>>
// IDENTITY-LABEL: func.func private @external(memref<4xf32>) -> memref<f32>
// DYNAMIC-LABEL: func.func private @external(memref<4xf32, strided<[?], offset: ?>>) -> memref<f32, strided<[], offset: ?>>
func.func private @external(tensor<4xf32>) -> tensor<f32>

// INFER-LABEL: func.func @call(%t: memref<4xf32, strided<[?], offset: ?>>) -> memref<f32, strided<[], offset: ?>> {
// INFER-NEXT:    %r = func.call @external(%t) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<f32, strided<[], offset: ?>>
// INFER-NEXT:    func.return %r : memref<f32, strided<[], offset: ?>>
// IDENTITY-LABEL: func.func @call(%t: memref<4xf32>) -> memref<f32> {
// IDENTITY-NEXT:    %r = func.call @external(%t) : (memref<4xf32>) -> memref<f32>
// IDENTITY-NEXT:    func.return %r : memref<f32>
// DYNAMIC-LABEL: func.func @call(%t: memref<4xf32, strided<[?], offset: ?>>) -> memref<f32, strided<[], offset: ?>> {
// DYNAMIC-NEXT:    %r = func.call @external(%t) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<f32, strided<[], offset: ?>>
// DYNAMIC-NEXT:    func.return %r : memref<f32, strided<[], offset: ?>>
func.func @call(%t: tensor<4xf32>) -> tensor<f32> {
  %r = func.call @external(%t) : (tensor<4xf32>) -> tensor<f32>
  func.return %r : tensor<f32>
}
