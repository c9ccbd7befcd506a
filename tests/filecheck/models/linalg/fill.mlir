// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%f: f16, %o: memref<?x3xf16>) -> memref<?x3xf16> {
// CHECK-NEXT:    linalg.fill ins(%f : f16) outs(%o : memref<?x3xf16>)
// CHECK-NEXT:    func.return %o : memref<?x3xf16>
func.func @in_place(%f: f16, %o: tensor<?x3xf16>) -> tensor<?x3xf16> {
  %r = linalg.fill ins(%f : f16) outs(%o : tensor<?x3xf16>) -> tensor<?x3xf16>
  func.return %r : tensor<?x3xf16>
}

// The old contents are not read: a new buffer without a copy.
// CHECK-LABEL: func.func @out_of_place(%f: f32, %o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%r : memref<4xf32>)
// CHECK-NEXT:    func.return %r, %o : memref<4xf32>, memref<4xf32>
func.func @out_of_place(%f: f32, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = linalg.fill ins(%f : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %o : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @rank_zero(%f: f32, %o: memref<f32>) -> memref<f32> {
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%o : memref<f32>)
// CHECK-NEXT:    func.return %o : memref<f32>
func.func @rank_zero(%f: f32, %o: tensor<f32>) -> tensor<f32> {
  %r = linalg.fill ins(%f : f32) outs(%o : tensor<f32>) -> tensor<f32>
  func.return %r : tensor<f32>
}
