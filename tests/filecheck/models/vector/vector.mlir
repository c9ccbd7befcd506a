// RUN: xdsl-opt %s --allow-unregistered-dialect -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Both on the tensor's buffer.
// CHECK-LABEL: func.func @transfers(%t: memref<8xf32>, %f: f32, %i: index) -> memref<8xf32> {
// CHECK-NEXT:      %v = vector.transfer_read %t[%i], %f {in_bounds = [true]} : memref<8xf32>, vector<4xf32>
// CHECK-NEXT:      vector.transfer_write %v, %t[%i] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
// CHECK-NEXT:      func.return %t : memref<8xf32>
func.func @transfers(%t: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  %v = "vector.transfer_read"(%t, %i, %f) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (tensor<8xf32>, index, f32) -> vector<4xf32>
  %w = "vector.transfer_write"(%v, %t, %i) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, tensor<8xf32>, index) -> tensor<8xf32>
  func.return %w : tensor<8xf32>
}

// The write overwrites all of a buffer of its own, so that this is not copied.
// CHECK-LABEL: func.func @overwrites(%t: memref<4xf32>, %v: vector<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %c = arith.constant 0 : index
// CHECK-NEXT:      %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      vector.transfer_write %v, %w[%c] {in_bounds = [true]} : vector<4xf32>, memref<4xf32>
// CHECK-NEXT:      func.return %w, %t : memref<4xf32>, memref<4xf32>
func.func @overwrites(%t: tensor<4xf32>, %v: vector<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant 0 : index
  %w = "vector.transfer_write"(%v, %t, %c) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, tensor<4xf32>, index) -> tensor<4xf32>
  func.return %w, %t : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @gather(%t: memref<8xf32>, %i: index, %k: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:      %v = "vector.gather"(%t, %i, %k, %m, %p) : (memref<8xf32>, index, vector<4xindex>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:      func.return %v : vector<4xf32>
func.func @gather(%t: tensor<8xf32>, %i: index, %k: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>) -> vector<4xf32> {
  %v = "vector.gather"(%t, %i, %k, %m, %p) : (tensor<8xf32>, index, vector<4xindex>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  func.return %v : vector<4xf32>
}

// CHECK-LABEL: func.func @scatter(%t: memref<8xf32>, %i: index, %k: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>) -> memref<8xf32> {
// CHECK-NEXT:      "vector.scatter"(%t, %i, %k, %m, %p) : (memref<8xf32>, index, vector<4xindex>, vector<4xi1>, vector<4xf32>) -> ()
// CHECK-NEXT:      func.return %t : memref<8xf32>
func.func @scatter(%t: tensor<8xf32>, %i: index, %k: vector<4xindex>, %m: vector<4xi1>, %p: vector<4xf32>) -> tensor<8xf32> {
  %v = "vector.scatter"(%t, %i, %k, %m, %p) : (tensor<8xf32>, index, vector<4xindex>, vector<4xi1>, vector<4xf32>) -> tensor<8xf32>
  func.return %v : tensor<8xf32>
}

// The copy is made in front of the mask, which holds the masked op alone.
// CHECK-LABEL: func.func @mask(%t: memref<8xf32>, %i: index, %m: vector<4xi1>, %v: vector<4xf32>) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:      %w = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%t, %w) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      "vector.mask"(%m) ({
// CHECK-NEXT:        vector.transfer_write %v, %w[%i] {in_bounds = [true]} : vector<4xf32>, memref<8xf32>
// CHECK-NEXT:        "vector.yield"() : () -> ()
// CHECK-NEXT:      }) : (vector<4xi1>) -> ()
// CHECK-NEXT:      func.return %w, %t : memref<8xf32>, memref<8xf32>
func.func @mask(%t: tensor<8xf32>, %i: index, %m: vector<4xi1>, %v: vector<4xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %w = "vector.mask"(%m) ({
    %x = "vector.transfer_write"(%v, %t, %i) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (vector<4xf32>, tensor<8xf32>, index) -> tensor<8xf32>
    "vector.yield"(%x) : (tensor<8xf32>) -> ()
  }) : (vector<4xi1>) -> tensor<8xf32>
  func.return %w, %t : tensor<8xf32>, tensor<8xf32>
}
