// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%v: vector<4xf32>, %t: memref<?xf32>, %i: index) -> memref<?xf32> {
// CHECK-NEXT:    vector.transfer_write %v, %t[%i] : vector<4xf32>, memref<?xf32>
// CHECK-NEXT:    func.return %t : memref<?xf32>
func.func @in_place(%v: vector<4xf32>, %t: tensor<?xf32>, %i: index) -> tensor<?xf32> {
  %r = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @memref(%v: vector<4xf32>, %m: memref<8xf32>, %i: index) {
// CHECK-NEXT:    vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<8xf32>
// CHECK-NEXT:    func.return
func.func @memref(%v: vector<4xf32>, %m: memref<8xf32>, %i: index) {
  vector.transfer_write %v, %m[%i] : vector<4xf32>, memref<8xf32>
  func.return
}

// Some elements stay what they are.
// CHECK-LABEL: func.func @partial(%v: vector<4xf32>, %t: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    vector.transfer_write %v, %r[%c0] : vector<4xf32>, memref<8xf32>
// CHECK-NEXT:    func.return %r : memref<8xf32>
func.func @partial(%v: vector<4xf32>, %t: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @offset(%v: vector<8xf32>, %t: memref<8xf32>, %i: index) -> memref<8xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    vector.transfer_write %v, %r[%i] : vector<8xf32>, memref<8xf32>
// CHECK-NEXT:    func.return %r : memref<8xf32>
func.func @offset(%v: vector<8xf32>, %t: tensor<8xf32> {bufferization.writable = false}, %i: index) -> tensor<8xf32> {
  %r = vector.transfer_write %v, %t[%i] : vector<8xf32>, tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @masked(%v: vector<8xf32>, %t: memref<8xf32>, %m: vector<8xi1>) -> memref<8xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    vector.transfer_write %v, %r[%c0], %m : vector<8xf32>, memref<8xf32>
// CHECK-NEXT:    func.return %r : memref<8xf32>
func.func @masked(%v: vector<8xf32>, %t: tensor<8xf32> {bufferization.writable = false}, %m: vector<8xi1>) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0], %m : vector<8xf32>, tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// All elements are overwritten, so none has to be copied.
// CHECK-LABEL: func.func @whole(%v: vector<4x8xf32>, %t: memref<4x8xf32>) -> memref<4x8xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
// CHECK-NEXT:    vector.transfer_write %v, %r[%c0, %c0] : vector<4x8xf32>, memref<4x8xf32>
// CHECK-NEXT:    func.return %r : memref<4x8xf32>
func.func @whole(%v: vector<4x8xf32>, %t: tensor<4x8xf32> {bufferization.writable = false}) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0, %c0] : vector<4x8xf32>, tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @rank_zero(%v: vector<f32>, %t: memref<f32>) -> memref<f32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<f32>
// CHECK-NEXT:    vector.transfer_write %v, %r[] : vector<f32>, memref<f32>
// CHECK-NEXT:    func.return %r : memref<f32>
func.func @rank_zero(%v: vector<f32>, %t: tensor<f32> {bufferization.writable = false}) -> tensor<f32> {
  %r = vector.transfer_write %v, %t[] : vector<f32>, tensor<f32>
  func.return %r : tensor<f32>
}

// CHECK-LABEL: func.func @unit_dimension(%v: vector<8xf32>, %t: memref<1x8xf32>) -> memref<1x8xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<1x8xf32>
// CHECK-NEXT:    vector.transfer_write %v, %r[%c0, %c0] : vector<8xf32>, memref<1x8xf32>
// CHECK-NEXT:    func.return %r : memref<1x8xf32>
func.func @unit_dimension(%v: vector<8xf32>, %t: tensor<1x8xf32> {bufferization.writable = false}) -> tensor<1x8xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0, %c0] : vector<8xf32>, tensor<1x8xf32>
  func.return %r : tensor<1x8xf32>
}

// CHECK-LABEL: func.func @transposed(%v: vector<8x4xf32>, %t: memref<4x8xf32>) -> memref<4x8xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32>
// CHECK-NEXT:    vector.transfer_write %v, %r[%c0, %c0] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<8x4xf32>, memref<4x8xf32>
// CHECK-NEXT:    func.return %r : memref<4x8xf32>
func.func @transposed(%v: vector<8x4xf32>, %t: tensor<4x8xf32> {bufferization.writable = false}) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0, %c0] {permutation_map = affine_map<(d0, d1) -> (d1, d0)>} : vector<8x4xf32>, tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @larger(%v: vector<16xf32>, %t: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    vector.transfer_write %v, %r[%c0] : vector<16xf32>, memref<8xf32>
// CHECK-NEXT:    func.return %r : memref<8xf32>
func.func @larger(%v: vector<16xf32>, %t: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0] : vector<16xf32>, tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @scalable(%v: vector<[8]xf32>, %t: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    vector.transfer_write %v, %r[%c0] : vector<[8]xf32>, memref<8xf32>
// CHECK-NEXT:    func.return %r : memref<8xf32>
func.func @scalable(%v: vector<[8]xf32>, %t: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0] : vector<[8]xf32>, tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// Of a column, most of the tensor stays.
// CHECK-LABEL: func.func @column(%v: vector<8xf32>, %t: memref<8x8xf32>) -> memref<8x8xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8x8xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
// CHECK-NEXT:    vector.transfer_write %v, %r[%c0, %c0] {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<8xf32>, memref<8x8xf32>
// CHECK-NEXT:    func.return %r : memref<8x8xf32>
func.func @column(%v: vector<8xf32>, %t: tensor<8x8xf32> {bufferization.writable = false}) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %r = vector.transfer_write %v, %t[%c0, %c0] {permutation_map = affine_map<(d0, d1) -> (d0)>} : vector<8xf32>, tensor<8x8xf32>
  func.return %r : tensor<8x8xf32>
}

// The element that is read is not among those that are written.
// CHECK-LABEL: func.func @part(%v: vector<4xf32>, %t: memref<8xf32>, %i: index) -> (memref<8xf32>, f32) {
// CHECK-NEXT:    %c4 = arith.constant 4 : index
// CHECK-NEXT:    %j = arith.addi %i, %c4 : index
// CHECK-NEXT:    vector.transfer_write %v, %t[%i] : vector<4xf32>, memref<8xf32>
// CHECK-NEXT:    %x = memref.load %t[%j] : memref<8xf32>
// CHECK-NEXT:    func.return %t, %x : memref<8xf32>, f32
func.func @part(%v: vector<4xf32>, %t: tensor<8xf32>, %i: index) -> (tensor<8xf32>, f32) {
  %c4 = arith.constant 4 : index
  %j = arith.addi %i, %c4 : index
  %r = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<8xf32>
  %x = tensor.extract %t[%j] : tensor<8xf32>
  func.return %r, %x : tensor<8xf32>, f32
}
