// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s --check-prefix WITHIN
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only},verify-bufferization-decisions{bufferize-function-boundaries}' | filecheck %s --check-prefix VERIFIED

// Modules within the module stay as they are where function boundaries are bufferized.
// CHECK-LABEL: func.func @inner(%t: tensor<4xf32>,
// CHECK-NEXT: tensor.insert
// CHECK-LABEL: func.func @outer(%t: memref<4xf32, strided<[?], offset: ?>>,
// WITHIN-LABEL: func.func @inner(%t: tensor<4xf32>,
// WITHIN: memref.store
// WITHIN-LABEL: func.func @outer(%t: tensor<4xf32>,
// WITHIN: memref.store
// VERIFIED-LABEL: func.func @outer
builtin.module @nested {
  func.func @inner(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
    %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
    func.return %0 : tensor<4xf32>
  }
}
func.func @outer(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = tensor.insert %x into %t[%i] : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
