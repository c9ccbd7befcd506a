// RUN: xdsl-opt %s -p eliminate-empty-tensors | filecheck %s

// What computes the destination and its part is moved up, as far as it is needed.
// CHECK-LABEL: func.func @move_up(
// CHECK-NEXT: %u = tensor.insert %x into %t[%i] : tensor<16xf32>
// CHECK-NEXT: %o = arith.addi %i, %i : index
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %u[%o] [4] [1]
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%[[S]]
// CHECK-NEXT: %y = tensor.extract %f[%i]
func.func @move_up(%t: tensor<16xf32>, %x: f32, %i: index) -> (tensor<16xf32>, f32) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.extract %f[%i] : tensor<4xf32>
  %u = tensor.insert %x into %t[%i] : tensor<16xf32>
  %o = arith.addi %i, %i : index
  %r = tensor.insert_slice %f into %u[%o] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r, %y : tensor<16xf32>, f32
}

// Ops with regions are moved, too.
// CHECK-LABEL: func.func @move_loop(
// CHECK-NEXT: %u = scf.for
// CHECK: }
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %u[0] [4] [1]
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%[[S]]
func.func @move_loop(%t: tensor<16xf32>, %x: f32, %l: index, %n: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %u = scf.for %i = %l to %n step %l iter_args(%a = %t) -> (tensor<16xf32>) {
    %b = tensor.insert %x into %a[%i] : tensor<16xf32>
    scf.yield %b : tensor<16xf32>
  }
  %r = tensor.insert_slice %f into %u[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

func.func private @make() -> tensor<16xf32>

// A call cannot be moved; what fills the part can.
// CHECK-LABEL: func.func @move_down(
// CHECK-NEXT: memref.store
// CHECK-NEXT: %u = func.call @make()
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %u[0] [4] [1]
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%[[S]]
// CHECK-NEXT: %y = tensor.extract %f[%i]
// CHECK-NEXT: tensor.insert_slice
func.func @move_down(%m: memref<4xf32>, %x: f32, %i: index) -> (tensor<16xf32>, f32) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.extract %f[%i] : tensor<4xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %u = func.call @make() : () -> tensor<16xf32>
  %r = tensor.insert_slice %f into %u[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r, %y : tensor<16xf32>, f32
}

// Where the part is depends on what is computed for it.
// CHECK-LABEL: func.func @cyclic(
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: tensor.extract
// CHECK-NEXT: arith.index_cast
// CHECK-NEXT: tensor.insert_slice
func.func @cyclic(%t: tensor<16xi32>, %x: i32, %i: index) -> tensor<16xi32> {
  %e = tensor.empty() : tensor<4xi32>
  %f = linalg.fill ins(%x : i32) outs(%e : tensor<4xi32>) -> tensor<4xi32>
  %y = tensor.extract %f[%i] : tensor<4xi32>
  %o = arith.index_cast %y : i32 to index
  %r = tensor.insert_slice %f into %t[%o] [4] [1] : tensor<4xi32> into tensor<16xi32>
  func.return %r : tensor<16xi32>
}

// CHECK-LABEL: func.func @reads_the_part_first(
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: scf.for
func.func @reads_the_part_first(%t: tensor<16xf32>, %x: f32, %l: index, %n: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %u = scf.for %i = %l to %n step %l iter_args(%a = %t) -> (tensor<16xf32>) {
    %y = tensor.extract %f[%i] : tensor<4xf32>
    %b = tensor.insert %y into %a[%i] : tensor<16xf32>
    scf.yield %b : tensor<16xf32>
  }
  %r = tensor.insert_slice %f into %u[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// What is computed for one part is moved in front of another, then gets its empty tensor
// back, as the destination is read in between.
// CHECK-LABEL: func.func @moved_and_undone(
// CHECK-NEXT: %e = tensor.empty(%s) : tensor<?xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>)
// CHECK-NEXT: %u = tensor.insert_slice %f into %t[0] [%s] [1]
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %u[8] [4] [1]
// CHECK-NEXT: %h = linalg.fill ins(%x : f32) outs(%[[S]]
// CHECK-NEXT: %y = tensor.extract %t[%s]
func.func @moved_and_undone(%t: tensor<16xf32>, %x: f32, %s: index) -> (tensor<16xf32>, f32) {
  %g = tensor.empty() : tensor<4xf32>
  %h = linalg.fill ins(%x : f32) outs(%g : tensor<4xf32>) -> tensor<4xf32>
  %e = tensor.empty(%s) : tensor<?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %y = tensor.extract %t[%s] : tensor<16xf32>
  %u = tensor.insert_slice %f into %t[0] [%s] [1] : tensor<?xf32> into tensor<16xf32>
  %r = tensor.insert_slice %h into %u[8] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r, %y : tensor<16xf32>, f32
}
