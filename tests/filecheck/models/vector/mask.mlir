// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @read(%m0: memref<?xf32>, %m1: vector<4xi1>, %m2: f32, %m3: index) -> vector<4xf32> {
// CHECK-NEXT:    %t = "vector.mask"(%m1) ({
// CHECK-NEXT:      %0 = vector.transfer_read %m0[%m3], %m2 : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:      "vector.yield"(%0) : (vector<4xf32>) -> ()
// CHECK-NEXT:    }) : (vector<4xi1>) -> vector<4xf32>
// CHECK-NEXT:    func.return %t : vector<4xf32>
func.func @read(%m0: tensor<?xf32>, %m1: vector<4xi1>, %m2: f32, %m3: index) -> vector<4xf32> {
  %t = "vector.mask"(%m1) ({
    %1 = vector.transfer_read %m0[%m3], %m2 : tensor<?xf32>, vector<4xf32>
    "vector.yield"(%1) : (vector<4xf32>) -> ()
  }) : (vector<4xi1>) -> vector<4xf32>
  func.return %t : vector<4xf32>
}

// CHECK-LABEL: func.func @write(%arg6: memref<?xf32>, %arg7: vector<4xi1>, %arg8: vector<4xf32>, %arg9: index) -> memref<?xf32> {
// CHECK-NEXT:    "vector.mask"(%arg7) ({
// CHECK-NEXT:      vector.transfer_write %arg8, %arg6[%arg9] : vector<4xf32>, memref<?xf32>
// CHECK-NEXT:      "vector.yield"() : () -> ()
// CHECK-NEXT:    }) : (vector<4xi1>) -> ()
// CHECK-NEXT:    func.return %arg6 : memref<?xf32>
func.func @write(%arg6: tensor<?xf32>, %arg7: vector<4xi1>, %arg8: vector<4xf32>, %arg9: index) -> tensor<?xf32> {
  %t = "vector.mask"(%arg7) ({
    %m = vector.transfer_write %arg8, %arg6[%arg9] : vector<4xf32>, tensor<?xf32>
    "vector.yield"(%m) : (tensor<?xf32>) -> ()
  }) : (vector<4xi1>) -> tensor<?xf32>
  func.return %t : tensor<?xf32>
}

// Under a mask the vector does not overwrite the tensor. The copy is made before the mask,
// whose region holds nothing but the masked op.
// CHECK-LABEL: func.func @whole(%arg3: memref<4xf32>, %arg4: vector<4xi1>, %arg5: vector<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %t = arith.constant 0 : index
// CHECK-NEXT:    %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%arg3, %m) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    "vector.mask"(%arg4) ({
// CHECK-NEXT:      vector.transfer_write %arg5, %m[%t] : vector<4xf32>, memref<4xf32>
// CHECK-NEXT:      "vector.yield"() : () -> ()
// CHECK-NEXT:    }) : (vector<4xi1>) -> ()
// CHECK-NEXT:    func.return %m : memref<4xf32>
func.func @whole(%arg3: tensor<4xf32> {bufferization.writable = false}, %arg4: vector<4xi1>, %arg5: vector<4xf32>) -> tensor<4xf32> {
  %t = arith.constant 0 : index
  %m = "vector.mask"(%arg4) ({
    %v = vector.transfer_write %arg5, %arg3[%t] : vector<4xf32>, tensor<4xf32>
    "vector.yield"(%v) : (tensor<4xf32>) -> ()
  }) : (vector<4xi1>) -> tensor<4xf32>
  func.return %m : tensor<4xf32>
}

// Without an op to mask, the results are what is yielded.
// CHECK-LABEL: func.func @nothing(%m: vector<4xi1>, %v: vector<4xf32>, %t: memref<4xf32>) -> (vector<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %0 = "vector.mask"(%m) ({
// CHECK-NEXT:      "vector.yield"(%v) : (vector<4xf32>) -> ()
// CHECK-NEXT:    }) : (vector<4xi1>) -> vector<4xf32>
// CHECK-NEXT:    "vector.mask"(%m) ({
// CHECK-NEXT:      "vector.yield"() : () -> ()
// CHECK-NEXT:    }) : (vector<4xi1>) -> ()
// CHECK-NEXT:    func.return %0, %t : vector<4xf32>, memref<4xf32>
func.func @nothing(%m: vector<4xi1>, %v: vector<4xf32>, %t: tensor<4xf32>) -> (vector<4xf32>, tensor<4xf32>) {
  %0 = "vector.mask"(%m) ({
    "vector.yield"(%v) : (vector<4xf32>) -> ()
  }) : (vector<4xi1>) -> vector<4xf32>
  %1 = "vector.mask"(%m) ({
    "vector.yield"(%t) : (tensor<4xf32>) -> ()
  }) : (vector<4xi1>) -> tensor<4xf32>
  func.return %0, %1 : vector<4xf32>, tensor<4xf32>
}
