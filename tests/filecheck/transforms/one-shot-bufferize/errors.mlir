// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' --verify-diagnostics --split-input-file | filecheck %s

// An error names the op, tells where it is, and what to do.

func.func @unknown_op(%t: tensor<4xf32>) -> tensor<4xf32> {
  %r = "test.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'test.op' is not bufferizable: nothing is known of what it does to buffers
// CHECK-NEXT: at: {{.*}}: in @unknown_op{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}test.op
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: lower it to ops that are, register a model for it, or leave it on tensors with the option allow-unknown-ops

// -----

func.func @no_restrict(%m: memref<4xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK: 'bufferization.to_tensor' without `restrict` is not supported
// CHECK-NEXT: at: {{.*}}: in @no_restrict{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: add `restrict` if no other tensor is created from this memref

// -----

func.func @unknown_branch(%t: tensor<4xf32>) -> tensor<4xf32> {
  "test.termop"(%t) [^bb1] : (tensor<4xf32>) -> ()
^bb1(%a: tensor<4xf32>):
  func.return %a : tensor<4xf32>
}

// CHECK: 'test.termop' hands tensors to blocks, and nothing is known of how it does that
// CHECK-NEXT: at: {{.*}}: in @unknown_branch{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}test.termop
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: lower it to cf ops, or register a model for it

// -----

func.func @new_buffer(%t: tensor<?xf32>, %u: tensor<?xf32>, %l: index) -> tensor<?xf32> {
  %r = scf.for %i = %l to %l step %l iter_args(%a = %t) -> (tensor<?xf32>) {
    scf.yield %u : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// CHECK: 'scf.yield' operand #0 is not equivalent to the iteration argument in the same place, and there is no buffer for a copy of it
// CHECK-NEXT: at: {{.*}}: in @new_buffer{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}scf.yield
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: the loop: {{.*}}: in @new_buffer{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: allow that with the option allow-return-allocs-from-loops

// -----

func.func @parallel(%l: index, %t: tensor<4xf32>) -> tensor<4xf32> {
  %r = "scf.parallel"(%l, %l, %l, %t) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%i: index):
    "scf.reduce"(%t) ({
    ^bb1(%a: tensor<4xf32>, %b: tensor<4xf32>):
      "scf.reduce.return"(%a) : (tensor<4xf32>) -> ()
    }) : (tensor<4xf32>) -> ()
  }) : (index, index, index, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'scf.parallel' cannot have tensors as results: nothing tells in which buffer they are

// -----

func.func @destination_is_read(%s: tensor<4xf32>, %d: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = bufferization.materialize_in_destination %s in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %d : tensor<4xf32>, tensor<4xf32>
}

// CHECK: 'bufferization.materialize_in_destination' must have operand #1 in place, but that causes a read-after-write conflict
// CHECK-NEXT: at: {{.*}}: in @destination_is_read{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: the contents are those of block argument #1 of: {{.*}}: in @destination_is_read{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: they are still to be read by operand #1 of: {{.*}}: in @destination_is_read{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: but would be destroyed through operand #1 of: {{.*}}: in @destination_is_read{{$}}

// -----

func.func @destination_is_read_only(%s: tensor<4xf32>) -> tensor<4xf32> {
  %d = arith.constant dense<1.0> : tensor<4xf32>
  %r = bufferization.materialize_in_destination %s in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'bufferization.materialize_in_destination' must have operand #1 in place, but its buffer must not be written
// CHECK-NEXT: at: {{.*}}: in @destination_is_read_only{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: the buffer that is not writable is that of result #0 of: {{.*}}: in @destination_is_read_only{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}

// -----

func.func @argument_is_read_only(%s: tensor<4xf32>, %d: tensor<4xf32> {bufferization.writable = false}) -> tensor<4xf32> {
  %r = bufferization.materialize_in_destination %s in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'bufferization.materialize_in_destination' must have operand #1 in place, but its buffer must not be written
// CHECK-NEXT: at: {{.*}}: in @argument_is_read_only{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: the buffer that is not writable is that of block argument #1 of: {{.*}}: in @argument_is_read_only{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}func.func
// CHECK-NEXT: | {{ *\^+$}}

// -----

func.func @destination_is_shared_by_runs(%s: tensor<4xf32>, %d: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %r = tensor.generate {
  ^bb0(%j: index):
    %m = bufferization.materialize_in_destination %s in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %e = tensor.extract %m[%i] : tensor<4xf32>
    tensor.yield %e : f32
  } : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'bufferization.materialize_in_destination' must have operand #1 in place, but several runs of a parallel region would write the same memory
// CHECK-NEXT: at: {{.*}}: in @destination_is_shared_by_runs{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: the memory is that of block argument #1 of: {{.*}}: in @destination_is_shared_by_runs{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}func.func
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: it is written through operand #1 of: {{.*}}: in @destination_is_shared_by_runs{{$}}

// -----

// An op with a location tells that, too.

"func.func"() <{sym_name = "location", function_type = () -> ()}> ({
  %r = "test.op"() : () -> tensor<4xf32> loc("model.mlir":12:3)
  func.return
}) : () -> ()

// CHECK: 'test.op' is not bufferizable
// CHECK-NEXT: at: {{.*}} (model.mlir:12:3): in @location{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}

// -----

// A copy needs a layout that is known: this offset is not, nor is it a contiguous buffer's.

func.func @layout(%t: tensor<4xf32>) -> memref<4xf32, strided<[2], offset: ?>> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32, strided<[2], offset: ?>>
  func.return %m : memref<4xf32, strided<[2], offset: ?>>
}

// CHECK: 'bufferization.to_buffer' needs a buffer of type memref<4xf32, strided<[2], offset: ?>>, but nothing tells its layout
// CHECK-NEXT: at: {{.*}}: in @layout{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: ask for a layout with unknown strides and offset
