// RUN: xdsl-opt %s --allow-unregistered-dialect -p 'one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}' | filecheck %s

// A loaded tensor is the global itself as long as it is only read and nothing stores to that.

ml_program.global private mutable @g(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
ml_program.global private mutable @h(dense<0.0> : tensor<4xf32>) : tensor<4xf32>
func.func private @may_store()

// CHECK-LABEL: func.func @stored_behind(
// CHECK-NEXT:    %t = memref.get_global @g : memref<4xf32>
// CHECK-NEXT:    memref.get_global @h
// CHECK-NEXT:    "memref.copy"
// CHECK-NEXT:    %x = memref.load %t[%i]
// CHECK-NEXT:    memref.get_global @g
// CHECK-NEXT:    "memref.copy"
func.func @stored_behind(%s: tensor<4xf32>, %i: index) -> f32 {
  %t = ml_program.global_load @g : tensor<4xf32>
  ml_program.global_store @h = %s : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  ml_program.global_store @g = %s : tensor<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @read_by_a_loop(
// CHECK-NOT:     memref.alloc
// CHECK:         linalg.add ins(%t, %t
func.func @read_by_a_loop(%s: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %t = ml_program.global_load @g : tensor<4xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%a = %s) -> (tensor<4xf32>) {
    %b = linalg.add ins(%t, %t : tensor<4xf32>, tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @stored_in_front(
// CHECK:         %t = memref.alloc
func.func @stored_in_front(%s: tensor<4xf32>, %i: index) -> f32 {
  %t = ml_program.global_load @g : tensor<4xf32>
  ml_program.global_store @g = %s : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @stored_in_the_loop(
// CHECK:         %t = memref.alloc
func.func @stored_in_the_loop(%s: tensor<4xf32>, %n: index) {
  %t = ml_program.global_load @g : tensor<4xf32>
  scf.for %i = %n to %n step %n {
    %x = tensor.extract %t[%i] : tensor<4xf32>
    "test.use"(%x) : (f32) -> ()
    ml_program.global_store @g = %s : tensor<4xf32>
  }
  func.return
}

// CHECK-LABEL: func.func @called(
// CHECK:         %t = memref.alloc
func.func @called(%i: index) -> f32 {
  %t = ml_program.global_load @g : tensor<4xf32>
  func.call @may_store() : () -> ()
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @unknown(
// CHECK:         %t = memref.alloc
func.func @unknown(%i: index) -> f32 {
  %t = ml_program.global_load @g : tensor<4xf32>
  "test.op"() : () -> ()
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @written(
// CHECK:         %t = memref.alloc
func.func @written(%f: f32, %i: index) -> f32 {
  %t = ml_program.global_load @g : tensor<4xf32>
  %u = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %u[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @returned(
// CHECK:         %t = memref.alloc
func.func @returned() -> tensor<4xf32> {
  %t = ml_program.global_load @g : tensor<4xf32>
  func.return %t : tensor<4xf32>
}

// CHECK-LABEL: func.func @forwarded(
// CHECK:         %t = memref.alloc
func.func @forwarded(%f: f32, %n: index) -> tensor<4xf32> {
  %t = ml_program.global_load @g : tensor<4xf32>
  %r = scf.for %i = %n to %n step %n iter_args(%a = %t) -> (tensor<4xf32>) {
    %b = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @a_part(
// CHECK:         %t = memref.alloc
func.func @a_part(%i: index) -> f32 {
  %t = ml_program.global_load @g : tensor<4xf32>
  %p = tensor.extract_slice %t[0] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %x = tensor.extract %p[%i] : tensor<2xf32>
  func.return %x : f32
}
