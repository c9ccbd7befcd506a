// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @static(%s: memref<4x3xf32>, %t: memref<8x8xf32>) -> memref<8x8xf32> {
// CHECK-NEXT:    %0 = memref.subview %t[2, 1] [4, 3] [1, 2] : memref<8x8xf32> to memref<4x3xf32, strided<[8, 2], offset: 17>>
// CHECK-NEXT:    "memref.copy"(%s, %0) : (memref<4x3xf32>, memref<4x3xf32, strided<[8, 2], offset: 17>>) -> ()
// CHECK-NEXT:    func.return %t : memref<8x8xf32>
func.func @static(%s: tensor<4x3xf32>, %t: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %r = tensor.insert_slice %s into %t[2, 1] [4, 3] [1, 2] : tensor<4x3xf32> into tensor<8x8xf32>
  func.return %r : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @dynamic(%s: memref<?x3xf32>, %t: memref<?x8xf32>, %i: index, %n: index) -> memref<?x8xf32> {
// CHECK-NEXT:    %0 = memref.subview %t[%i, 1] [%n, 3] [2, %n] : memref<?x8xf32> to memref<?x3xf32, strided<[16, ?], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%s, %0) : (memref<?x3xf32>, memref<?x3xf32, strided<[16, ?], offset: ?>>) -> ()
// CHECK-NEXT:    func.return %t : memref<?x8xf32>
func.func @dynamic(%s: tensor<?x3xf32>, %t: tensor<?x8xf32>, %i: index, %n: index) -> tensor<?x8xf32> {
  %r = tensor.insert_slice %s into %t[%i, 1] [%n, 3] [2, %n] : tensor<?x3xf32> into tensor<?x8xf32>
  func.return %r : tensor<?x8xf32>
}

// CHECK-LABEL: func.func @rank_reducing(%s: memref<4xf32>, %t: memref<4x1x8xf32>, %i: index) -> memref<4x1x8xf32> {
// CHECK-NEXT:    %0 = memref.subview %t[%i, 0, 2] [1, 1, 4] [1, 1, 1] : memref<4x1x8xf32> to memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%s, %0) : (memref<4xf32>, memref<4xf32, strided<[1], offset: ?>>) -> ()
// CHECK-NEXT:    func.return %t : memref<4x1x8xf32>
func.func @rank_reducing(%s: tensor<4xf32>, %t: tensor<4x1x8xf32>, %i: index) -> tensor<4x1x8xf32> {
  %r = tensor.insert_slice %s into %t[%i, 0, 2] [1, 1, 4] [1, 1, 1] : tensor<4xf32> into tensor<4x1x8xf32>
  func.return %r : tensor<4x1x8xf32>
}

// CHECK-LABEL: func.func @from_rank_zero(%s: memref<f32>, %t: memref<4xf32>, %i: index) -> memref<4xf32> {
// CHECK-NEXT:    %0 = memref.subview %t[%i] [1] [1] : memref<4xf32> to memref<f32, strided<[], offset: ?>>
// CHECK-NEXT:    "memref.copy"(%s, %0) : (memref<f32>, memref<f32, strided<[], offset: ?>>) -> ()
// CHECK-NEXT:    func.return %t : memref<4xf32>
func.func @from_rank_zero(%s: tensor<f32>, %t: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %r = tensor.insert_slice %s into %t[%i] [1] [1] : tensor<f32> into tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// Extracted, computed, inserted: all in the memory of %t.
// CHECK-LABEL: func.func @already_in_place(%t: memref<64xf32>, %f: f32, %i: index) -> memref<64xf32> {
// CHECK-NEXT:    %s = memref.subview %t[%i] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%s : memref<4xf32, strided<[1], offset: ?>>)
// CHECK-NEXT:    func.return %t : memref<64xf32>
func.func @already_in_place(%t: tensor<64xf32>, %f: f32, %i: index) -> tensor<64xf32> {
  %s = tensor.extract_slice %t[%i] [4] [1] : tensor<64xf32> to tensor<4xf32>
  %a = linalg.fill ins(%f : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %a into %t[%i] [4] [1] : tensor<4xf32> into tensor<64xf32>
  func.return %r : tensor<64xf32>
}

// Inserted somewhere else: the slice can be written where it is only if nobody reads it.
// CHECK-LABEL: func.func @other_place(%t: memref<64xf32>, %f: f32, %i: index) -> memref<64xf32> {
// CHECK-NEXT:    %s = memref.subview %t[0] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%s, %a) : (memref<4xf32, strided<[1]>>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    %0 = memref.subview %t[8] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: 8>>
// CHECK-NEXT:    "memref.copy"(%a, %0) : (memref<4xf32>, memref<4xf32, strided<[1], offset: 8>>) -> ()
// CHECK-NEXT:    func.return %t : memref<64xf32>
func.func @other_place(%t: tensor<64xf32>, %f: f32, %i: index) -> tensor<64xf32> {
  %s = tensor.extract_slice %t[0] [4] [1] : tensor<64xf32> to tensor<4xf32>
  %a = tensor.insert %f into %s[%i] : tensor<4xf32>
  %r = tensor.insert_slice %a into %t[8] [4] [1] : tensor<4xf32> into tensor<64xf32>
  func.return %r : tensor<64xf32>
}

// CHECK-LABEL: func.func @out_of_place(%s: memref<4xf32>, %t: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    %0 = memref.subview %r[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
// CHECK-NEXT:    "memref.copy"(%s, %0) : (memref<4xf32>, memref<4xf32, strided<[1], offset: 2>>) -> ()
// CHECK-NEXT:    func.return %r, %t : memref<8xf32>, memref<8xf32>
func.func @out_of_place(%s: tensor<4xf32>, %t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = tensor.insert_slice %s into %t[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %r, %t : tensor<8xf32>, tensor<8xf32>
}

// All of the destination is overwritten, so that its contents need not be copied.
// CHECK-LABEL: func.func @whole_destination(%s: memref<8xf32>, %t: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    %0 = memref.subview %r[0] [8] [1] : memref<8xf32> to memref<8xf32, strided<[1]>>
// CHECK-NEXT:    "memref.copy"(%s, %0) : (memref<8xf32>, memref<8xf32, strided<[1]>>) -> ()
// CHECK-NEXT:    func.return %r, %t : memref<8xf32>, memref<8xf32>
func.func @whole_destination(%s: tensor<8xf32>, %t: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = tensor.insert_slice %s into %t[0] [8] [1] : tensor<8xf32> into tensor<8xf32>
  func.return %r, %t : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @rank_zero(%s: memref<f32>, %t: memref<f32>) -> memref<f32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<f32>
// CHECK-NEXT:    %0 = memref.subview %r[] [] [] : memref<f32> to memref<f32, strided<[]>>
// CHECK-NEXT:    "memref.copy"(%s, %0) : (memref<f32>, memref<f32, strided<[]>>) -> ()
// CHECK-NEXT:    func.return %r : memref<f32>
func.func @rank_zero(%s: tensor<f32>, %t: tensor<f32> {bufferization.writable = false}) -> tensor<f32> {
  %r = tensor.insert_slice %s into %t[] [] [] : tensor<f32> into tensor<f32>
  func.return %r : tensor<f32>
}

// Nothing is inserted, but the slice has a buffer.
// CHECK-LABEL: func.func @no_elements(%s: memref<0x4xf32>, %t: memref<8x4xf32>) -> memref<8x4xf32> {
// CHECK-NEXT:    %0 = memref.subview %t[2, 0] [0, 4] [1, 1] : memref<8x4xf32> to memref<0x4xf32, strided<[4, 1], offset: 8>>
// CHECK-NEXT:    "memref.copy"(%s, %0) : (memref<0x4xf32>, memref<0x4xf32, strided<[4, 1], offset: 8>>) -> ()
// CHECK-NEXT:    func.return %t : memref<8x4xf32>
func.func @no_elements(%s: tensor<0x4xf32>, %t: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %r = tensor.insert_slice %s into %t[2, 0] [0, 4] [1, 1] : tensor<0x4xf32> into tensor<8x4xf32>
  func.return %r : tensor<8x4xf32>
}

// What is read of the inserted tensor, behind the insertion, is in its place already.
// CHECK-LABEL: func.func @parts_of_the_source(%t: memref<8xf32>, %f: f32, %i: index) -> (memref<8xf32>, f32) {
// CHECK-NEXT:    %s = memref.subview %t[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:    memref.store %f, %s[%i] : memref<4xf32, strided<[1]>>
// CHECK-NEXT:    %p = memref.subview %s[1] [2] [1] : memref<4xf32, strided<[1]>> to memref<2xf32, strided<[1], offset: 1>>
// CHECK-NEXT:    %x = memref.load %p[%i] : memref<2xf32, strided<[1], offset: 1>>
// CHECK-NEXT:    func.return %t, %x : memref<8xf32>, f32
func.func @parts_of_the_source(%t: tensor<8xf32>, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %a = tensor.insert %f into %s[%i] : tensor<4xf32>
  %p = tensor.extract_slice %a[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %r = tensor.insert_slice %a into %t[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %x = tensor.extract %p[%i] : tensor<2xf32>
  func.return %r, %x : tensor<8xf32>, f32
}

// The inner loop works in the row already, so that nothing is inserted.
// CHECK-LABEL: func.func @rows_of_tiles(%a: memref<64x64xf32>) -> memref<64x64xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c8 = arith.constant 8 : index
// CHECK-NEXT:    %c64 = arith.constant 64 : index
// CHECK-NEXT:    %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%u = %a) -> (memref<64x64xf32>) {
// CHECK-NEXT:      %rows = memref.subview %a[%i, 0] [8, 64] [1, 1] : memref<64x64xf32> to memref<8x64xf32, strided<[64, 1], offset: ?>>
// CHECK-NEXT:      %rowd = memref.subview %u[%i, 0] [8, 64] [1, 1] : memref<64x64xf32> to memref<8x64xf32, strided<[64, 1], offset: ?>>
// CHECK-NEXT:      %q = scf.for %j = %c0 to %c64 step %c8 iter_args(%t = %rowd) -> (memref<8x64xf32, strided<[64, 1], offset: ?>>) {
// CHECK-NEXT:        %s = memref.subview %rows[0, %j] [8, 8] [1, 1] : memref<8x64xf32, strided<[64, 1], offset: ?>> to memref<8x8xf32, strided<[64, 1], offset: ?>>
// CHECK-NEXT:        %d = memref.subview %t[0, %j] [8, 8] [1, 1] : memref<8x64xf32, strided<[64, 1], offset: ?>> to memref<8x8xf32, strided<[64, 1], offset: ?>>
// CHECK-NEXT:        linalg.exp ins(%s : memref<8x8xf32, strided<[64, 1], offset: ?>>) outs(%d : memref<8x8xf32, strided<[64, 1], offset: ?>>)
// CHECK-NEXT:        scf.yield %t : memref<8x64xf32, strided<[64, 1], offset: ?>>
// CHECK-NEXT:      }
// CHECK-NEXT:      scf.yield %u : memref<64x64xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<64x64xf32>
// CHECK-NEXT:  }
func.func @rows_of_tiles(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %r = scf.for %i = %c0 to %c64 step %c8 iter_args(%u = %a) -> (tensor<64x64xf32>) {
    %rows = tensor.extract_slice %a[%i, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
    %rowd = tensor.extract_slice %u[%i, 0] [8, 64] [1, 1] : tensor<64x64xf32> to tensor<8x64xf32>
    %q = scf.for %j = %c0 to %c64 step %c8 iter_args(%t = %rowd) -> (tensor<8x64xf32>) {
      %s = tensor.extract_slice %rows[0, %j] [8, 8] [1, 1] : tensor<8x64xf32> to tensor<8x8xf32>
      %d = tensor.extract_slice %t[0, %j] [8, 8] [1, 1] : tensor<8x64xf32> to tensor<8x8xf32>
      %x = linalg.exp ins(%s : tensor<8x8xf32>) outs(%d : tensor<8x8xf32>) -> tensor<8x8xf32>
      %n = tensor.insert_slice %x into %t[0, %j] [8, 8] [1, 1] : tensor<8x8xf32> into tensor<8x64xf32>
      scf.yield %n : tensor<8x64xf32>
    }
    %n2 = tensor.insert_slice %q into %u[%i, 0] [8, 64] [1, 1] : tensor<8x64xf32> into tensor<64x64xf32>
    scf.yield %n2 : tensor<64x64xf32>
  }
  func.return %r : tensor<64x64xf32>
}
