// RUN: xdsl-opt %s --allow-unregistered-dialect -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// An op that ends a region need not hand over anything to the op around it.

// CHECK-LABEL: func.func @never_yields(
// CHECK-NEXT:    %r = scf.execute_region -> (memref<4xf32>) {
// CHECK-NEXT:      memref.store %x, %t[%i]
// CHECK:           llvm.unreachable
func.func @never_yields(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %r = scf.execute_region -> (tensor<4xf32>) {
    %q = tensor.insert %x into %t[%i] : tensor<4xf32>
    %y = tensor.extract %q[%i] : tensor<4xf32>
    "test.use"(%y) : (f32) -> ()
    "llvm.unreachable"() : () -> ()
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @yields_or_not(
// CHECK:         llvm.unreachable
// CHECK:         scf.yield %t : memref<4xf32>
func.func @yields_or_not(%t: tensor<4xf32>, %c: i1) -> tensor<4xf32> {
  %r = scf.execute_region -> (tensor<4xf32>) {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    "llvm.unreachable"() : () -> ()
  ^bb2:
    scf.yield %t : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
