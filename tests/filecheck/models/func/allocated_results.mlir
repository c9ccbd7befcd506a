// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops test-analysis-only},verify-bufferization-decisions{bufferize-function-boundaries allow-return-allocs-from-loops}' | filecheck %s --check-prefix=DECIDED

// What a call allocates is new memory in each iteration, which the loop can yield.

// CHECK-LABEL: func.func @new(
// DECIDED-LABEL: func.func @new(
func.func @new(%s: f32, %n: index) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %t = linalg.fill ins(%s : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  func.return %t : tensor<?xf32>
}

// So is what a function gets from that one, or from itself.

// CHECK-LABEL: func.func @new_or_less(
func.func @new_or_less(%c: i1, %s: f32, %n: index) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    %t = func.call @new(%s, %n) : (f32, index) -> tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  } else {
    %i1 = arith.constant 1 : index
    %m = arith.subi %n, %i1 : index
    %d = arith.cmpi eq, %m, %i1 : index
    %t = func.call @new_or_less(%d, %s, %m) : (i1, f32, index) -> tensor<?xf32>
    scf.yield %t : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @yielded(
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         func.return
// DECIDED-LABEL: func.func @yielded(
func.func @yielded(%x0: tensor<?xf32>, %k: index, %c: i1, %s: f32, %n: index) -> tensor<?xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %k step %i1 iter_args(%x = %x0) -> (tensor<?xf32>) {
    %q = func.call @new_or_less(%c, %s, %n) : (i1, f32, index) -> tensor<?xf32>
    scf.yield %q : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// Memory that is there before the call is the same in each iteration.

memref.global @m : memref<4xf32>

// CHECK-LABEL: func.func @global(
func.func @global(%s: f32) -> tensor<4xf32> {
  %m = memref.get_global @m : memref<4xf32>
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %u = linalg.fill ins(%s : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  func.return %u : tensor<4xf32>
}

// CHECK-LABEL: func.func @copied(
// CHECK:         %q = func.call @global
// CHECK-NEXT:    "memref.copy"(%q, %x)
// DECIDED-LABEL: func.func @copied(
func.func @copied(%x0: tensor<4xf32>, %k: index, %s: f32) -> tensor<4xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %k step %i1 iter_args(%x = %x0) -> (tensor<4xf32>) {
    %q = func.call @global(%s) : (f32) -> tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// A result that is an argument's memory in some calls is copied, too.

// CHECK-LABEL: func.func @either(
func.func @either(%c: i1, %t: tensor<4xf32>, %s: f32) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %t : tensor<4xf32>
  } else {
    %e = tensor.empty() : tensor<4xf32>
    %u = linalg.fill ins(%s : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @outer(
// CHECK:         %q = func.call @either
// CHECK-NEXT:    "memref.copy"(%q, %x)
// DECIDED-LABEL: func.func @outer(
func.func @outer(%x0: tensor<4xf32>, %y: tensor<4xf32>, %c: i1, %k: index, %s: f32) -> tensor<4xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %r = scf.for %i = %i0 to %k step %i1 iter_args(%x = %x0) -> (tensor<4xf32>) {
    %q = func.call @either(%c, %y, %s) : (i1, tensor<4xf32>, f32) -> tensor<4xf32>
    scf.yield %q : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
