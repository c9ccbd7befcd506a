// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Only one region runs, so all may write the buffer.
// CHECK-LABEL: func.func @in_place(%i: index, %t: memref<4xf32>, %f: f32) -> memref<4xf32> {
// CHECK-NEXT:      %r = scf.index_switch %i -> memref<4xf32>
// CHECK-NEXT:      case 0 {
// CHECK-NEXT:        memref.store %f, %t[%i] : memref<4xf32>
// CHECK-NEXT:        scf.yield %t : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      default {
// CHECK-NEXT:        scf.yield %t : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @in_place(%i: index, %t: tensor<4xf32>, %f: f32) -> tensor<4xf32> {
  %r = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    %a = tensor.insert %f into %t[%i] : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  default {
    scf.yield %t : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// The result may be in the memory of %t, so that a write to it is on a copy.
// CHECK-LABEL: func.func @result_is_written(%i: index, %t: memref<4xf32>, %u: memref<4xf32>, %f: f32) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      %r = scf.index_switch %i -> memref<4xf32>
// CHECK-NEXT:      case 0 {
// CHECK-NEXT:        scf.yield %t : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      default {
// CHECK-NEXT:        scf.yield %u : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%r, %w) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %w[%i] : memref<4xf32>
// CHECK-NEXT:      %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %w, %x : memref<4xf32>, f32
func.func @result_is_written(%i: index, %t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, f32) {
  %r = scf.index_switch %i -> tensor<4xf32>
  case 0 {
    scf.yield %t : tensor<4xf32>
  }
  default {
    scf.yield %u : tensor<4xf32>
  }
  %w = tensor.insert %f into %r[%i] : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %w, %x : tensor<4xf32>, f32
}
