// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @reshape(%t: memref<?x4xf32>, %s: memref<2xindex>) -> memref<4x?xf32> {
// CHECK-NEXT:    %r = "memref.reshape"(%t, %s) : (memref<?x4xf32>, memref<2xindex>) -> memref<4x?xf32>
// CHECK-NEXT:    func.return %r : memref<4x?xf32>
func.func @reshape(%t: tensor<?x4xf32>, %s: tensor<2xindex>) -> tensor<4x?xf32> {
  %r = tensor.reshape %t(%s) : (tensor<?x4xf32>, tensor<2xindex>) -> tensor<4x?xf32>
  func.return %r : tensor<4x?xf32>
}

// A layout does not survive: it takes a contiguous copy.
// CHECK-LABEL: func.func @layout(%t: memref<16xf32>, %s: memref<2xi32>, %i: index) -> f32 {
// CHECK-NEXT:    %u = memref.subview %t[0] [4] [3] : memref<16xf32> to memref<4xf32, strided<[3]>>
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%u, %0) : (memref<4xf32, strided<[3]>>, memref<4xf32>) -> ()
// CHECK-NEXT:    %r = "memref.reshape"(%0, %s) : (memref<4xf32>, memref<2xi32>) -> memref<2x2xf32>
// CHECK-NEXT:    %x = memref.load %r[%i, %i] : memref<2x2xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @layout(%t: tensor<16xf32>, %s: tensor<2xi32>, %i: index) -> f32 {
  %u = tensor.extract_slice %t[0] [4] [3] : tensor<16xf32> to tensor<4xf32>
  %r = tensor.reshape %u(%s) : (tensor<4xf32>, tensor<2xi32>) -> tensor<2x2xf32>
  %x = tensor.extract %r[%i, %i] : tensor<2x2xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @out_of_place(%t: memref<4xf32>, %s: memref<2xindex>, %f: f32, %i: index) -> (memref<2x2xf32>, memref<4xf32>) {
// CHECK-NEXT:    %u = "memref.reshape"(%t, %s) : (memref<4xf32>, memref<2xindex>) -> memref<2x2xf32>
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<2x2xf32>
// CHECK-NEXT:    "memref.copy"(%u, %r) : (memref<2x2xf32>, memref<2x2xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%i, %i] : memref<2x2xf32>
// CHECK-NEXT:    func.return %r, %t : memref<2x2xf32>, memref<4xf32>
func.func @out_of_place(%t: tensor<4xf32>, %s: tensor<2xindex>, %f: f32, %i: index) -> (tensor<2x2xf32>, tensor<4xf32>) {
  %u = tensor.reshape %t(%s) : (tensor<4xf32>, tensor<2xindex>) -> tensor<2x2xf32>
  %r = tensor.insert %f into %u[%i, %i] : tensor<2x2xf32>
  func.return %r, %t : tensor<2x2xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @from_unranked(%t: memref<*xf32>, %s: memref<2xindex>) -> memref<?x4xf32> {
// CHECK-NEXT:    %r = "memref.reshape"(%t, %s) : (memref<*xf32>, memref<2xindex>) -> memref<?x4xf32>
// CHECK-NEXT:    func.return %r : memref<?x4xf32>
func.func @from_unranked(%t: tensor<*xf32>, %s: tensor<2xindex>) -> tensor<?x4xf32> {
  %r = tensor.reshape %t(%s) : (tensor<*xf32>, tensor<2xindex>) -> tensor<?x4xf32>
  func.return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @to_unranked(%t: memref<?xf32>, %s: memref<?xi32>) -> memref<*xf32> {
// CHECK-NEXT:    %r = "memref.reshape"(%t, %s) : (memref<?xf32>, memref<?xi32>) -> memref<*xf32>
// CHECK-NEXT:    func.return %r : memref<*xf32>
func.func @to_unranked(%t: tensor<?xf32>, %s: tensor<?xi32>) -> tensor<*xf32> {
  %r = tensor.reshape %t(%s) : (tensor<?xf32>, tensor<?xi32>) -> tensor<*xf32>
  func.return %r : tensor<*xf32>
}
