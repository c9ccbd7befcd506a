// RUN: xdsl-opt %s -p eliminate-empty-tensors | filecheck %s

// The part is all of the tensor.
// CHECK-LABEL: func.func @tensor(
// CHECK-NEXT: %[[C:.*]] = tensor.cast %t : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[C]] : tensor<4xf32>)
func.func @tensor(%t: tensor<?xf32>, %x: f32) -> tensor<?xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = bufferization.materialize_in_destination %f in %t : (tensor<4xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// An op that has to work in place, and cannot: the contents are read before.
// CHECK-LABEL: func.func @in_place_or_fail(
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: %f = bufferization.materialize_in_destination %s in %e
func.func @in_place_or_fail(%t: tensor<4xf32>, %s: tensor<4xf32>, %i: index) -> (tensor<4xf32>, f32) {
  %e = tensor.empty() : tensor<4xf32>
  %f = bufferization.materialize_in_destination %s in %e : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %y = tensor.extract %t[%i] : tensor<4xf32>
  %r = bufferization.materialize_in_destination %f in %t : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %y : tensor<4xf32>, f32
}

// There is another tensor in the memory now, so that `restrict` has to go.
// CHECK-LABEL: func.func @memref(
// CHECK-NEXT: %[[M:.*]] = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%[[M]] : tensor<4xf32>)
// CHECK-NEXT: bufferization.materialize_in_destination %f in writable %m
func.func @memref(%m: memref<4xf32>, %x: f32) -> memref<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return %m : memref<4xf32>
}

// The branches share one tensor, which is defined before both.
// CHECK-LABEL: func.func @memref_branches(
// CHECK-NEXT: %[[M:.*]] = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT: scf.if
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[M]]
// CHECK: else
// CHECK-NEXT: linalg.fill ins(%z : f32) outs(%[[M]]
func.func @memref_branches(%m: memref<4xf32>, %x: f32, %z: f32, %p: i1) -> memref<4xf32> {
  %f = scf.if %p -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %a = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %e = tensor.empty() : tensor<4xf32>
    %b = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return %m : memref<4xf32>
}

// Several destinations, which are not the same memory as all are restricted.
// CHECK-LABEL: func.func @memrefs(
// CHECK-NOT: tensor.empty
// CHECK: func.return
func.func @memrefs(%m: memref<4xf32>, %n: memref<4xf32>, %x: f32, %z: f32) -> (memref<4xf32>, memref<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  bufferization.materialize_in_destination %g in restrict writable %n : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return %m, %n : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @not_restrict(
// CHECK-NEXT: tensor.empty
func.func @not_restrict(%m: memref<4xf32>, %x: f32) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %f in writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return
}

// The old contents are still to be read.
// CHECK-LABEL: func.func @read_in_between(
// CHECK-NEXT: tensor.empty
// CHECK: in restrict writable %m
func.func @read_in_between(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %y = memref.load %m[%i] : memref<4xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return %y : f32
}

// What is computed first must not be overwritten, as it is read again.
// CHECK-LABEL: func.func @read_again(
// CHECK-NEXT: tensor.empty
func.func @read_again(%m: memref<4xf32>, %x: f32, %z: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = tensor.insert %z into %f[%i] : tensor<4xf32>
  bufferization.materialize_in_destination %g in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  %y = tensor.extract %f[%i] : tensor<4xf32>
  func.return %y : f32
}

// The memory changes before what was put there is read.
// CHECK-LABEL: func.func @read_afterwards(
// CHECK-NEXT: tensor.empty
func.func @read_afterwards(%m: memref<4xf32>, %x: f32, %z: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  memref.store %z, %m[%i] : memref<4xf32>
  %y = tensor.extract %f[%i] : tensor<4xf32>
  func.return %y : f32
}

// Both are computed before one is chosen, so that only one of them can be in the memory.
// CHECK-LABEL: func.func @select(
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: %[[M:.*]] = bufferization.to_tensor %m restrict writable
// CHECK-NEXT: linalg.fill ins(%x : f32) outs(%[[M]]
// CHECK-NEXT: linalg.fill ins(%z : f32) outs(%e
// CHECK-NEXT: arith.select
func.func @select(%m: memref<4xf32>, %x: f32, %z: f32, %p: i1) -> memref<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %g = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %h = arith.select %p, %f, %g : tensor<4xf32>
  bufferization.materialize_in_destination %h in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return %m : memref<4xf32>
}

// Each iteration copies the same contents, which another op changes in between.
// CHECK-LABEL: func.func @before_loop(
// CHECK-NEXT: arith.constant
// CHECK-NEXT: tensor.empty
func.func @before_loop(%m: memref<4xf32>, %x: f32, %z: f32, %l: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  scf.for %i = %c0 to %n step %l {
    bufferization.materialize_in_destination %f in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
    memref.store %z, %m[%i] : memref<4xf32>
  }
  %y = memref.load %m[%c0] : memref<4xf32>
  func.return %y : f32
}

// The first destination is an empty tensor itself, so that the second one is better.
// CHECK-LABEL: func.func @into_empty(
// CHECK: %[[S:.*]] = tensor.extract_slice %t[0] [4] [1]
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%[[S]]
func.func @into_empty(%t: tensor<16xf32>, %x: f32) -> (tensor<16xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %d = tensor.empty() : tensor<4xf32>
  %m = bufferization.materialize_in_destination %f in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %f into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  func.return %r, %m : tensor<16xf32>, tensor<4xf32>
}

// A mask leaves the rest as it is filled. Ops on vectors and tensors access no memory.
// CHECK-LABEL: func.func @masked(
// CHECK: %[[M:.*]] = bufferization.to_tensor %o restrict writable : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT: %f = linalg.fill ins(%y : f32) outs(%[[M]]
// CHECK-NEXT: vector.transfer_write
func.func @masked(%y: f32, %o: memref<4xf32>) {
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %k = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%y : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %w = vector.transfer_write %v, %f[%c0], %k {in_bounds = [true]} : vector<4xf32>, tensor<4xf32>
  bufferization.materialize_in_destination %w in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func @scattered_subview(
// CHECK-NOT: tensor.empty
// CHECK: vector.scatter
// CHECK-NOT: restrict
func.func @scattered_subview(%y: f32, %o: memref<16xf32>, %i: index) {
  %v = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : vector<4xf32>
  %vi = arith.constant dense<[3, 1, 2, 0]> : vector<4xindex>
  %vm = arith.constant dense<[true, false, true, true]> : vector<4xi1>
  %c0 = arith.constant 0 : index
  %s = memref.subview %o[%i] [4] [1] : memref<16xf32> to memref<4xf32, strided<[1], offset: ?>>
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%y : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %p = vector.scatter %f[%c0][%vi], %vm, %v : tensor<4xf32>, vector<4xindex>, vector<4xi1>, vector<4xf32> -> tensor<4xf32>
  bufferization.materialize_in_destination %p in restrict writable %s : (tensor<4xf32>, memref<4xf32, strided<[1], offset: ?>>) -> ()
  func.return
}

// CHECK-LABEL: func.func @vectors_in_loop(
// CHECK-NOT: tensor.empty
// CHECK: %[[M:.*]] = bufferization.to_tensor %o restrict writable
// CHECK-NEXT: scf.for {{.*}} iter_args(%s = %[[M]])
func.func @vectors_in_loop(%a: tensor<8xf32>, %o: memref<8xf32>) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %r = scf.for %i = %c0 to %c8 step %c4 iter_args(%s = %e) -> (tensor<8xf32>) {
    %v = vector.transfer_read %a[%i], %z {in_bounds = [true]} : tensor<8xf32>, vector<4xf32>
    %w = vector.transfer_write %v, %s[%i] {in_bounds = [true]} : vector<4xf32>, tensor<8xf32>
    scf.yield %w : tensor<8xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func @region_and_tiles(
// CHECK-NOT: tensor.empty
// CHECK: bufferization.to_tensor %o restrict writable
// CHECK-NEXT: scf.execute_region
// CHECK: bufferization.to_tensor %p restrict writable
// CHECK-NEXT: scf.forall
func.func @region_and_tiles(%a: tensor<4x4xf32>, %y: f32, %o: memref<4xf32>, %p: memref<4x4xf32>) {
  %d = tensor.empty() : tensor<4xf32>
  %r = scf.execute_region -> tensor<4xf32> {
    %f = linalg.fill ins(%y : f32) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %f : tensor<4xf32>
  }
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<4xf32>, memref<4xf32>) -> ()
  %e = tensor.empty() : tensor<4x4xf32>
  %t = scf.forall (%i) in (4) shared_outs(%s = %e) -> (tensor<4x4xf32>) {
    %as = tensor.extract_slice %a[%i, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
    %ss = tensor.extract_slice %s[%i, 0] [1, 4] [1, 1] : tensor<4x4xf32> to tensor<1x4xf32>
    %x = linalg.exp ins(%as : tensor<1x4xf32>) outs(%ss : tensor<1x4xf32>) -> tensor<1x4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %s[%i, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<4x4xf32>
    }
  }
  bufferization.materialize_in_destination %t in restrict writable %p : (tensor<4x4xf32>, memref<4x4xf32>) -> ()
  func.return
}

// A call may read the memory through another memref, and print what is there.
// CHECK-LABEL: func.func @call_in_between(
// CHECK-NEXT: tensor.empty
// CHECK: in restrict writable %m
func.func private @show(tensor<4xf32>) -> tensor<4xf32>
func.func @call_in_between(%m: memref<4xf32>, %x: f32) {
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.call @show(%f) : (tensor<4xf32>) -> tensor<4xf32>
  bufferization.materialize_in_destination %f in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return
}
