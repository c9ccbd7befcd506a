// RUN: xdsl-opt -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' %s | filecheck %s
// RUN: bufferization-check %s -p bufferize
// RUN: bufferization-check %s -p 'bufferize{allow-return-allocs-from-loops}'
// RUN: bash -c '! xdsl-opt -p one-shot-bufferize %s 2>&1' | filecheck %s --check-prefix=REFUSED

// REFUSED: hint: allow that with the option allow-return-allocs-from-loops

// A loop that has no buffer for what it yields returns memory that it allocates: here the condition
// forwards only the last of two values. No iteration copies.

// CHECK-LABEL: func.func @last_two(
// CHECK:         scf.while
// CHECK:           memref.dealloc
// CHECK:           scf.condition
// CHECK:         } do {
// CHECK:           %[[NEW:.*]] = memref.alloc
// CHECK-NEXT:      memref.store %{{.*}}, %[[NEW]][]
// CHECK-NEXT:      scf.yield %[[NEW]], %{{[^,]*}},
// CHECK:         func.return
func.func @last_two(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %r = scf.while (%x = %a, %y = %b) : (tensor<f32>, tensor<f32>) -> tensor<f32> {
    %u = tensor.extract %x[] : tensor<f32>
    %v = tensor.extract %y[] : tensor<f32>
    %c1 = arith.constant 1.0 : f32
    %d = arith.subf %u, %v : f32
    %c = arith.cmpf ogt, %d, %c1 : f32
    scf.condition(%c) %x : tensor<f32>
  } do {
  ^bb0(%x: tensor<f32>):
    %u = tensor.extract %x[] : tensor<f32>
    %half = arith.constant 0.5 : f32
    %h = arith.mulf %u, %half : f32
    %n = tensor.from_elements %h : tensor<f32>
    scf.yield %n, %x : tensor<f32>, tensor<f32>
  }
  func.return %r : tensor<f32>
}

// So does a loop whose tensors have another size in each iteration.

// CHECK-LABEL: func.func @unknown_size(
// CHECK:         scf.for
// CHECK-NOT:       memref.copy
// CHECK:           %[[NEW:.*]] = memref.alloc(
// CHECK-NOT:       memref.copy
// CHECK:           scf.yield %[[NEW]],
func.func @unknown_size(%t: tensor<?xf32>, %n: index, %i: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<?xf32>) {
    %d = tensor.dim %x, %c0 : tensor<?xf32>
    %more = arith.addi %d, %c1 : index
    %e = tensor.empty(%more) : tensor<?xf32>
    %f = tensor.extract %x[%c0] : tensor<?xf32>
    %s = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
    %w = tensor.insert %f into %s[%c0] : tensor<?xf32>
    scf.yield %w : tensor<?xf32>
  }
  %f = tensor.extract %r[%c0] : tensor<?xf32>
  func.return %f : f32
}

// Any other loop works in the buffers that it starts with.

// CHECK-LABEL: func.func @in_its_buffers(
// CHECK-SAME:      %[[T:[a-z0-9]*]]: memref<4xf32>
// CHECK:         %[[E:.*]] = memref.alloc
// CHECK:         scf.for {{.*}} iter_args(%[[X:.*]] = %[[T]])
// CHECK-NOT:       memref.alloc
// CHECK:           "memref.copy"(%[[E]], %[[X]])
// CHECK:           scf.yield %[[X]]
func.func @in_its_buffers(%t: tensor<4xf32>, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%x = %t) -> (tensor<4xf32>) {
    %e = tensor.empty() : tensor<4xf32>
    %s = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %f = tensor.extract %x[%c0] : tensor<4xf32>
    %w = tensor.insert %f into %s[%c0] : tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
