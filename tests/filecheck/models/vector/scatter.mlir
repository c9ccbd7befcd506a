// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @scatter(%t: memref<8xf32>, %i: index, %at: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>) -> memref<8xf32> {
// CHECK-NEXT:    "vector.scatter"(%t, %i, %at, %m, %v) : (memref<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> ()
// CHECK-NEXT:    func.return %t : memref<8xf32>
func.func @scatter(%t: tensor<8xf32>, %i: index, %at: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>) -> tensor<8xf32> {
  %r = "vector.scatter"(%t, %i, %at, %m, %v) : (tensor<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// It keeps what it does not write.
// CHECK-LABEL: func.func @scatter_copy(%t: memref<8xf32>, %i: index, %at: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>) -> memref<8xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    "vector.scatter"(%r, %i, %at, %m, %v) : (memref<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> ()
// CHECK-NEXT:    func.return %r : memref<8xf32>
func.func @scatter_copy(%t: tensor<8xf32> {bufferization.writable = false}, %i: index, %at: vector<4xi32>, %m: vector<4xi1>, %v: vector<4xf32>) -> tensor<8xf32> {
  %r = "vector.scatter"(%t, %i, %at, %m, %v) : (tensor<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}
