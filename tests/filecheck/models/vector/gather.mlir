// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @gather(%m0: memref<?x8xf32>, %m1: index, %m2: vector<4xi32>, %m3: vector<4xi1>, %m4: vector<4xf32>) -> vector<4xf32> {
// CHECK-NEXT:    %t = "vector.gather"(%m0, %m1, %m1, %m2, %m3, %m4) : (memref<?x8xf32>, index, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:    func.return %t : vector<4xf32>
func.func @gather(%m0: tensor<?x8xf32>, %m1: index, %m2: vector<4xi32>, %m3: vector<4xi1>, %m4: vector<4xf32>) -> vector<4xf32> {
  %t = "vector.gather"(%m0, %m1, %m1, %m2, %m3, %m4) : (tensor<?x8xf32>, index, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  func.return %t : vector<4xf32>
}

// Any element may be read.
// CHECK-LABEL: func.func @gather_then_write(%at4: memref<8xf32>, %at5: index, %at6: vector<4xi32>, %at7: vector<4xi1>, %at8: vector<4xf32>, %at9: f32) -> (memref<8xf32>, vector<4xf32>) {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%at4, %t) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    memref.store %at9, %t[%at5] : memref<8xf32>
// CHECK-NEXT:    %i = "vector.gather"(%at4, %at5, %at6, %at7, %at8) : (memref<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
// CHECK-NEXT:    func.return %t, %i : memref<8xf32>, vector<4xf32>
func.func @gather_then_write(%at4: tensor<8xf32>, %at5: index, %at6: vector<4xi32>, %at7: vector<4xi1>, %at8: vector<4xf32>, %at9: f32) -> (tensor<8xf32>, vector<4xf32>) {
  %t = tensor.insert %at9 into %at4[%at5] : tensor<8xf32>
  %i = "vector.gather"(%at4, %at5, %at6, %at7, %at8) : (tensor<8xf32>, index, vector<4xi32>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  func.return %t, %i : tensor<8xf32>, vector<4xf32>
}
