// RUN: xdsl-opt %s -p 'bufferize{arguments=read-only function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Both branches compute in the caller's memory.
//
// CHECK-LABEL: func.func private @branches(%c: i1, %x: memref<8xf32>, %{{.*}}: memref<8xf32>) {
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func private @branches(%c: i1, %x: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.if %c -> (tensor<8xf32>) {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.log ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  } else {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// A function passes on what it gets.
//
// CHECK-LABEL: func.func private @passed_on(%c: i1, %x: memref<8xf32>, %{{.*}}: memref<8xf32>) {
// CHECK-NEXT:    func.call @branches(%c, %x, %{{.*}})
// CHECK-NEXT:    func.return
func.func private @passed_on(%c: i1, %x: tensor<8xf32>) -> tensor<8xf32> {
  %r = func.call @branches(%c, %x) : (i1, tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// What is returned may be the argument.
//
// CHECK-LABEL: func.func private @argument_or_new(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
func.func private @argument_or_new(%c: i1, %x: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.if %c -> (tensor<8xf32>) {
    scf.yield %x : tensor<8xf32>
  } else {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// The peak is before the result is allocated: with it, the function needs 4 KiB and 32 bytes. Its
// argument is read after the call.
//
// CHECK-LABEL: func.func private @after_the_peak(%x: memref<8xf32>) -> memref<8xf32> {
func.func private @after_the_peak(%x: tensor<8xf32>) -> tensor<8xf32> {
  %i = arith.constant 0 : index
  %e = tensor.empty() : tensor<1024xf32>
  %z = tensor.extract %x[%i] : tensor<8xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %g = linalg.exp ins(%f : tensor<1024xf32>) outs(%f : tensor<1024xf32>) -> tensor<1024xf32>
  %y = tensor.extract %g[%i] : tensor<1024xf32>
  %e2 = tensor.empty() : tensor<8xf32>
  %r = linalg.fill ins(%y : f32) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// It is recursive.
//
// CHECK-LABEL: func.func private @recursive(%c: i1, %x: memref<8xf32>) -> memref<8xf32> {
func.func private @recursive(%c: i1, %x: tensor<8xf32>) -> tensor<8xf32> {
  %no = arith.constant false
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  scf.if %c {
    %1 = func.call @recursive(%no, %0) : (i1, tensor<8xf32>) -> tensor<8xf32>
  }
  func.return %0 : tensor<8xf32>
}

// Not all of its callers are known.
//
// CHECK-LABEL: func.func private @named(%x: memref<8xf32>) -> memref<8xf32> {
func.func private @named(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
"test.op"() {callback = @named} : () -> ()

// CHECK-LABEL: func.func @loop
func.func @loop(%c: i1, %x: tensor<8xf32>, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %0 = func.call @branches(%c, %x) : (i1, tensor<8xf32>) -> tensor<8xf32>
    %1 = func.call @passed_on(%c, %0) : (i1, tensor<8xf32>) -> tensor<8xf32>
    %2 = func.call @argument_or_new(%c, %1) : (i1, tensor<8xf32>) -> tensor<8xf32>
    %3 = func.call @after_the_peak(%2) : (tensor<8xf32>) -> tensor<8xf32>
    %4 = func.call @recursive(%c, %3) : (i1, tensor<8xf32>) -> tensor<8xf32>
    %5 = func.call @named(%4) : (tensor<8xf32>) -> tensor<8xf32>
    %y = tensor.extract %5[%c0] : tensor<8xf32>
    %z = tensor.extract %2[%c0] : tensor<8xf32>
    %t = arith.addf %s, %y : f32
    %u = arith.addf %t, %z : f32
    scf.yield %u : f32
  }
  func.return %r : f32
}

// It is called once, and its result is no part of another one.
//
// CHECK-LABEL: func.func private @once(%x: memref<8xf32>) -> memref<8xf32> {
func.func private @once(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}

func.func @no_loop(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @once(%x) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}
