// RUN: xdsl-opt --allow-unregistered-dialect %s -p eliminate-empty-tensors | filecheck %s

// A loop that computes into an empty tensor.
// CHECK-LABEL: func.func @loop(
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %t[0] [4] [1]
// CHECK-NEXT: scf.for %i = %l to %n step %l iter_args(%a = %[[S]])
func.func @loop(%t: tensor<16xf32>, %x: f32, %l: index, %n: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = scf.for %i = %l to %n step %l iter_args(%a = %e) -> (tensor<4xf32>) {
    %b = linalg.fill ins(%x : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %r = tensor.insert_slice %f into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// A loop that inserts; the empty tensor may be defined outside of it.
// CHECK-LABEL: func.func @in_loop(
// CHECK-NEXT: scf.for %i = %l to %n step %l iter_args(%a = %t)
// CHECK-NEXT: %[[S:.*]] = tensor.extract_slice %a[%i] [4] [1]
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[S]]
func.func @in_loop(%t: tensor<16xf32>, %x: f32, %l: index, %n: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = scf.for %i = %l to %n step %l iter_args(%a = %t) -> (tensor<16xf32>) {
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %b = tensor.insert_slice %f into %a[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
    scf.yield %b : tensor<16xf32>
  }
  func.return %r : tensor<16xf32>
}

// The destination only exists in the loop, and what is inserted is computed before.
// CHECK-LABEL: func.func @before_loop(
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.fill
// CHECK-NEXT: scf.for
// CHECK-NEXT: tensor.insert_slice
func.func @before_loop(%t: tensor<16xf32>, %x: f32, %l: index, %n: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %l to %n step %l iter_args(%a = %t) -> (tensor<16xf32>) {
    %b = tensor.insert_slice %f into %a[%i] [4] [1] : tensor<4xf32> into tensor<16xf32>
    scf.yield %b : tensor<16xf32>
  }
  func.return %r : tensor<16xf32>
}

// CHECK-LABEL: func.func @branches(
// CHECK-NOT: tensor.empty
// CHECK: scf.if
// CHECK-NEXT: %[[A:.*]] = tensor.extract_slice %t[0] [4] [1]
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[A]]
// CHECK: else
// CHECK-NEXT: %[[B:.*]] = tensor.extract_slice %t[0] [4] [1]
// CHECK-NEXT: linalg.fill ins(%y : f32) outs(%[[B]]
func.func @branches(%t: tensor<16xf32>, %x: f32, %y: f32, %p: i1) -> tensor<16xf32> {
  %f = scf.if %p -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %a = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %e = tensor.empty() : tensor<4xf32>
    %b = linalg.fill ins(%y : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %r = tensor.insert_slice %f into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// CHECK-LABEL: func.func @parallel(
// CHECK-NOT: tensor.empty
// CHECK: %[[S:.*]] = tensor.extract_slice %o[%i] [4] [1]
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[S]]
func.func @parallel(%t: tensor<16xf32>, %x: f32, %n: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = "scf.forall"(%n, %t) <{operandSegmentSizes = array<i32: 0, 1, 0, 1>, staticLowerBound = array<i64: 0>, staticStep = array<i64: 1>, staticUpperBound = array<i64: -9223372036854775808>}> ({
  ^bb0(%i: index, %o: tensor<16xf32>):
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    "scf.forall.in_parallel"() ({
      "tensor.parallel_insert_slice"(%f, %o, %i) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>}> : (tensor<4xf32>, tensor<16xf32>, index) -> ()
    }) : () -> ()
  }) : (index, tensor<16xf32>) -> tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// The destination is defined in a block that dominates the one where it is needed.
// CHECK-LABEL: func.func @blocks(
// CHECK-NOT: tensor.empty
// CHECK: ^{{.*}}:
// CHECK-NEXT: %[[A:.*]] = tensor.extract_slice %u[0] [4] [1]
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[A]]
func.func @blocks(%t: tensor<16xf32>, %x: f32, %p: i1, %i: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %u = tensor.insert %x into %t[%i] : tensor<16xf32>
  cf.cond_br %p, ^bb1, ^bb3
^bb1:
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb2
^bb2:
  %r = tensor.insert_slice %f into %u[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
^bb3:
  func.return %u : tensor<16xf32>
}

// One branch's block defines the destination: it does not dominate the other's.
// CHECK-LABEL: func.func @not_dominated(
// CHECK-NEXT: tensor.empty
// CHECK: linalg.fill
// CHECK-SAME: outs(%e
func.func @not_dominated(%t: tensor<16xf32>, %x: f32, %p: i1, %i: index) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  cf.cond_br %p, ^bb1, ^bb2
^bb1:
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb3(%f, %t : tensor<4xf32>, tensor<16xf32>)
^bb2:
  %g = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %u = tensor.insert %x into %t[%i] : tensor<16xf32>
  cf.br ^bb3(%g, %u : tensor<4xf32>, tensor<16xf32>)
^bb3(%a: tensor<4xf32>, %d: tensor<16xf32>):
  %r = tensor.insert_slice %a into %d[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

func.func private @make() -> tensor<16xf32>

// The destination is defined in a later block.
// CHECK-LABEL: func.func @later_block(
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%e
func.func @later_block(%x: f32) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb1
^bb1:
  %u = func.call @make() : () -> tensor<16xf32>
  %r = tensor.insert_slice %f into %u[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// Where nothing is inserted, the slice may be out of bounds.
// CHECK-LABEL: func.func @insertion_that_may_not_happen(%t: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> f32 {
// CHECK-NEXT:    %e = tensor.empty() : tensor<4xf32>
// CHECK-NEXT:    %x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = scf.if %c -> (f32) {
// CHECK-NEXT:      %y = tensor.insert_slice %x into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
// CHECK-NEXT:      %v = tensor.extract %y[%i] : tensor<8xf32>
// CHECK-NEXT:      scf.yield %v : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %v_1 = tensor.extract %x[%c0] : tensor<4xf32>
// CHECK-NEXT:      scf.yield %v_1 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : f32
// CHECK-NEXT:  }
func.func @insertion_that_may_not_happen(%t: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (f32) {
    %y = tensor.insert_slice %x into %t[%i] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %v = tensor.extract %y[%i] : tensor<8xf32>
    scf.yield %v : f32
  } else {
    %v = tensor.extract %x[%c0] : tensor<4xf32>
    scf.yield %v : f32
  }
  func.return %r : f32
}

// This one is within bounds in any case.
// CHECK-LABEL: func.func @slice_within_bounds(%t: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> f32 {
// CHECK-NEXT:    %0 = tensor.extract_slice %t[4] [4] [1] : tensor<8xf32> to tensor<4xf32>
// CHECK-NEXT:    %x = linalg.fill ins(%f : f32) outs(%0 : tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %r = scf.if %c -> (f32) {
// CHECK-NEXT:      %y = tensor.insert_slice %x into %t[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
// CHECK-NEXT:      %v = tensor.extract %y[%i] : tensor<8xf32>
// CHECK-NEXT:      scf.yield %v : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %v_1 = tensor.extract %x[%c0] : tensor<4xf32>
// CHECK-NEXT:      scf.yield %v_1 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : f32
// CHECK-NEXT:  }
func.func @slice_within_bounds(%t: tensor<8xf32>, %i: index, %f: f32, %c: i1) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %x = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %c0 = arith.constant 0 : index
  %r = scf.if %c -> (f32) {
    %y = tensor.insert_slice %x into %t[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
    %v = tensor.extract %y[%i] : tensor<8xf32>
    scf.yield %v : f32
  } else {
    %v = tensor.extract %x[%c0] : tensor<4xf32>
    scf.yield %v : f32
  }
  func.return %r : f32
}

// This one has one element four times, of which a fill that is not inserted keeps four.
// CHECK-LABEL: func.func @stride_of_zero
// CHECK:         %e = tensor.empty() : tensor<4xf32>
// CHECK:         %y = tensor.insert_slice %f into %t[2] [4] [0]
func.func @stride_of_zero(%x: f32, %z: f32, %c: i1, %i: index) -> f32 {
  %d = tensor.empty() : tensor<8xf32>
  %t = linalg.fill ins(%z : f32) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> (f32) {
    %y = tensor.insert_slice %f into %t[2] [4] [0] : tensor<4xf32> into tensor<8xf32>
    %v = tensor.extract %y[%i] : tensor<8xf32>
    scf.yield %v : f32
  } else {
    %v = tensor.extract %f[%i] : tensor<4xf32>
    scf.yield %v : f32
  }
  func.return %r : f32
}
