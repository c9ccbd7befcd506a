// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%a: memref<?xf32>, %o: memref<?x4xf32>) -> memref<?x4xf32> {
// CHECK-NEXT:    linalg.broadcast ins(%a:memref<?xf32>) outs(%o:memref<?x4xf32>) dimensions = [1]
// CHECK-NEXT:    func.return %o : memref<?x4xf32>
func.func @in_place(%a: tensor<?xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = linalg.broadcast ins(%a : tensor<?xf32>) outs(%o : tensor<?x4xf32>) dimensions = [1]
  func.return %r : tensor<?x4xf32>
}

// CHECK-LABEL: func.func @out_of_place(%a: memref<f32>, %o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    linalg.broadcast ins(%a:memref<f32>) outs(%r:memref<4xf32>) dimensions = [0]
// CHECK-NEXT:    func.return %r, %o : memref<4xf32>, memref<4xf32>
func.func @out_of_place(%a: tensor<f32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = linalg.broadcast ins(%a : tensor<f32>) outs(%o : tensor<4xf32>) dimensions = [0]
  func.return %r, %o : tensor<4xf32>, tensor<4xf32>
}
