// RUN: xdsl-opt %s --allow-unregistered-dialect -p one-shot-bufferize --verify-diagnostics --split-input-file | filecheck %s

// CHECK: 'linalg.batch_vecmat' has 1 results, but 0 tensors among its inits
// CHECK: hint: each result needs an init that is a tensor
func.func @memref(%a: tensor<2x8xi32>, %b: tensor<2x8x6xi32>, %m: memref<2x6xi32>) -> memref<2x6xi32> {
  %r = linalg.batch_vecmat ins(%a, %b : tensor<2x8xi32>, tensor<2x8x6xi32>) outs(%m : memref<2x6xi32>) -> memref<2x6xi32>
  func.return %r : memref<2x6xi32>
}

// -----

// CHECK: 'linalg.dot' has 1 results, but 0 tensors among its inits
func.func @number(%a: tensor<8xi32>, %b: tensor<8xi32>, %i: i32) -> i32 {
  %r = linalg.dot ins(%a, %b : tensor<8xi32>, tensor<8xi32>) outs(%i : i32) -> i32
  func.return %r : i32
}

// -----

// CHECK: 'linalg.later' has a result of type tensor<24xf32>, but tensor<4x6xf32> as the type of its init
// CHECK: hint: a result has the type of its init
func.func @other_type(%t: tensor<4x6xf32>) -> tensor<24xf32> {
  %r = "linalg.later"(%t) : (tensor<4x6xf32>) -> tensor<24xf32>
  func.return %r : tensor<24xf32>
}

// -----

// CHECK: 'linalg.later_floor' has 1 results, but 0 tensors among its inits
func.func @no_operands() -> tensor<4xf32> {
  %r = "linalg.later_floor"() : () -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
