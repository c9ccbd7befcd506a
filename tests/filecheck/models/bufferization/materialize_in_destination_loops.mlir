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

// The same of a loop with a condition.
// CHECK-LABEL: func.func @result_of_a_while
// CHECK:         scf.while (%k = %n, %a = %m
// CHECK-NOT:     memref.copy
// CHECK:         func.return
func.func @result_of_a_while(%m: memref<8xf32>, %x: f32, %n: index) {
  %c1 = arith.constant 1 : index
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %r:2 = scf.while (%k = %n, %a = %t) : (index, tensor<8xf32>) -> (tensor<8xf32>, index) {
    %c = arith.cmpi ugt, %k, %c1 : index
    scf.condition(%c) %a, %k : tensor<8xf32>, index
  } do {
  ^bb0(%b: tensor<8xf32>, %j: index):
    %s = tensor.insert %x into %b[%j] : tensor<8xf32>
    %l = arith.subi %j, %c1 : index
    scf.yield %l, %s : index, tensor<8xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
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

// Nor are they after a condition.
// CHECK-LABEL: func.func @changed_places_after_a_condition
// CHECK:         scf.while
// CHECK:         "memref.copy"(%{{.*}}, %m)
// CHECK:         func.return
func.func @changed_places_after_a_condition(%m: memref<8xf32>, %k: memref<8xf32>, %c: i1) {
  %t = bufferization.to_tensor %m restrict writable : memref<8xf32> to tensor<8xf32>
  %u = bufferization.to_tensor %k restrict writable : memref<8xf32> to tensor<8xf32>
  %r:2 = scf.while (%a = %t, %b = %u) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.condition(%c) %b, %a : tensor<8xf32>, tensor<8xf32>
  } do {
  ^bb0(%d: tensor<8xf32>, %e: tensor<8xf32>):
    scf.yield %d, %e : tensor<8xf32>, tensor<8xf32>
  }
  bufferization.materialize_in_destination %r#0 in restrict writable %m : (tensor<8xf32>, memref<8xf32>) -> ()
  func.return
}
