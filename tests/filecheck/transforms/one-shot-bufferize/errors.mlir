// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' --verify-diagnostics --split-input-file | filecheck %s

// An error names the op, tells where it is, and what to do.

func.func @unknown_op(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'test.op' is not bufferizable: nothing is known of what it does to buffers
// CHECK-NEXT: at: in @unknown_op, %r = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: hint: lower it to ops that are, register a model for it, or leave it on tensors with the option allow-unknown-ops

// -----

func.func @no_restrict(%m: memref<4xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK: 'bufferization.to_tensor' without `restrict` is not supported
// CHECK-NEXT: at: in @no_restrict,
// CHECK-NEXT: hint: add `restrict` if no other tensor is created from this memref

// -----

func.func @unstructured(%c: i1, %t: tensor<4xf32>, %i: index) -> f32 {
  "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
^bb2:
  %y = tensor.extract %t[%i] : tensor<4xf32>
  func.return %y : f32
}

// CHECK: 'tensor.extract' is in unstructured control flow, of several blocks, which is not supported yet
// CHECK-NEXT: at: in @unstructured, %x = "tensor.extract"
// CHECK-NEXT: hint: express the control flow with scf ops

// -----

func.func @recursive(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = func.call @recursive(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'func.call' is a recursive call, which is not supported across function boundaries
// CHECK-NEXT: at: in @recursive, %r = "func.call"
// CHECK-NEXT: hint: bufferize without bufferize-function-boundaries, or break the recursion

// -----

func.func @ping(%t: tensor<4xf32>) {
  func.call @pong(%t) : (tensor<4xf32>) -> ()
  func.return
}

func.func @pong(%t: tensor<4xf32>) {
  func.call @ping(%t) : (tensor<4xf32>) -> ()
  func.return
}

// CHECK: 'func.call' is a recursive call

// -----

func.func @not_equivalent(%t: tensor<4xf32>, %u: tensor<4xf32>, %l: index) -> tensor<4xf32> {
  %r = scf.for %i = %l to %l step %l iter_args(%a = %t) -> (tensor<4xf32>) {
    scf.yield %u : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK: 'scf.yield' operand #0 is not equivalent to the corresponding iteration argument
// CHECK-NEXT: at: in @not_equivalent, "scf.yield"(%u) : (tensor<4xf32>) -> ()
// CHECK-NEXT: hint: yield a tensor computed in destination-passing style from the iteration argument

// -----

func.func @destination_is_read(%s: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = bufferization.materialize_in_destination %s in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %d : tensor<4xf32>, tensor<4xf32>
}

// CHECK: 'bufferization.materialize_in_destination' must have operand #1 in place, but that causes a read-after-write conflict
// CHECK-NEXT: at: in @destination_is_read,
// CHECK-NEXT: the contents are still to be read by: in @destination_is_read, "func.return"
// CHECK-NEXT: but destroyed by: in @destination_is_read, %r = "bufferization.materialize_in_destination"

// -----

func.func @destination_is_read_only(%s: tensor<4xf32>) -> tensor<4xf32> {
  %d = arith.constant dense<1.0> : tensor<4xf32>
  %r = bufferization.materialize_in_destination %s in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'bufferization.materialize_in_destination' must have operand #1 in place, but its buffer must not be written
// CHECK-NEXT: at: in @destination_is_read_only,
// CHECK-NEXT: the buffer that is not writable comes from: in @destination_is_read_only, %d = "arith.constant"

// -----

func.func @argument_is_read_only(%s: tensor<4xf32>, %d: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  %r = bufferization.materialize_in_destination %s in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'bufferization.materialize_in_destination' must have operand #1 in place, but its buffer must not be written
// CHECK-NEXT: at: in @argument_is_read_only,
// CHECK-NEXT: the buffer that is not writable comes from: in @argument_is_read_only, "func.func"()

// -----

// An op with a location tells that, too.

"func.func"() <{sym_name = "location", function_type = () -> ()}> ({
  %r = "test.op"() : () -> tensor<4xf32> loc("model.mlir":12:3)
  func.return
}) : () -> ()

// CHECK: 'test.op' is not bufferizable
// CHECK-NEXT: at: model.mlir:12:3: in @location, %r = "test.op"

// -----

// A copy needs a layout that is known: this offset is not, nor is it a contiguous buffer's.

func.func @layout(%t: tensor<4xf32>) -> memref<4xf32, strided<[2], offset: ?>> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[2], offset: ?>>
  func.return %m : memref<4xf32, strided<[2], offset: ?>>
}

// CHECK: 'bufferization.to_buffer' needs a buffer of type memref<4xf32, strided<[2], offset: ?>>, but nothing tells its layout
// CHECK-NEXT: at: in @layout,
// CHECK-NEXT: hint: ask for a layout with unknown strides and offset
