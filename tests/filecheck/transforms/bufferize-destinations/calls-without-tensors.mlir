// RUN: xdsl-opt %s -p 'bufferize' | filecheck %s

// Nothing in the loop has to do with tensors, but it calls a function, which might need memory.
//
// CHECK-LABEL: func.func private @part(%f: f32, %e: memref<4xf32
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @parts
// CHECK:         scf.for
// CHECK-NEXT:      scf.for
// CHECK-NEXT:        func.call @note() : () -> ()
// CHECK:           %[[PART:.*]] = memref.subview
// CHECK-NEXT:      func.call @part(%f, %[[PART]])
func.func private @note() {
  func.return
}
func.func private @part(%f: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func @parts(%f: f32, %n: index, %t: tensor<8x4xf32> {bufferize.aliasing_result = 0 : i64}) -> tensor<8x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%k = %t) -> (tensor<8x4xf32>) {
    scf.for %j = %c0 to %n step %c1 {
      func.call @note() : () -> ()
    }
    %p = func.call @part(%f) : (f32) -> tensor<4xf32>
    %k2 = tensor.insert_slice %p into %k[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    scf.yield %k2 : tensor<8x4xf32>
  }
  func.return %r : tensor<8x4xf32>
}
