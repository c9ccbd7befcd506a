// RUN: xdsl-opt %s -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Each branch allocates what it yields: hoisted, there would be two buffers at once.
// CHECK-LABEL: func.func @branches(%k: index, %a: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:      %r = scf.index_switch %k -> memref<8xf32>
// CHECK-NEXT:      case 0 {
// CHECK-NEXT:        %e = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:        linalg.exp ins(%a : memref<8xf32>) outs(%e : memref<8xf32>)
// CHECK-NEXT:        scf.yield %e : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      default {
// CHECK-NEXT:        %e_1 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:        linalg.log ins(%a : memref<8xf32>) outs(%e_1 : memref<8xf32>)
// CHECK-NEXT:        scf.yield %e_1 : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<8xf32>
func.func @branches(%k: index, %a: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
  %r = scf.index_switch %k -> tensor<8xf32>
  case 0 {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  default {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.log ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// An iteration allocates nothing. The arena of its buffers is freed after the loop, once.
// CHECK-LABEL: func.func @loop(
// CHECK:           %arena = memref.alloc() {alignment = 64 : i64} : memref<1280xi8>
// CHECK-NOT:       memref.alloc
// CHECK:           scf.for
// CHECK:             memref.view %arena
// CHECK:             memref.view %arena
// CHECK:             memref.view %arena
// CHECK-NOT:       memref.dealloc
// CHECK:             scf.yield
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.dealloc %arena : memref<1280xi8>
// CHECK-NOT:       memref.dealloc
func.func @loop(%t: tensor<16x4xf32>, %v: tensor<4x4xf32>, %w: tensor<4x16xf32>, %n: index) -> tensor<16x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<16x4xf32>) {
    %e0 = tensor.empty() : tensor<4x16xf32>
    %zero = arith.constant 0.0 : f32
    %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %0 = linalg.matmul ins(%v, %w : tensor<4x4xf32>, tensor<4x16xf32>) outs(%f0 : tensor<4x16xf32>) -> tensor<4x16xf32>
    %e1 = tensor.empty() : tensor<16x16xf32>
    %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %1 = linalg.matmul ins(%x, %0 : tensor<16x4xf32>, tensor<4x16xf32>) outs(%f1 : tensor<16x16xf32>) -> tensor<16x16xf32>
    %e2 = tensor.empty() : tensor<16x4xf32>
    %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %2 = linalg.matmul ins(%1, %x : tensor<16x16xf32>, tensor<16x4xf32>) outs(%f2 : tensor<16x4xf32>) -> tensor<16x4xf32>
    %3 = linalg.add ins(%x, %2 : tensor<16x4xf32>, tensor<16x4xf32>) outs(%x : tensor<16x4xf32>) -> tensor<16x4xf32>
    scf.yield %3 : tensor<16x4xf32>
  }
  func.return %r : tensor<16x4xf32>
}
