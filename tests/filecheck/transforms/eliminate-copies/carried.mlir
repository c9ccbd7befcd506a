// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p bufferize | filecheck %s --check-prefix=BUFFERS

// What a loop yields is computed in its iteration argument, if nobody needs that any more.
// CHECK-LABEL: func.func @for
// CHECK:             linalg.add ins(%c, %y : {{.*}}) outs(%c :
// BUFFERS-LABEL: func.func @for
// BUFFERS:         memref.alloc
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @for(%x: tensor<8x4xf32>, %z: f32) -> tensor<4xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i8 = arith.constant 8 : index
  %e0 = tensor.empty() : tensor<4xf32>
  %c0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %i0 to %i8 step %i1 iter_args(%c = %c0) -> (tensor<4xf32>) {
    %y = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.add ins(%c, %y : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// Of several inputs that nobody needs, the one in the iteration argument is taken.
// CHECK-LABEL: func.func @prefers
// CHECK:             %u = linalg.exp ins(%y : {{.*}}) outs(%e :
// CHECK:             %v = linalg.mul ins(%u, %c : {{.*}}) outs(%c :
// CHECK:             %w = linalg.add ins(%u, %v : {{.*}}) outs(%v :
func.func @prefers(%x: tensor<8x4xf32>, %z: f32) -> tensor<4xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i8 = arith.constant 8 : index
  %e0 = tensor.empty() : tensor<4xf32>
  %c0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.for %i = %i0 to %i8 step %i1 iter_args(%c = %c0) -> (tensor<4xf32>) {
    %y = tensor.extract_slice %x[%i, 0] [1, 4] [1, 1] : tensor<8x4xf32> to tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %u = linalg.exp ins(%y : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %f = tensor.empty() : tensor<4xf32>
    %v = linalg.mul ins(%u, %c : tensor<4xf32>, tensor<4xf32>) outs(%f : tensor<4xf32>) -> tensor<4xf32>
    %g = tensor.empty() : tensor<4xf32>
    %w = linalg.add ins(%u, %v : tensor<4xf32>, tensor<4xf32>) outs(%g : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @while
// CHECK:             linalg.add ins(%d, %x : {{.*}}) outs(%d :
func.func @while(%x: tensor<4xf32>, %z: f32, %i: index) -> tensor<4xf32> {
  %e0 = tensor.empty() : tensor<4xf32>
  %c0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.while (%c = %c0) : (tensor<4xf32>) -> tensor<4xf32> {
    %v = tensor.extract %c[%i] : tensor<4xf32>
    %more = arith.cmpf olt, %v, %z : f32
    scf.condition(%more) %c : tensor<4xf32>
  } do {
  ^bb0(%d: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.add ins(%d, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %n : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// The old contents are still needed.
// CHECK-LABEL: func.func @read_later
// CHECK:             linalg.add ins(%c, %x : {{.*}}) outs(%e :
func.func @read_later(%x: tensor<4xf32>, %z: f32, %i: index) -> (tensor<4xf32>, f32) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %i8 = arith.constant 8 : index
  %e0 = tensor.empty() : tensor<4xf32>
  %c0 = linalg.fill ins(%z : f32) outs(%e0 : tensor<4xf32>) -> tensor<4xf32>
  %r, %s = scf.for %j = %i0 to %i8 step %i1 iter_args(%c = %c0, %a = %z) -> (tensor<4xf32>, f32) {
    %e = tensor.empty() : tensor<4xf32>
    %n = linalg.add ins(%c, %x : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %v = tensor.extract %c[%i] : tensor<4xf32>
    %w = tensor.extract %n[%i] : tensor<4xf32>
    %t = arith.addf %v, %w : f32
    scf.yield %n, %t : tensor<4xf32>, f32
  }
  func.return %r, %s : tensor<4xf32>, f32
}

// So is the memory of an argument, unless that is donated for a result.
// CHECK-LABEL: func.func @donated
// CHECK:           linalg.sub ins(%p, %g : {{.*}}) outs(%p :
// BUFFERS-LABEL: func.func @donated
// BUFFERS-NOT:     memref.alloc
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @donated(%p: tensor<6xf32> {bufferize.aliasing_result = 0 : i64}, %g: tensor<6xf32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %q = linalg.sub ins(%p, %g : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  func.return %q : tensor<6xf32>
}

// CHECK-LABEL: func.func @not_donated
// CHECK:           linalg.sub ins(%p, %g : {{.*}}) outs(%e :
func.func @not_donated(%p: tensor<6xf32>, %g: tensor<6xf32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %q = linalg.sub ins(%p, %g : tensor<6xf32>, tensor<6xf32>) outs(%e : tensor<6xf32>) -> tensor<6xf32>
  func.return %q : tensor<6xf32>
}
