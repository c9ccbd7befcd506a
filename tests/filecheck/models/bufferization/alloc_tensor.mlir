// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @sizes(%n: index, %f: f32) -> memref<?x4xf32> {
// CHECK-NEXT:    %t = memref.alloc(%n) {alignment = 64 : i64} : memref<?x4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%t : memref<?x4xf32>)
// CHECK-NEXT:    func.return %t : memref<?x4xf32>
func.func @sizes(%n: index, %f: f32) -> tensor<?x4xf32> {
  %t = bufferization.alloc_tensor(%n) : tensor<?x4xf32>
  %r = linalg.fill ins(%f : f32) outs(%t : tensor<?x4xf32>) -> tensor<?x4xf32>
  func.return %r : tensor<?x4xf32>
}

// The contents of the copy are those of the original, whatever is written to either.
// CHECK-LABEL: func.func @copy(%t: memref<?xf32>, %f: f32, %i: index) -> (memref<?xf32>, memref<?xf32>) {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %t, %0 : memref<?xf32>
// CHECK-NEXT:    %c = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%t, %c) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %c[%i] : memref<?xf32>
// CHECK-NEXT:    func.return %c, %t : memref<?xf32>, memref<?xf32>
func.func @copy(%t: tensor<?xf32>, %f: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %c = bufferization.alloc_tensor() copy(%t) : tensor<?xf32>
  %r = tensor.insert %f into %c[%i] : tensor<?xf32>
  func.return %r, %t : tensor<?xf32>, tensor<?xf32>
}

// CHECK-LABEL: func.func @memory_space(%f: f32, %i: index) -> f32 {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    memref.store %f, %t[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    func.return %x : f32
func.func @memory_space(%f: f32, %i: index) -> f32 {
  %t = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %r[%i] : tensor<4xf32>
  func.return %x : f32
}

// Nobody uses it, so nothing is allocated.
// CHECK-LABEL: func.func @dead() {
// CHECK-NEXT:    func.return
func.func @dead() {
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  func.return
}

// CHECK-LABEL: func.func @rank_zero(%f: f32) -> memref<f32> {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<f32>
// CHECK-NEXT:    memref.store %f, %t[] : memref<f32>
// CHECK-NEXT:    func.return %t : memref<f32>
func.func @rank_zero(%f: f32) -> tensor<f32> {
  %t = bufferization.alloc_tensor() : tensor<f32>
  %r = tensor.insert %f into %t[] : tensor<f32>
  func.return %r : tensor<f32>
}
