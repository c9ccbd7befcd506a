// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @static() -> memref<4xi8> {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<4xi8>
// CHECK-NEXT:    func.return %t : memref<4xi8>
func.func @static() -> tensor<4xi8> {
  %t = tensor.empty() : tensor<4xi8>
  func.return %t : tensor<4xi8>
}

// CHECK-LABEL: func.func @dynamic(%n: index) -> memref<?x4x?xf32> {
// CHECK-NEXT:    %t = memref.alloc(%n, %n) {alignment = 64 : i64} : memref<?x4x?xf32>
// CHECK-NEXT:    func.return %t : memref<?x4x?xf32>
func.func @dynamic(%n: index) -> tensor<?x4x?xf32> {
  %t = tensor.empty(%n, %n) : tensor<?x4x?xf32>
  func.return %t : tensor<?x4x?xf32>
}

// CHECK-LABEL: func.func @rank_zero() -> memref<f32> {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<f32>
// CHECK-NEXT:    func.return %t : memref<f32>
func.func @rank_zero() -> tensor<f32> {
  %t = tensor.empty() : tensor<f32>
  func.return %t : tensor<f32>
}

// Two writes need a buffer each, but there are no contents to copy.
// CHECK-LABEL: func.func @written_twice(%f: f32, %g: f32) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
// CHECK-NEXT:    linalg.fill ins(%g : f32) outs(%t : memref<4xf32>)
// CHECK-NEXT:    func.return %a, %t : memref<4xf32>, memref<4xf32>
func.func @written_twice(%f: f32, %g: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %t = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.fill ins(%g : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  func.return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @dead() {
// CHECK-NEXT:    func.return
func.func @dead() {
  %t = tensor.empty() : tensor<4xf32>
  func.return
}
