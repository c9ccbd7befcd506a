// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @gather(%t: memref<?x8xf32>, %i: index, %at: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:    %r = "vector.gather"(%t, %i, %i, %at, %m, %v) : (memref<?x8xf32>, index, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:    func.return %r : vector<4xf32>
func.func @gather(%t: tensor<?x8xf32>, %i: index, %at: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>) -> vector<4xf32> {
  %r = "vector.gather"(%t, %i, %i, %at, %m, %v) : (tensor<?x8xf32>, index, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  func.return %r : vector<4xf32>
}

// Any element may be read.
// CHECK-LABEL: func.func @gather_then_write(%t: memref<8xf32>, %i: index, %at: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>, %f: f32) -> (memref<8xf32>, vector<4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%i] : memref<8xf32>
// CHECK-NEXT:    %0 = "vector.gather"(%t, %i, %at, %m, %v) : (memref<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:    func.return %r, %0 : memref<8xf32>, vector<4xf32>
func.func @gather_then_write(%t: tensor<8xf32>, %i: index, %at: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>, %f: f32) -> (tensor<8xf32>, vector<4xf32>) {
  %r = tensor.insert %f into %t[%i] : tensor<8xf32>
  %1 = "vector.gather"(%t, %i, %at, %m, %v) : (tensor<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  func.return %r, %1 : tensor<8xf32>, vector<4xf32>
}
