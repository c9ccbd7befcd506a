// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=tensor,bufferization}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=tensor,bufferization bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=tensor}' | filecheck %s --check-prefix=COPIES
// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=tensor,linalg,func bufferize-function-boundaries}' | filecheck %s --check-prefix=FUNC
// RUN: xdsl-opt %s -p 'one-shot-bufferize{dialect-filter=linalg}' | filecheck %s --check-prefix=NONE

// Ops of other dialects stay on tensors, known or not; so do the copies, which are ops of
// the bufferization dialect, if that is not named.
// CHECK-LABEL: func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%0, %a) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    %1 = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    %b = "test.op"(%1) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %2 = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %x = memref.load %2[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
// COPIES-LABEL: func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> f32 {
// COPIES-NEXT:    %0 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
// COPIES-NEXT:    %a = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// COPIES-NEXT:    memref.store %f, %a[%i] : memref<4xf32, strided<[?], offset: ?>>
// COPIES-NEXT:    %1 = bufferization.to_tensor %a : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
// COPIES-NEXT:    %b = "test.op"(%1) : (tensor<4xf32>) -> tensor<4xf32>
// COPIES-NEXT:    %2 = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// COPIES-NEXT:    %x = memref.load %2[%i] : memref<4xf32, strided<[?], offset: ?>>
// COPIES-NEXT:    func.return %x : f32
// FUNC-LABEL: func.func @f(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> f32 {
// FUNC-NEXT:    memref.store %f, %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// FUNC-NEXT:    %0 = bufferization.to_tensor %t : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
// FUNC-NEXT:    %b = "test.op"(%0) : (tensor<4xf32>) -> tensor<4xf32>
// FUNC-NEXT:    %1 = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// FUNC-NEXT:    %x = memref.load %1[%i] : memref<4xf32, strided<[?], offset: ?>>
// FUNC-NEXT:    func.return %x : f32
// NONE-LABEL: func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> f32 {
// NONE-NEXT:    %a = tensor.insert %f into %t[%i] : tensor<4xf32>
// NONE-NEXT:    %b = "test.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
// NONE-NEXT:    %x = tensor.extract %b[%i] : tensor<4xf32>
// NONE-NEXT:    func.return %x : f32
func.func @f(%t: tensor<4xf32>, %f: f32, %i: index) -> f32 {
  %a = tensor.insert %f into %t[%i] : tensor<4xf32>
  %b = "test.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %b[%i] : tensor<4xf32>
  func.return %x : f32
}

// Ops that end blocks are bufferized as the op around them is.
// CHECK-LABEL: func.func @branches(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
// CHECK-NEXT:    cf.br ^bb1(%t : tensor<4xf32>)
// CHECK-NEXT:  ^bb1(%b: tensor<4xf32>):
// CHECK-NEXT:    %0 = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%0, %a) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    %1 = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    func.return %1 : tensor<4xf32>
// COPIES-LABEL: func.func @branches(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
// COPIES-NEXT:    cf.br ^bb1(%t : tensor<4xf32>)
// COPIES-NEXT:  ^bb1(%b: tensor<4xf32>):
// COPIES-NEXT:    %0 = bufferization.alloc_tensor() copy(%b) : tensor<4xf32>
// COPIES-NEXT:    %a = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// COPIES-NEXT:    memref.store %f, %a[%i] : memref<4xf32, strided<[?], offset: ?>>
// COPIES-NEXT:    %1 = bufferization.to_tensor %a : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
// COPIES-NEXT:    func.return %1 : tensor<4xf32>
// FUNC-LABEL: func.func @branches(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<4xf32, strided<[?], offset: ?>> {
// FUNC-NEXT:    cf.br ^bb1(%t : memref<4xf32, strided<[?], offset: ?>>)
// FUNC-NEXT:  ^bb1(%b: memref<4xf32, strided<[?], offset: ?>>):
// FUNC-NEXT:    memref.store %f, %b[%i] : memref<4xf32, strided<[?], offset: ?>>
// FUNC-NEXT:    func.return %b : memref<4xf32, strided<[?], offset: ?>>
// NONE-LABEL: func.func @branches(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
// NONE-NEXT:    cf.br ^bb1(%t : tensor<4xf32>)
// NONE-NEXT:  ^bb1(%b: tensor<4xf32>):
// NONE-NEXT:    %a = tensor.insert %f into %b[%i] : tensor<4xf32>
// NONE-NEXT:    func.return %a : tensor<4xf32>
func.func @branches(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  cf.br ^bb1(%t : tensor<4xf32>)
^bb1(%b: tensor<4xf32>):
  %a = tensor.insert %f into %b[%i] : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// CHECK-LABEL: func.func @loop(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
// CHECK-NEXT:    %r = scf.for %k = %i to %i step %i iter_args(%b = %t) -> (tensor<4xf32>) {
// CHECK-NEXT:      %0 = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%0, %a) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %a[%k] : memref<4xf32>
// CHECK-NEXT:      %1 = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:      scf.yield %1 : tensor<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : tensor<4xf32>
// COPIES-LABEL: func.func @loop(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
// COPIES-NEXT:    %r = scf.for %k = %i to %i step %i iter_args(%b = %t) -> (tensor<4xf32>) {
// COPIES-NEXT:      %0 = bufferization.alloc_tensor() copy(%b) : tensor<4xf32>
// COPIES-NEXT:      %a = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// COPIES-NEXT:      memref.store %f, %a[%k] : memref<4xf32, strided<[?], offset: ?>>
// COPIES-NEXT:      %1 = bufferization.to_tensor %a : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
// COPIES-NEXT:      scf.yield %1 : tensor<4xf32>
// COPIES-NEXT:    }
// COPIES-NEXT:    func.return %r : tensor<4xf32>
// FUNC-LABEL: func.func @loop(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<4xf32, strided<[?], offset: ?>> {
// FUNC-NEXT:    %0 = bufferization.to_tensor %t : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
// FUNC-NEXT:    %r = scf.for %k = %i to %i step %i iter_args(%b = %0) -> (tensor<4xf32>) {
// FUNC-NEXT:      %1 = bufferization.alloc_tensor() copy(%b) : tensor<4xf32>
// FUNC-NEXT:      %a = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// FUNC-NEXT:      memref.store %f, %a[%k] : memref<4xf32, strided<[?], offset: ?>>
// FUNC-NEXT:      %2 = bufferization.to_tensor %a : memref<4xf32, strided<[?], offset: ?>> to tensor<4xf32>
// FUNC-NEXT:      scf.yield %2 : tensor<4xf32>
// FUNC-NEXT:    }
// FUNC-NEXT:    %3 = bufferization.to_buffer %r : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// FUNC-NEXT:    func.return %3 : memref<4xf32, strided<[?], offset: ?>>
// NONE-LABEL: func.func @loop(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
// NONE-NEXT:    %r = scf.for %k = %i to %i step %i iter_args(%b = %t) -> (tensor<4xf32>) {
// NONE-NEXT:      %a = tensor.insert %f into %b[%k] : tensor<4xf32>
// NONE-NEXT:      scf.yield %a : tensor<4xf32>
// NONE-NEXT:    }
// NONE-NEXT:    func.return %r : tensor<4xf32>
func.func @loop(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = scf.for %k = %i to %i step %i iter_args(%b = %t) -> (tensor<4xf32>) {
    %a = tensor.insert %f into %b[%k] : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
