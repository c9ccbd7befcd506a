// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s

// What an op only overwrites need not be its init: here it would be overwritten, and then copied.
// CHECK-LABEL: func.func @overwritten_argument(
// CHECK: %[[S:.*]] = tensor.extract_slice %{{.*}}[4] [8] [1]
// CHECK-NEXT: linalg.add ins(%a, %b : {{.*}}) outs(%[[S]]
func.func @overwritten_argument(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<20xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20xf32>
  %c = linalg.fill ins(%z : f32) outs(%e : tensor<20xf32>) -> tensor<20xf32>
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.insert_slice %r into %c[4] [8] [1] : tensor<8xf32> into tensor<20xf32>
  func.return %s : tensor<20xf32>
}

// Both in a concatenation.
// CHECK-LABEL: func.func @overwritten_and_concatenated(
// CHECK: %[[S:.*]] = tensor.extract_slice
// CHECK-NEXT: %r = linalg.add ins(%a, %b : {{.*}}) outs(%[[S]]
// CHECK: %[[T:.*]] = tensor.extract_slice
// CHECK-NEXT: %q = linalg.exp ins(%r : {{.*}}) outs(%[[T]]
func.func @overwritten_and_concatenated(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<16xf32> {
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %q = linalg.exp ins(%r : tensor<8xf32>) outs(%b : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.concat dim(0) %r, %q : (tensor<8xf32>, tensor<8xf32>) -> tensor<16xf32>
  func.return %s : tensor<16xf32>
}

// In a loop, of a size known at run time.
// CHECK-LABEL: func.func @overwritten_rows(
// CHECK: scf.for
// CHECK: %[[S:.*]] = tensor.extract_slice %t[%i, 0] [1, %n] [1, 1]
// CHECK-NEXT: linalg.add ins(%a, %b : {{.*}}) outs(%[[S]]
func.func @overwritten_rows(%a: tensor<?xf32>, %b: tensor<?xf32>, %d: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c0 : tensor<?xf32>
  %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%t = %d) -> (tensor<4x?xf32>) {
    %r = linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>) outs(%a : tensor<?xf32>) -> tensor<?xf32>
    %s = tensor.insert_slice %r into %t[%i, 0] [1, %n] [1, 1] : tensor<?xf32> into tensor<4x?xf32>
    scf.yield %s : tensor<4x?xf32>
  }
  func.return %l : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @overwritten_for_memref(
// CHECK-NEXT: %[[O:.*]] = bufferization.to_tensor %o restrict writable
// CHECK-NEXT: linalg.add ins(%a, %b : {{.*}}) outs(%[[O]]
func.func @overwritten_for_memref(%a: tensor<8xf32>, %b: tensor<8xf32>, %o: memref<8xf32>) {
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<8xf32>, memref<8xf32>) -> ()
  func.return
}

// torch-mlir's flips have their input as the init, which is read again here.
// CHECK-LABEL: func.func @flip(
// CHECK: %[[Y:.*]] = tensor.extract_slice %{{.*}}[12] [8] [1]
// CHECK-NEXT: %y = linalg.exp ins(%x : {{.*}}) outs(%[[Y]]
// CHECK: %[[R:.*]] = tensor.extract_slice %{{.*}}[0] [8] [1]
// CHECK-NEXT: %r = linalg.generic {{.*}} ins(%y : tensor<8xf32>) outs(%[[R]]
func.func @flip(%x: tensor<8xf32>) -> tensor<20xf32> {
  %y0 = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%y0 : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (7 - i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%y : tensor<8xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  %e = tensor.empty() : tensor<20xf32>
  %a = tensor.insert_slice %r into %e[0] [8] [1] : tensor<8xf32> into tensor<20xf32>
  %b = tensor.insert_slice %y into %a[12] [8] [1] : tensor<8xf32> into tensor<20xf32>
  func.return %b : tensor<20xf32>
}

// In its destination where its init was in an empty tensor: both stay there.
// CHECK-LABEL: func.func @overwritten_empty(
// CHECK: %[[S:.*]] = tensor.extract_slice %c[4] [8] [1]
// CHECK-NEXT: %p = linalg.exp ins(%b : {{.*}}) outs(%[[S]]
// CHECK-NEXT: %r = linalg.add ins(%p, %b : {{.*}}) outs(%p
func.func @overwritten_empty(%b: tensor<8xf32>, %c: tensor<20xf32>) -> tensor<20xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %p = linalg.exp ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.add ins(%p, %b : tensor<8xf32>, tensor<8xf32>) outs(%p : tensor<8xf32>) -> tensor<8xf32>
  %s = tensor.insert_slice %r into %c[4] [8] [1] : tensor<8xf32> into tensor<20xf32>
  func.return %s : tensor<20xf32>
}

// The destination is read in between: it is copied in any case, from where it is.
// CHECK-LABEL: func.func @read_in_between(
// CHECK: linalg.add ins(%a, %b : {{.*}}) outs(%a
func.func @read_in_between(%a: tensor<8xf32>, %b: tensor<8xf32>, %c: tensor<20xf32>) -> (tensor<20xf32>, f32) {
  %c4 = arith.constant 4 : index
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %v = tensor.extract %c[%c4] : tensor<20xf32>
  %k = tensor.extract %r[%c4] : tensor<8xf32>
  %m = arith.addf %v, %k : f32
  %d = tensor.insert %m into %c[%c4] : tensor<20xf32>
  %w = tensor.extract %d[%c4] : tensor<20xf32>
  %s = tensor.insert_slice %r into %d[4] [8] [1] : tensor<8xf32> into tensor<20xf32>
  func.return %s, %w : tensor<20xf32>, f32
}
