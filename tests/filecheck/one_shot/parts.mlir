// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Reads and writes of different parts of a tensor.

// CHECK-LABEL: func.func @halves(%t: memref<8xf32>, %f: f32) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      %c = arith.constant 3 : index
// CHECK-NEXT:      %a = memref.subview %t[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%a : memref<4xf32, strided<[1]>>)
// CHECK-NEXT:      %b = memref.subview %t[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
// CHECK-NEXT:      %y = memref.load %b[%c] : memref<4xf32, strided<[1], offset: 4>>
// CHECK-NEXT:      %0 = "memref.cast"(%a) : (memref<4xf32, strided<[1]>>) -> memref<4xf32>
// CHECK-NEXT:      func.return %0, %y : memref<4xf32>, f32
func.func @halves(%t: tensor<8xf32>, %f: f32) -> (tensor<4xf32>, f32) {
  %c = arith.constant 3 : index
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %x = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %b = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %y = tensor.extract %b[%c] : tensor<4xf32>
  func.return %x, %y : tensor<4xf32>, f32
}

// They have an element in common.
// CHECK-LABEL: func.func @overlap(%t: memref<8xf32>, %f: f32) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      %c = arith.constant 0 : index
// CHECK-NEXT:      %a = memref.subview %t[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:      %x = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%x : memref<4xf32>)
// CHECK-NEXT:      %b = memref.subview %t[3] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 3>>
// CHECK-NEXT:      %y = memref.load %b[%c] : memref<4xf32, strided<[1], offset: 3>>
// CHECK-NEXT:      func.return %x, %y : memref<4xf32>, f32
func.func @overlap(%t: tensor<8xf32>, %f: f32) -> (tensor<4xf32>, f32) {
  %c = arith.constant 0 : index
  %a = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %x = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %b = tensor.extract_slice %t[3] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %y = tensor.extract %b[%c] : tensor<4xf32>
  func.return %x, %y : tensor<4xf32>, f32
}

// CHECK-LABEL: func.func @even_and_odd(%t: memref<8xf32>, %f: f32, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      %a = memref.subview %t[0] [4] [2] : memref<8xf32> to memref<4xf32, strided<[2]>>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%a : memref<4xf32, strided<[2]>>)
// CHECK-NEXT:      %b = memref.subview %t[1] [3] [2] : memref<8xf32> to memref<3xf32, strided<[2], offset: 1>>
// CHECK-NEXT:      %y = memref.load %b[%i] : memref<3xf32, strided<[2], offset: 1>>
// CHECK-NEXT:      %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%a, %0) : (memref<4xf32, strided<[2]>>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return %0, %y : memref<4xf32>, f32
func.func @even_and_odd(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %a = tensor.extract_slice %t[0] [4] [2] : tensor<8xf32> to tensor<4xf32>
  %x = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
  %b = tensor.extract_slice %t[1] [3] [2] : tensor<8xf32> to tensor<3xf32>
  %y = tensor.extract %b[%i] : tensor<3xf32>
  func.return %x, %y : tensor<4xf32>, f32
}

// CHECK-LABEL: func.func @next_element(%t: memref<8xf32>, %f: f32, %i: index) -> (memref<8xf32>, f32) {
// CHECK-NEXT:      %c = arith.constant 1 : index
// CHECK-NEXT:      %j = arith.addi %i, %c : index
// CHECK-NEXT:      memref.store %f, %t[%i] : memref<8xf32>
// CHECK-NEXT:      %y = memref.load %t[%j] : memref<8xf32>
// CHECK-NEXT:      func.return %t, %y : memref<8xf32>, f32
func.func @next_element(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %c = arith.constant 1 : index
  %j = arith.addi %i, %c : index
  %x = tensor.insert %f into %t[%i] : tensor<8xf32>
  %y = tensor.extract %t[%j] : tensor<8xf32>
  func.return %x, %y : tensor<8xf32>, f32
}

// The next iteration reads what this one has written.
// CHECK-LABEL: func.func @next_iteration(%t: memref<8xf32>, %f: f32, %n: index) -> f32 {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> (f32) {
// CHECK-NEXT:        %j = arith.addi %i, %c1 : index
// CHECK-NEXT:        %x = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:        "memref.copy"(%t, %x) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:        memref.store %f, %x[%j] : memref<8xf32>
// CHECK-NEXT:        %y = memref.load %t[%i] : memref<8xf32>
// CHECK-NEXT:        %z = memref.load %x[%j] : memref<8xf32>
// CHECK-NEXT:        %w = arith.addf %y, %z : f32
// CHECK-NEXT:        scf.yield %w : f32
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : f32
func.func @next_iteration(%t: tensor<8xf32>, %f: f32, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %f) -> (f32) {
    %j = arith.addi %i, %c1 : index
    %x = tensor.insert %f into %t[%j] : tensor<8xf32>
    %y = tensor.extract %t[%i] : tensor<8xf32>
    %z = tensor.extract %x[%j] : tensor<8xf32>
    %w = arith.addf %y, %z : f32
    scf.yield %w : f32
  }
  func.return %r : f32
}
