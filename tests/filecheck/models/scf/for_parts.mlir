// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}' | filecheck %s

// A part of the buffer that an iteration is given is handed on as it is.
// CHECK-LABEL: func.func @part_of_its_own
// CHECK: scf.for %i = %l to %n step %s iter_args(%a = %{{.*}}) -> (memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT: %u = memref.subview %a[1] [%i] [1]
// CHECK-NEXT: scf.yield %u : memref<?xf32, strided<[?], offset: ?>>
func.func @part_of_its_own(%l: index, %n: index, %s: index, %f: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %r = scf.for %i = %l to %n step %s iter_args(%a = %t) -> (tensor<?xf32>) {
    %u = tensor.extract_slice %a[1] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// The parts of one buffer for two positions are copied: an iteration may write one of them.
// CHECK-LABEL: func.func @two_parts
// CHECK: memref.subview %a[0] [%i] [1]
// CHECK: memref.subview %a[1] [%i] [1]
// CHECK: memref.copy
func.func @two_parts(%l: index, %n: index, %s: index, %t: tensor<?xf32>, %v: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  %r, %q = scf.for %i = %l to %n step %s iter_args(%a = %t, %b = %v) -> (tensor<?xf32>, tensor<?xf32>) {
    %u = tensor.extract_slice %a[0] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    %w = tensor.extract_slice %a[1] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    scf.yield %u, %w : tensor<?xf32>, tensor<?xf32>
  }
  func.return %r, %q : tensor<?xf32>, tensor<?xf32>
}
