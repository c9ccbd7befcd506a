// RUN: xdsl-opt --allow-unregistered-dialect %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%a: memref<4xf32>, %b: memref<4xf32>, %o: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    "linalg.map"(%a, %b, %o) ({
// CHECK-NEXT:    ^bb0(%x: f32, %y: f32, %z: f32):
// CHECK-NEXT:      %s = arith.addf %x, %y : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %o : memref<4xf32>
func.func @in_place(%a: tensor<4xf32>, %b: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = "linalg.map"(%a, %b, %o) ({
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @out_of_place(%a: memref<4xf32>, %o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "linalg.map"(%a, %r) ({
// CHECK-NEXT:    ^bb0(%x: f32, %z: f32):
// CHECK-NEXT:      linalg.yield %x : f32
// CHECK-NEXT:    }) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %r, %o : memref<4xf32>, memref<4xf32>
func.func @out_of_place(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = "linalg.map"(%a, %o) ({
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %o : tensor<4xf32>, tensor<4xf32>
}
