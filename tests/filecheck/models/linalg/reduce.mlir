// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%a: memref<?x4xf32>, %o: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:    linalg.reduce ins(%a:memref<?x4xf32>) outs(%o:memref<?xf32>) dimensions = [1]
// CHECK-NEXT:    (%in: f32, %acc: f32) {
// CHECK-NEXT:      %s = arith.addf %in, %acc : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %o : memref<?xf32>
func.func @in_place(%a: tensor<?x4xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.reduce ins(%a : tensor<?x4xf32>) outs(%o : tensor<?xf32>) dimensions = [1]
  (%in: f32, %acc: f32) {
    %s = arith.addf %in, %acc : f32
    linalg.yield %s : f32
  }
  func.return %r : tensor<?xf32>
}

// It starts from its init, so the copy needs the contents.
// CHECK-LABEL: func.func @out_of_place(%a: memref<4xi32>, %o: memref<i32>) -> (memref<i32>, memref<i32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<i32>
// CHECK-NEXT:    "memref.copy"(%o, %r) : (memref<i32>, memref<i32>) -> ()
// CHECK-NEXT:    linalg.reduce ins(%a:memref<4xi32>) outs(%r:memref<i32>) dimensions = [0]
// CHECK-NEXT:    (%in: i32, %acc: i32) {
// CHECK-NEXT:      %s = arith.addi %in, %acc : i32
// CHECK-NEXT:      linalg.yield %s : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r, %o : memref<i32>, memref<i32>
func.func @out_of_place(%a: tensor<4xi32>, %o: tensor<i32>) -> (tensor<i32>, tensor<i32>) {
  %r = linalg.reduce ins(%a : tensor<4xi32>) outs(%o : tensor<i32>) dimensions = [0]
  (%in: i32, %acc: i32) {
    %s = arith.addi %in, %acc : i32
    linalg.yield %s : i32
  }
  func.return %r, %o : tensor<i32>, tensor<i32>
}
