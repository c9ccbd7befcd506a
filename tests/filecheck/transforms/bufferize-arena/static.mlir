// RUN: xdsl-opt %s -p 'bufferize{arena=static}' --verify-diagnostics --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{arena}' --split-input-file 2>/dev/null | filecheck %s --check-prefix=ALLOCATED

// What is planned with arena stays an allocation where it cannot be planned; static refuses it.

// CHECK:      'memref.alloc' is in no arena: its size is not known
// CHECK-NEXT:   at: {{.*}}static.mlir:{{.*}} in @unknown_size
// CHECK:        hint: state how large it may get, by cf.assert
// ALLOCATED-LABEL: func.func @unknown_size
func.func @unknown_size(%n: index, %i: index, %x: f32) -> f32 {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %y = tensor.extract %f[%i] : tensor<?xf32>
  func.return %y : f32
}

// -----

// CHECK:      'func.func' allocates an arena of 32 bytes in each call: it is recursive
// CHECK:        it holds: {{.*}} in @recursive
// ALLOCATED-LABEL: func.func private @recursive
// ALLOCATED:         memref.alloc() {alignment = 64 : i64} : memref<32xi8>
func.func private @recursive(%c: i1, %a: tensor<8xf32>) -> f32 {
  %i = arith.constant 0 : index
  %no = arith.constant false
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = scf.if %c -> (f32) {
    %1 = func.call @recursive(%no, %0) : (i1, tensor<8xf32>) -> f32
    scf.yield %1 : f32
  } else {
    %2 = tensor.extract %0[%i] : tensor<8xf32>
    scf.yield %2 : f32
  }
  func.return %r : f32
}

// -----

// CHECK:      'memref.alloc' is in no arena: it is returned
// CHECK-NEXT:   at: {{.*}} in @argument_or_new
// CHECK:        hint: give the function its result's memory as an argument
// ALLOCATED-LABEL: func.func private @argument_or_new
// ALLOCATED:         memref.alloc() {alignment = 64 : i64} : memref<8xf32>
func.func private @argument_or_new(%c: i1, %a: tensor<8xf32>) -> tensor<8xf32> {
  %r = scf.if %c -> (tensor<8xf32>) {
    scf.yield %a : tensor<8xf32>
  } else {
    %e = tensor.empty() : tensor<8xf32>
    %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %0 : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// -----

// Deallocation copies what may be one of two arguments.
//
// CHECK:      {{.*}} allocates in each call: memory that is returned or passed on is copied
// ALLOCATED-LABEL: func.func private @one_of_two
func.func private @one_of_two(%c: i1, %a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %r = arith.select %c, %a, %b : tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// -----

// Results of public functions, new memory or copies of arguments, are the caller's.
//
// CHECK:       func.func @result
// ALLOCATED-LABEL: func.func @result
func.func @result(%a: tensor<8xf32> {bufferization.writable = false}) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}

// -----

// So are those whose size is known at run time only.
//
// CHECK-LABEL: func.func @result_of_dynamic_shape
// CHECK:         memref.alloc(%n)
// CHECK-NOT:     memref.alloc
// ALLOCATED-LABEL: func.func @result_of_dynamic_shape
func.func @result_of_dynamic_shape(%n: index, %x: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  func.return %f : tensor<?xf32>
}

// -----

// The arena is allocated once, before the branches.
//
// CHECK-LABEL: func.func @branch
// CHECK-NEXT:    %arena = memref.alloc() {alignment = 64 : i64} : memref<64xi8>
// ALLOCATED-LABEL: func.func @branch
func.func @branch(%c: i1, %x: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<16xf32>
  %a = linalg.fill ins(%x : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %0 = tensor.extract %a[%i] : tensor<16xf32>
  cf.cond_br %c, ^end(%0 : f32), ^other
^other:
  %e2 = tensor.empty() : tensor<16xf32>
  %b = linalg.fill ins(%x : f32) outs(%e2 : tensor<16xf32>) -> tensor<16xf32>
  %1 = tensor.extract %b[%i] : tensor<16xf32>
  cf.br ^end(%1 : f32)
^end(%r: f32):
  func.return %r : f32
}
