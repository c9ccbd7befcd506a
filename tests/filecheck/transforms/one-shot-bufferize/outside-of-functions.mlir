// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}' | filecheck %s

// Ops outside of functions are bufferized, with the copies that they need.
// CHECK:      %i = arith.constant 1 : index
// CHECK-NEXT: %x = arith.constant 1.000000e+00 : f32
// CHECK-NEXT: %c = memref.get_global
// CHECK-NEXT: %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT: "memref.copy"(%c, %r)
// CHECK-NEXT: memref.store %x, %r[%i] : memref<4xf32>
// CHECK-NEXT: %e = memref.load %r[%i] : memref<4xf32>
func.func private @f()
%i = arith.constant 1 : index
%x = arith.constant 1.0 : f32
%c = arith.constant dense<0.0> : tensor<4xf32>
%r = tensor.insert %x into %c[%i] : tensor<4xf32>
%e = tensor.extract %r[%i] : tensor<4xf32>
