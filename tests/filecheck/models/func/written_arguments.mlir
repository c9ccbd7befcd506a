// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' %s | filecheck %s
// RUN: xdsl-opt -p 'one-shot-bufferize{bufferize-function-boundaries test-analysis-only},verify-bufferization-decisions{bufferize-function-boundaries}' %s

// A function writes an argument only if it writes memory that comes with it; not if its result may
// be the argument, or new memory that it writes.

func.func private @scaled(%t: tensor<4xf32>, %c: i1, %f: f32) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %new = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %new : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @constant(
// CHECK:         %[[K:.*]] = memref.get_global
// CHECK-NEXT:    func.call @scaled(%[[K]],
// CHECK-NEXT:    func.call @scaled(%[[K]],
// CHECK-NOT:     memref.copy
// CHECK:         func.return
func.func @constant(%c: i1, %f: f32, %i: index) -> (f32, f32) {
  %k = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %a = func.call @scaled(%k, %c, %f) : (tensor<4xf32>, i1, f32) -> tensor<4xf32>
  %b = func.call @scaled(%k, %c, %f) : (tensor<4xf32>, i1, f32) -> tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  %y = tensor.extract %b[%i] : tensor<4xf32>
  func.return %x, %y : f32, f32
}

// Neither does a recursive one, which may return a part of the argument.

func.func private @sum(%t: tensor<?xf32>, %c: i1, %i: index, %f: f32) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    scf.yield %t : tensor<?xf32>
  } else {
    %s = tensor.extract_slice %t[%i] [%i] [1] : tensor<?xf32> to tensor<?xf32>
    %x = func.call @sum(%s, %c, %i, %f) : (tensor<?xf32>, i1, index, f32) -> tensor<?xf32>
    %e = tensor.empty(%i) : tensor<?xf32>
    %z = linalg.add ins(%x, %x : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %z : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// CHECK-LABEL: func.func @sums(
// CHECK-NOT:     memref.copy
// CHECK:         func.return
func.func @sums(%t: tensor<?xf32>, %c: i1, %i: index, %f: f32) -> (tensor<?xf32>, tensor<?xf32>) {
  %x = func.call @sum(%t, %c, %i, %f) : (tensor<?xf32>, i1, index, f32) -> tensor<?xf32>
  func.return %x, %t : tensor<?xf32>, tensor<?xf32>
}

// One that writes what may be the argument does, and so the caller copies.

func.func private @changed(%t: tensor<4xf32>, %c: i1, %f: f32, %i: index) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %new = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %new : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  %w = tensor.insert %f into %r[%i] : tensor<4xf32>
  func.return %w : tensor<4xf32>
}

// CHECK-LABEL: func.func @copied(
// CHECK-SAME:      %[[T:[a-z0-9]*]]: memref<4xf32>
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    "memref.copy"(%[[T]], %[[A]])
// CHECK-NEXT:    func.call @changed(%[[A]],
// CHECK:         func.return
func.func @copied(%t: tensor<4xf32>, %c: i1, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %x = func.call @changed(%t, %c, %f, %i) : (tensor<4xf32>, i1, f32, index) -> tensor<4xf32>
  func.return %x, %t : tensor<4xf32>, tensor<4xf32>
}

// So does one that writes it through a memref which may be that of another tensor.

func.func private @stored(%t: tensor<4xf32>, %c: i1, %f: f32, %i: index) {
  %e = tensor.empty() : tensor<4xf32>
  %new = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %n = bufferization.to_buffer %new : tensor<4xf32> to memref<4xf32>
  %s = arith.select %c, %m, %n : memref<4xf32>
  memref.store %f, %s[%i] : memref<4xf32>
  func.return
}

// CHECK-LABEL: func.func @copied_to_be_stored_to(
// CHECK-SAME:      %[[T:[a-z0-9]*]]: memref<4xf32>
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK-NEXT:    "memref.copy"(%[[T]], %[[A]])
// CHECK-NEXT:    func.call @stored(%[[A]],
// CHECK:         func.return
func.func @copied_to_be_stored_to(%t: tensor<4xf32>, %c: i1, %f: f32, %i: index) -> tensor<4xf32> {
  func.call @stored(%t, %c, %f, %i) : (tensor<4xf32>, i1, f32, index) -> ()
  func.return %t : tensor<4xf32>
}
