// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @scatter(%i9: memref<8xf32>, %at0: index, %at1: vector<4xi32>, %at2: vector<4xi1>, %at3: vector<4xf32>) -> memref<8xf32> {
// CHECK-NEXT:    "vector.scatter"(%i9, %at0, %at1, %at2, %at3) : (memref<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> ()
// CHECK-NEXT:    func.return %i9 : memref<8xf32>
func.func @scatter(%i9: tensor<8xf32>, %at0: index, %at1: vector<4xi32>, %at2: vector<4xi1>, %at3: vector<4xf32>) -> tensor<8xf32> {
  %t = "vector.scatter"(%i9, %at0, %at1, %at2, %at3) : (tensor<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> tensor<8xf32>
  func.return %t : tensor<8xf32>
}

// It keeps what it does not write.
// CHECK-LABEL: func.func @scatter_copy(%i4: memref<8xf32>, %i5: index, %i6: vector<4xi32>, %i7: vector<4xi1>, %i8: vector<4xf32>) -> memref<8xf32> {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%i4, %t) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    "vector.scatter"(%t, %i5, %i6, %i7, %i8) : (memref<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> ()
// CHECK-NEXT:    func.return %t : memref<8xf32>
func.func @scatter_copy(%i4: tensor<8xf32> {bufferization.writable = false}, %i5: index, %i6: vector<4xi32>, %i7: vector<4xi1>, %i8: vector<4xf32>) -> tensor<8xf32> {
  %t = "vector.scatter"(%i4, %i5, %i6, %i7, %i8) : (tensor<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> tensor<8xf32>
  func.return %t : tensor<8xf32>
}
