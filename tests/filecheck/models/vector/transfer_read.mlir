// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @tensor(%t: memref<?x8xf32>, %i: index, %f: f32, %m: vector<4x8xi1>) -> vector<4x8xf32> {
// CHECK-NEXT:    %v = vector.transfer_read %t[%i, %i], %f, %m {in_bounds = [true, false]} : memref<?x8xf32>, vector<4x8xf32>
// CHECK-NEXT:    func.return %v : vector<4x8xf32>
func.func @tensor(%t: tensor<?x8xf32>, %i: index, %f: f32, %m: vector<4x8xi1>) -> vector<4x8xf32> {
  %v = vector.transfer_read %t[%i, %i], %f, %m {in_bounds = [true, false]} : tensor<?x8xf32>, vector<4x8xf32>
  func.return %v : vector<4x8xf32>
}

// CHECK-LABEL: func.func @rank_zero(%t: memref<f32>, %f: f32) -> vector<f32> {
// CHECK-NEXT:    %v = vector.transfer_read %t[], %f : memref<f32>, vector<f32>
// CHECK-NEXT:    func.return %v : vector<f32>
func.func @rank_zero(%t: tensor<f32>, %f: f32) -> vector<f32> {
  %v = vector.transfer_read %t[], %f : tensor<f32>, vector<f32>
  func.return %v : vector<f32>
}

// What is read from a memref is not a tensor's.
// CHECK-LABEL: func.func @memref(%t: memref<8xf32>, %i: index, %f: f32) -> vector<4xf32> {
// CHECK-NEXT:    %v = vector.transfer_read %t[%i], %f : memref<8xf32>, vector<4xf32>
// CHECK-NEXT:    func.return %v : vector<4xf32>
func.func @memref(%t: memref<8xf32>, %i: index, %f: f32) -> vector<4xf32> {
  %v = vector.transfer_read %t[%i], %f : memref<8xf32>, vector<4xf32>
  func.return %v : vector<4xf32>
}

// The four elements that are read are not the one that is written.
// CHECK-LABEL: func.func @part(%t: memref<8xf32>, %i: index, %f: f32) -> (memref<8xf32>, vector<4xf32>) {
// CHECK-NEXT:    %c4 = arith.constant 4 : index
// CHECK-NEXT:    %j = arith.addi %i, %c4 : index
// CHECK-NEXT:    memref.store %f, %t[%j] : memref<8xf32>
// CHECK-NEXT:    %v = vector.transfer_read %t[%i], %f : memref<8xf32>, vector<4xf32>
// CHECK-NEXT:    func.return %t, %v : memref<8xf32>, vector<4xf32>
func.func @part(%t: tensor<8xf32>, %i: index, %f: f32) -> (tensor<8xf32>, vector<4xf32>) {
  %c4 = arith.constant 4 : index
  %j = arith.addi %i, %c4 : index
  %r = tensor.insert %f into %t[%j] : tensor<8xf32>
  %v = vector.transfer_read %t[%i], %f : tensor<8xf32>, vector<4xf32>
  func.return %r, %v : tensor<8xf32>, vector<4xf32>
}

// CHECK-LABEL: func.func @overlap(%t: memref<8xf32>, %i: index, %f: f32) -> (memref<8xf32>, vector<4xf32>) {
// CHECK-NEXT:    %c3 = arith.constant 3 : index
// CHECK-NEXT:    %j = arith.addi %i, %c3 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%j] : memref<8xf32>
// CHECK-NEXT:    %v = vector.transfer_read %t[%i], %f : memref<8xf32>, vector<4xf32>
// CHECK-NEXT:    func.return %r, %v : memref<8xf32>, vector<4xf32>
func.func @overlap(%t: tensor<8xf32>, %i: index, %f: f32) -> (tensor<8xf32>, vector<4xf32>) {
  %c3 = arith.constant 3 : index
  %j = arith.addi %i, %c3 : index
  %r = tensor.insert %f into %t[%j] : tensor<8xf32>
  %v = vector.transfer_read %t[%i], %f : tensor<8xf32>, vector<4xf32>
  func.return %r, %v : tensor<8xf32>, vector<4xf32>
}

// The vector lies across the rows of the tensor, of which another column is written.
// CHECK-LABEL: func.func @columns(%t: memref<8x8xf32>, %i: index, %f: f32) -> (memref<8x8xf32>, vector<4xf32>) {
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %j = arith.addi %i, %c1 : index
// CHECK-NEXT:    memref.store %f, %t[%i, %j] : memref<8x8xf32>
// CHECK-NEXT:    %v = vector.transfer_read %t[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0)>} : memref<8x8xf32>, vector<4xf32>
// CHECK-NEXT:    func.return %t, %v : memref<8x8xf32>, vector<4xf32>
func.func @columns(%t: tensor<8x8xf32>, %i: index, %f: f32) -> (tensor<8x8xf32>, vector<4xf32>) {
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  %r = tensor.insert %f into %t[%i, %j] : tensor<8x8xf32>
  %v = vector.transfer_read %t[%i, %i], %f {permutation_map = affine_map<(d0, d1) -> (d0)>} : tensor<8x8xf32>, vector<4xf32>
  func.return %r, %v : tensor<8x8xf32>, vector<4xf32>
}

// How far a scalable vector goes is not known.
// CHECK-LABEL: func.func @scalable(%t: memref<8xf32>, %i: index, %f: f32) -> (memref<8xf32>, vector<[4]xf32>) {
// CHECK-NEXT:    %c4 = arith.constant 4 : index
// CHECK-NEXT:    %j = arith.addi %i, %c4 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%j] : memref<8xf32>
// CHECK-NEXT:    %v = vector.transfer_read %t[%i], %f : memref<8xf32>, vector<[4]xf32>
// CHECK-NEXT:    func.return %r, %v : memref<8xf32>, vector<[4]xf32>
func.func @scalable(%t: tensor<8xf32>, %i: index, %f: f32) -> (tensor<8xf32>, vector<[4]xf32>) {
  %c4 = arith.constant 4 : index
  %j = arith.addi %i, %c4 : index
  %r = tensor.insert %f into %t[%j] : tensor<8xf32>
  %v = vector.transfer_read %t[%i], %f : tensor<8xf32>, vector<[4]xf32>
  func.return %r, %v : tensor<8xf32>, vector<[4]xf32>
}
