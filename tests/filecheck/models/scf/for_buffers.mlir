// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// What loops hand over that is not in the buffer of the iteration argument.

// Buffers change places, which takes no copy.
// CHECK-LABEL: func.func @swap(%t: memref<4xf32>, %u: memref<4xf32>, %f: f32, %l: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:        memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT:        scf.yield %b, %a : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r, %s : memref<4xf32>, memref<4xf32>
func.func @swap(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %l: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %f into %b[%i] : tensor<4xf32>
    scf.yield %w, %a : tensor<4xf32>, tensor<4xf32>
  }
  func.return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// If both start in the same memory, one works on a copy.
// CHECK-LABEL: func.func @swap_same(%t: memref<4xf32>, %f: f32, %l: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %0) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:        memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT:        scf.yield %b, %a : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r, %s : memref<4xf32>, memref<4xf32>
func.func @swap_same(%t: tensor<4xf32>, %f: f32, %l: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %u = tensor.cast %t : tensor<4xf32> to tensor<4xf32>
  %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %f into %b[%i] : tensor<4xf32>
    scf.yield %w, %a : tensor<4xf32>, tensor<4xf32>
  }
  func.return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// The new tensor goes where the oldest one was.
// CHECK-LABEL: func.func @shift(%t: memref<4xf32>, %u: memref<4xf32>, %l: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:        %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:        linalg.add ins(%a, %b : memref<4xf32>, memref<4xf32>) outs(%e : memref<4xf32>)
// CHECK-NEXT:        "memref.copy"(%e, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        scf.yield %b, %a : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r, %s : memref<4xf32>, memref<4xf32>
func.func @shift(%t: tensor<4xf32>, %u: tensor<4xf32>, %l: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.add ins(%a, %b : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b, %w : tensor<4xf32>, tensor<4xf32>
  }
  func.return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// Both would be in one buffer.
// CHECK-LABEL: func.func @twice(%t: memref<4xf32>, %u: memref<4xf32>, %f: f32, %l: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:        memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:        "memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        scf.yield %a, %b : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r, %s : memref<4xf32>, memref<4xf32>
func.func @twice(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %l: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.yield %w, %w : tensor<4xf32>, tensor<4xf32>
  }
  func.return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// Each of the copies overwrites what the other one reads: one goes through new memory.
// CHECK-LABEL: func.func @slices_swap(%t: memref<4xf32>, %u: memref<4xf32>, %l: index, %c: i1) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:        %x = arith.select %c, %a, %b : memref<4xf32>
// CHECK-NEXT:        %y = arith.select %c, %b, %a : memref<4xf32>
// CHECK-NEXT:        %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:        "memref.copy"(%x, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        "memref.copy"(%y, %b) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        "memref.copy"(%0, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        scf.yield %a, %b : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r, %s : memref<4xf32>, memref<4xf32>
func.func @slices_swap(%t: tensor<4xf32>, %u: tensor<4xf32>, %l: index, %c: i1) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %x = arith.select %c, %a, %b : tensor<4xf32>
    %y = arith.select %c, %b, %a : tensor<4xf32>
    scf.yield %x, %y : tensor<4xf32>, tensor<4xf32>
  }
  func.return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// What is read is copied before it is overwritten, whatever the positions.
// CHECK-LABEL: func.func @in_turn(%t: memref<4xf32>, %u: memref<4xf32>, %l: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:        %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:        linalg.exp ins(%a : memref<4xf32>) outs(%e : memref<4xf32>)
// CHECK-NEXT:        "memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        "memref.copy"(%e, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        scf.yield %a, %b : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r, %s : memref<4xf32>, memref<4xf32>
func.func @in_turn(%t: tensor<4xf32>, %u: tensor<4xf32>, %l: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %s = scf.for %i = %l to %l step %l iter_args(%a = %t, %b = %u) -> (tensor<4xf32>, tensor<4xf32>) {
    %e = linalg.exp ins(%a : tensor<4xf32>) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %e, %a : tensor<4xf32>, tensor<4xf32>
  }
  func.return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// A tensor from outside of the loop stays where it is.
// CHECK-LABEL: func.func @from_outside(%t: memref<4xf32>, %u: memref<4xf32>, %l: index) -> memref<4xf32> {
// CHECK-NEXT:      %r = scf.for %i = %l to %l step %l iter_args(%a = %t) -> (memref<4xf32>) {
// CHECK-NEXT:        "memref.copy"(%u, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        scf.yield %a : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @from_outside(%t: tensor<4xf32>, %u: tensor<4xf32>, %l: index) -> tensor<4xf32> {
  %r = scf.for %i = %l to %l step %l iter_args(%a = %t) -> (tensor<4xf32>) {
    scf.yield %u : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
