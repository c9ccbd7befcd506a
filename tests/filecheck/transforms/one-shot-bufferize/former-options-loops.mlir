// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-return-allocs-from-loops bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-return-allocs bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-return-memref=1 bufferize-function-boundaries}' | filecheck %s
// RUN: not xdsl-opt %s -p 'one-shot-bufferize{allow-return-allocs=0 bufferize-function-boundaries}' 2>&1 | filecheck %s --check-prefix=WITHOUT

// WITHOUT: error: 'scf.yield' operand #0 is not equivalent to the iteration argument in the same place
// CHECK-LABEL: func.func @new_buffer(%t: memref<?xf32, strided<[?], offset: ?>>, %n: index) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    %r = scf.for %i = %n to %n step %n iter_args(%a = %t) -> (memref<?xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:      %b = memref.alloc(%i) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:      %0 = "memref.cast"(%b) : (memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      scf.yield %0 : memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xf32, strided<[?], offset: ?>>
func.func @new_buffer(%t: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %r = scf.for %i = %n to %n step %n iter_args(%a = %t) -> (tensor<?xf32>) {
    %b = tensor.empty(%i) : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}
