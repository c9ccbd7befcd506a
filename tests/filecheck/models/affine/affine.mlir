// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%t: memref<4xf32>, %f: f32, %n: index) -> memref<4xf32> {
// CHECK-NEXT:      %r = affine.for %i = 0 to %n iter_args(%a = %t) -> (memref<4xf32>) {
// CHECK-NEXT:        memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:        affine.yield %a : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @in_place(%t: tensor<4xf32>, %f: f32, %n: index) -> tensor<4xf32> {
  %r = "affine.for"(%n, %t) <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<()[s0] -> (s0)>, step = 1 : index, operandSegmentSizes = array<i32: 0, 1, 1>}> ({
  ^bb0(%i: index, %a: tensor<4xf32>):
    %w = tensor.insert %f into %a[%i] : tensor<4xf32>
    "affine.yield"(%w) : (tensor<4xf32>) -> ()
  }) : (index, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @conditional(%t: memref<4xf32>, %f: f32, %n: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      %r = "affine.if"(%n) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
// CHECK-NEXT:        %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:        "memref.copy"(%t, %w) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        memref.store %f, %w[%n] : memref<4xf32>
// CHECK-NEXT:        affine.yield %w : memref<4xf32>
// CHECK-NEXT:      }, {
// CHECK-NEXT:        affine.yield %t : memref<4xf32>
// CHECK-NEXT:      }) : (index) -> memref<4xf32>
// CHECK-NEXT:      %x = memref.load %t[%n] : memref<4xf32>
// CHECK-NEXT:      func.return %r, %x : memref<4xf32>, f32
func.func @conditional(%t: tensor<4xf32>, %f: f32, %n: index) -> (tensor<4xf32>, f32) {
  %r = "affine.if"(%n) <{condition = affine_set<(d0) : (d0 >= 0)>}> ({
    %w = tensor.insert %f into %t[%n] : tensor<4xf32>
    "affine.yield"(%w) : (tensor<4xf32>) -> ()
  }, {
    "affine.yield"(%t) : (tensor<4xf32>) -> ()
  }) : (index) -> tensor<4xf32>
  %x = tensor.extract %t[%n] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}
