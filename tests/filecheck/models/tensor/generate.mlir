// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @generate(%n: index) -> memref<?x4xindex> {
// CHECK-NEXT:    %r = memref.alloc(%n) {alignment = 64 : i64} : memref<?x4xindex>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} outs(%r : memref<?x4xindex>) {
// CHECK-NEXT:    ^bb0(%0: index):
// CHECK-NEXT:      %i = linalg.index 0 : index
// CHECK-NEXT:      %j = linalg.index 1 : index
// CHECK-NEXT:      %s = arith.addi %i, %j : index
// CHECK-NEXT:      linalg.yield %s : index
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?x4xindex>
func.func @generate(%n: index) -> tensor<?x4xindex> {
  %r = "tensor.generate"(%n) ({
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    tensor.yield %s : index
  }) : (index) -> tensor<?x4xindex>
  func.return %r : tensor<?x4xindex>
}

// Its body may read tensors.
// CHECK-LABEL: func.func @reads(%t: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%r : memref<4xf32>) {
// CHECK-NEXT:    ^bb0(%0: f32):
// CHECK-NEXT:      %i = linalg.index 0 : index
// CHECK-NEXT:      %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      %y = arith.addf %x, %x : f32
// CHECK-NEXT:      linalg.yield %y : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<4xf32>
func.func @reads(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = "tensor.generate"() ({
  ^bb0(%i: index):
    %x = tensor.extract %t[%i] : tensor<4xf32>
    %y = arith.addf %x, %x : f32
    tensor.yield %y : f32
  }) : () -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// The same value everywhere.
// CHECK-LABEL: func.func @fill(%f: f32) -> memref<4xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%r : memref<4xf32>)
// CHECK-NEXT:    func.return %r : memref<4xf32>
func.func @fill(%f: f32) -> tensor<4xf32> {
  %r = "tensor.generate"() ({
  ^bb0(%i: index):
    tensor.yield %f : f32
  }) : () -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
