// RUN: xdsl-opt %s -p 'bufferize{arguments=read-only}' | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{arguments=read-only eliminate-copies=false}' | filecheck %s
// RUN: xdsl-opt %s -p bufferize | filecheck %s --check-prefix WRITABLE
// RUN: xdsl-opt %s -p 'bufferize{arguments=read-only test-analysis-only},verify-bufferization-decisions{bufferize-function-boundaries}' | filecheck %s --check-prefix DECISIONS
// RUN: xdsl-opt %s -p 'bufferize{arguments=read-only bufferize-function-boundaries=false allow-unknown-ops}' 2>/dev/null | filecheck %s --check-prefix TENSORS

// Tensors that stay are not written in any case.
// TENSORS: func.func @entry(%t: tensor<4xf32>, %x: f32, %i: index)

// The argument of an entry point is copied before it is written.
// CHECK-LABEL: func.func @entry(%t: memref<4xf32, strided<[?], offset: ?>>, %x: f32, %i: index) -> f32 {
// CHECK-NEXT:    %r = memref.alloc()
// CHECK-NEXT:    "memref.copy"(%t, %r)
// CHECK-NEXT:    memref.store %x, %r[%i]
// WRITABLE-LABEL: func.func @entry(
// WRITABLE-NEXT:    memref.store %x, %t[%i]
// DECISIONS-LABEL: func.func @entry(%t: tensor<4xf32> {bufferization.writable = false
// DECISIONS-NEXT:    {__inplace_operands_attr__ = ["none", "false", "none"]}
func.func @entry(%t: tensor<4xf32>, %x: f32, %i: index) -> f32 {
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  %y = tensor.extract %r[%i] : tensor<4xf32>
  func.return %y : f32
}

// In the words of this package, JAX and IREE: callers do not need these any more.
// CHECK-LABEL: func.func public @given_away(
// CHECK-NEXT:    memref.store %x, %a[%i]
// CHECK-NEXT:    memref.store %x, %b[%i]
// CHECK-NEXT:    memref.store %x, %c[%i]
// CHECK-NEXT:    memref.store %x, %d[%i]
// CHECK-NEXT:    memref.store %x, %e[%i]
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func public @given_away(
    %a: tensor<4xf32> {bufferize.aliasing_result = 0 : i64},
    %b: tensor<4xf32> {bufferization.writable = true},
    %c: tensor<4xf32> {tf.aliasing_output = 1 : i32},
    %d: tensor<4xf32> {iree.abi.output = 2 : index},
    %e: tensor<4xf32> {jax.buffer_donor = true}, %x: f32, %i: index) -> (tensor<4xf32>, f32, f32, f32, f32) {
  %v = tensor.insert %x into %a[%i] : tensor<4xf32>
  %w = tensor.insert %x into %b[%i] : tensor<4xf32>
  %0 = tensor.insert %x into %c[%i] : tensor<4xf32>
  %1 = tensor.insert %x into %d[%i] : tensor<4xf32>
  %2 = tensor.insert %x into %e[%i] : tensor<4xf32>
  %3 = tensor.extract %w[%i] : tensor<4xf32>
  %4 = tensor.extract %0[%i] : tensor<4xf32>
  %5 = tensor.extract %1[%i] : tensor<4xf32>
  %6 = tensor.extract %2[%i] : tensor<4xf32>
  func.return %v, %3, %4, %5, %6 : tensor<4xf32>, f32, f32, f32, f32
}

// Words that say the contrary.
// CHECK-LABEL: func.func @not_given_away(
// CHECK-COUNT-2: "memref.copy"
func.func @not_given_away(%a: tensor<4xf32> {jax.buffer_donor = false}, %b: tensor<4xf32> {bufferization.writable = false}, %x: f32, %i: index) -> (f32, f32) {
  %0 = tensor.insert %x into %a[%i] : tensor<4xf32>
  %1 = tensor.insert %x into %b[%i] : tensor<4xf32>
  %2 = tensor.extract %0[%i] : tensor<4xf32>
  %3 = tensor.extract %1[%i] : tensor<4xf32>
  func.return %2, %3 : f32, f32
}

// Callers of a private function copy what must not be written, and nothing else.
// CHECK-LABEL: func.func private @helper(
// CHECK-NEXT:    memref.store %x, %t[%i]
func.func private @helper(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
// CHECK-LABEL: func.func @caller(
// CHECK-COUNT-1: "memref.copy"(%t,
// CHECK-NOT:     "memref.copy"
// CHECK:         func.return
func.func @caller(%t: tensor<4xf32>, %x: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = func.call @helper(%t, %x, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @helper(%f, %x, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A function that writes what it is given only through others.
// CHECK-LABEL: func.func private @in_between(
// CHECK-NOT:     memref.alloc
// CHECK-LABEL: func.func @far_caller(
// CHECK:         "memref.copy"(%t,
func.func private @in_between(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = func.call @helper(%t, %x, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
func.func @far_caller(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %0 = func.call @in_between(%t, %x, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// Nothing is known of who calls a private function that the module does not call.
// CHECK-LABEL: func.func private @without_callers(
// CHECK:         "memref.copy"
func.func private @without_callers(%t: tensor<4xf32>, %x: f32, %i: index) -> f32 {
  %r = tensor.insert %x into %t[%i] : tensor<4xf32>
  %y = tensor.extract %r[%i] : tensor<4xf32>
  func.return %y : f32
}

// A loop writes its own buffer, not the argument.
// CHECK-LABEL: func.func @loop(
// CHECK:         "memref.copy"(%t, %{{.*}})
// CHECK:         scf.for
// CHECK-NOT:     memref.copy
// CHECK:         func.return
func.func @loop(%t: tensor<4xf32>, %x: f32, %n: index) -> tensor<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%u = %t) -> (tensor<4xf32>) {
    %v = tensor.insert %x into %u[%i] : tensor<4xf32>
    scf.yield %v : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
