// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @read(%t: memref<?xf32>, %m: vector<4xi1>, %f: f32, %i: index) -> vector<4xf32> {
// CHECK-NEXT:    %r = "vector.mask"(%m) ({
// CHECK-NEXT:      %0 = vector.transfer_read %t[%i], %f : memref<?xf32>, vector<4xf32>
// CHECK-NEXT:      "vector.yield"(%0) : (vector<4xf32>) -> ()
// CHECK-NEXT:    }) : (vector<4xi1>) -> vector<4xf32>
// CHECK-NEXT:    func.return %r : vector<4xf32>
func.func @read(%t: tensor<?xf32>, %m: vector<4xi1>, %f: f32, %i: index) -> vector<4xf32> {
  %r = "vector.mask"(%m) ({
    %1 = vector.transfer_read %t[%i], %f : tensor<?xf32>, vector<4xf32>
    "vector.yield"(%1) : (vector<4xf32>) -> ()
  }) : (vector<4xi1>) -> vector<4xf32>
  func.return %r : vector<4xf32>
}

// CHECK-LABEL: func.func @write(%t: memref<?xf32>, %m: vector<4xi1>, %v: vector<4xf32>, %i: index) -> memref<?xf32> {
// CHECK-NEXT:    "vector.mask"(%m) ({
// CHECK-NEXT:      vector.transfer_write %v, %t[%i] : vector<4xf32>, memref<?xf32>
// CHECK-NEXT:      "vector.yield"() : () -> ()
// CHECK-NEXT:    }) : (vector<4xi1>) -> ()
// CHECK-NEXT:    func.return %t : memref<?xf32>
func.func @write(%t: tensor<?xf32>, %m: vector<4xi1>, %v: vector<4xf32>, %i: index) -> tensor<?xf32> {
  %r = "vector.mask"(%m) ({
    %1 = vector.transfer_write %v, %t[%i] : vector<4xf32>, tensor<?xf32>
    "vector.yield"(%1) : (tensor<?xf32>) -> ()
  }) : (vector<4xi1>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// Under a mask the vector does not overwrite the tensor. The copy is made before the mask,
// whose region holds nothing but the masked op.
// CHECK-LABEL: func.func @whole(%t: memref<4xf32>, %m: vector<4xi1>, %v: vector<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    "vector.mask"(%m) ({
// CHECK-NEXT:      vector.transfer_write %v, %r[%c0] : vector<4xf32>, memref<4xf32>
// CHECK-NEXT:      "vector.yield"() : () -> ()
// CHECK-NEXT:    }) : (vector<4xi1>) -> ()
// CHECK-NEXT:    func.return %r : memref<4xf32>
func.func @whole(%t: tensor<4xf32> {bufferization.writable = false}, %m: vector<4xi1>, %v: vector<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %r = "vector.mask"(%m) ({
    %2 = vector.transfer_write %v, %t[%c0] : vector<4xf32>, tensor<4xf32>
    "vector.yield"(%2) : (tensor<4xf32>) -> ()
  }) : (vector<4xi1>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// Without an op to mask, the results are what is yielded.
// CHECK-LABEL: func.func @nothing(%m: vector<4xi1>, %v: vector<4xf32>, %t: memref<4xf32>) -> (vector<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r = "vector.mask"(%m) ({
// CHECK-NEXT:      vector.yield
// CHECK-NEXT:    }) : (vector<4xi1>) -> vector<4xf32>
// CHECK-NEXT:    "vector.mask"(%m) ({
// CHECK-NEXT:      "vector.yield"() : () -> ()
// CHECK-NEXT:    }) : (vector<4xi1>) -> ()
// CHECK-NEXT:    func.return %r, %t : vector<4xf32>, memref<4xf32>
func.func @nothing(%m: vector<4xi1>, %v: vector<4xf32>, %t: tensor<4xf32>) -> (vector<4xf32>, tensor<4xf32>) {
  %r = "vector.mask"(%m) ({
    "vector.yield"(%v) : (vector<4xf32>) -> ()
  }) : (vector<4xi1>) -> vector<4xf32>
  %s = "vector.mask"(%m) ({
    "vector.yield"(%t) : (tensor<4xf32>) -> ()
  }) : (vector<4xi1>) -> tensor<4xf32>
  func.return %r, %s : vector<4xf32>, tensor<4xf32>
}
