// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// What a loop hands on as it is, it hands back: nothing is copied onto itself.
// CHECK-LABEL: func.func @result_of_a_loop
// CHECK:         scf.for {{.*}} iter_args(%a = %m)
// CHECK-NOT:     memref.copy
// CHECK:         func.return
func.func @result_of_a_loop(%m: memref<8xf32>, %x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %s = tensor.insert %x into %a[%i] : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  func.return
}

// Two buffers that change places are not those that they were.
// CHECK-LABEL: func.func @changed_places
// CHECK:         scf.for
// CHECK:         "memref.copy"(%{{.*}}, %m)
// CHECK:         func.return
func.func @changed_places(%m: memref<8xf32>, %k: memref<8xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %u = bufferization.to_tensor %k restrict writable : memref<8xf32> to tensor<8xf32>
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t, %b = %u) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %b, %a : tensor<8xf32>, tensor<8xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  func.return
}
