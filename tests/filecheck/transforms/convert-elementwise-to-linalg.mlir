// RUN: xdsl-opt %s -p convert-elementwise-to-linalg --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt %s -p 'convert-elementwise-to-linalg,one-shot-bufferize{bufferize-function-boundaries allow-unknown-ops}' --allow-unregistered-dialect | filecheck %s --check-prefix=BUFFERS
// RUN: not xdsl-opt %s -p one-shot-bufferize --allow-unregistered-dialect 2>&1 | filecheck %s --check-prefix=WITHOUT

// WITHOUT: error: 'arith.addf' is not bufferizable
// WITHOUT: hint: run convert-elementwise-to-linalg first, or leave it on tensors with the option allow-unknown-ops

// The result is computed in the buffer of an operand that nothing else uses.
// CHECK-LABEL: func.func @chain(
// CHECK-NEXT:    %0 = linalg.generic {{.*}} ins(%a, %b : tensor<4x?xf32>, tensor<4x?xf32>) outs(%b : tensor<4x?xf32>) {
// CHECK-NEXT:    ^{{.*}}(%1: f32, %2: f32, %3: f32):
// CHECK-NEXT:      %4 = arith.addf %1, %2 fastmath<fast> {some_attribute} : f32
// CHECK-NEXT:      linalg.yield %4 : f32
// CHECK-NEXT:    } -> tensor<4x?xf32>
// CHECK-NEXT:    %{{[0-9]+}} = linalg.generic {{.*}} ins(%0 : tensor<4x?xf32>) outs(%0 : tensor<4x?xf32>) {
// CHECK-NEXT:    ^{{.*}}(%{{.*}}: f32, %{{.*}}: f32):
// CHECK-NEXT:      %{{.*}} = math.exp %{{.*}} : f32
// BUFFERS-LABEL: func.func @chain(
// BUFFERS-NOT:     memref.alloc
// BUFFERS:         func.return
func.func @chain(%a: tensor<4x?xf32>, %b: tensor<4x?xf32>) -> (tensor<4x?xf32>, tensor<4x?xf32>) {
  %0 = arith.addf %a, %b fastmath<fast> {some_attribute} : tensor<4x?xf32>
  %1 = math.exp %0 : tensor<4x?xf32>
  func.return %1, %a : tensor<4x?xf32>, tensor<4x?xf32>
}

// Where there is none, or the result is of another type, it is in a new buffer.
// CHECK-LABEL: func.func @new(
// CHECK:         %[[d:[0-9]+]] = tensor.dim %a, %{{[0-9]+}} : tensor<4x?xf32>
// CHECK-NEXT:    %[[e:[0-9]+]] = tensor.empty(%[[d]]) : tensor<4x?xi1>
// CHECK-NEXT:    %{{[0-9]+}} = linalg.generic {{.*}} ins(%a, %a : tensor<4x?xf32>, tensor<4x?xf32>) outs(%[[e]] : tensor<4x?xi1>) {
// BUFFERS-LABEL: func.func @new(
// BUFFERS:         memref.alloc(
// BUFFERS-NOT:     memref.copy
// BUFFERS:         func.return
func.func @new(%a: tensor<4x?xf32>) -> (tensor<4x?xi1>, tensor<4x?xf32>, tensor<4x?xf32>) {
  %0 = arith.cmpf olt, %a, %a : tensor<4x?xf32>
  %1 = math.sqrt %a : tensor<4x?xf32>
  func.return %0, %1, %a : tensor<4x?xi1>, tensor<4x?xf32>, tensor<4x?xf32>
}

// In a loop, what is defined outside of it is not used for the last time.
// CHECK-LABEL: func.func @loop(
// CHECK:           linalg.generic {{.*}} ins(%a, %t : tensor<f32>, tensor<f32>) outs(%t : tensor<f32>)
func.func @loop(%a: tensor<f32>, %n: index) -> tensor<f32> {
  %r = scf.for %i = %n to %n step %n iter_args(%t = %a) -> (tensor<f32>) {
    %0 = arith.mulf %a, %t : tensor<f32>
    scf.yield %0 : tensor<f32>
  }
  func.return %r : tensor<f32>
}

// An operand that is no tensor is the same for all elements. A choice between two tensors
// computes nothing: it stays one between buffers.
// CHECK-LABEL: func.func @select(
// CHECK-NEXT:    %0 = arith.select %c, %a, %b : tensor<4xf32>
// CHECK-NEXT:    %1 = linalg.generic {{.*}} ins(%m, %0, %a : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%0 : tensor<4xf32>)
func.func @select(%c: i1, %m: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  %1 = arith.select %m, %0, %a : tensor<4xi1>, tensor<4xf32>
  func.return %1 : tensor<4xf32>
}

// These are no elementwise ops on tensors.
// CHECK-LABEL: func.func @others(
// CHECK-NOT:     linalg.generic
// CHECK:         func.return
func.func @others(%x: f32, %v: vector<4xf32>, %t: tensor<4xf32>) -> (f32, vector<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %0 = arith.addf %x, %x : f32
  %1 = math.exp %v : vector<4xf32>
  %2 = "some.exp"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1, %c, %2 : f32, vector<4xf32>, tensor<4xf32>, tensor<4xf32>
}
