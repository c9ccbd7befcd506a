// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%t: memref<?x4xf32>, %f: f32, %i: index) -> memref<?x4xf32> {
// CHECK-NEXT:    memref.store %f, %t[%i, %i] : memref<?x4xf32>
// CHECK-NEXT:    func.return %t : memref<?x4xf32>
func.func @in_place(%t: tensor<?x4xf32>, %f: f32, %i: index) -> tensor<?x4xf32> {
  %r = tensor.insert %f into %t[%i, %i] : tensor<?x4xf32>
  func.return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @out_of_place(%t: memref<?xi1>, %b: i1, %i: index) -> (memref<?xi1>, i1) {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %t, %0 : memref<?xi1>
// CHECK-NEXT:    %r = memref.alloc(%1) {alignment = 64 : i64} : memref<?xi1>
// CHECK-NEXT:    "memref.copy"(%t, %r) : (memref<?xi1>, memref<?xi1>) -> ()
// CHECK-NEXT:    memref.store %b, %r[%i] : memref<?xi1>
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<?xi1>
// CHECK-NEXT:    func.return %r, %x : memref<?xi1>, i1
func.func @out_of_place(%t: tensor<?xi1>, %b: i1, %i: index) -> (tensor<?xi1>, i1) {
  %r = tensor.insert %b into %t[%i] : tensor<?xi1>
  %x = tensor.extract %t[%i] : tensor<?xi1>
  func.return %r, %x : tensor<?xi1>, i1
}

// The read comes first.
// CHECK-LABEL: func.func @read_before(%t: memref<4xf32>, %f: f32, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:    memref.store %f, %t[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %t, %x : memref<4xf32>, f32
func.func @read_before(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}

// CHECK-LABEL: func.func @rank_zero(%t: memref<f32>, %f: f32) -> memref<f32> {
// CHECK-NEXT:    memref.store %f, %t[] : memref<f32>
// CHECK-NEXT:    func.return %t : memref<f32>
func.func @rank_zero(%t: tensor<f32>, %f: f32) -> tensor<f32> {
  %r = tensor.insert %f into %t[] : tensor<f32>
  func.return %r : tensor<f32>
}
