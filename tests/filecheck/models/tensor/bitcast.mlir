// xDSL has no arith.bitcast of bf16 before 0.66.
// REQUIRES: xdsl-0.66
// RUN: xdsl-opt %s --split-input-file -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: bufferization-check %s

// Each element is cast to a new buffer, also of a constant.
// CHECK-LABEL: func.func @static(
// CHECK:         %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    linalg.generic {{.*}} ins(%c : memref<4xi32>) outs(%r : memref<4xf32>) {
// CHECK-NEXT:    ^bb0(%0: i32, %1: f32):
// CHECK-NEXT:      %2 = arith.bitcast %0 : i32 to f32
// CHECK-NEXT:      linalg.yield %2 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<4xf32>
func.func @static() -> tensor<4xf32> {
  %c = arith.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %r = tensor.bitcast %c : tensor<4xi32> to tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// The source keeps its contents: it is read after the result was written.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[size:.*]] = memref.dim %t
// CHECK-NEXT:    %r = memref.alloc(%[[size]]) {alignment = 64 : i64} : memref<2x?xi16>
// CHECK:         memref.store %x, %r
// CHECK-NEXT:    %s = memref.load %t
func.func @dynamic(%t: tensor<2x?xbf16>, %i: index, %x: i16) -> (tensor<2x?xi16>, bf16) {
  %r = tensor.bitcast %t : tensor<2x?xbf16> to tensor<2x?xi16>
  %w = tensor.insert %x into %r[%i, %i] : tensor<2x?xi16>
  %s = tensor.extract %t[%i, %i] : tensor<2x?xbf16>
  func.return %w, %s : tensor<2x?xi16>, bf16
}
