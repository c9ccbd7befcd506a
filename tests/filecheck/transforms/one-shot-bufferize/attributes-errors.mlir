// RUN: xdsl-opt %s -p one-shot-bufferize --verify-diagnostics --split-input-file | filecheck %s

// The dialect's attributes on functions and their arguments are verified.

func.func @writable(%t: tensor<4xf32> {bufferization.writable = 1 : i32}) {
  func.return
}

// CHECK: 'func.func' has the attribute bufferization.writable = 1 : i32 for argument #0
// CHECK: hint: give bufferization.writable the value true or false

// -----

"func.func"() <{sym_name = "access", function_type = (tensor<4xf32>) -> (), sym_visibility = "private", arg_attrs = [{bufferization.access = "all"}]}> ({}) : () -> ()

// CHECK: 'func.func' has the attribute bufferization.access = "all" for argument #0
// CHECK: hint: the values of bufferization.access are none, read, write, read-write

// -----

func.func @unknown(%t: tensor<4xf32> {bufferization.writeable = false}) {
  func.return
}

// CHECK: 'func.func' has the attribute bufferization.writeable = false for argument #0
// CHECK: hint: arguments may have bufferization.access, bufferization.buffer_layout, bufferization.writable, bufferize.aliasing_result,

// -----

func.func @misspelt_donation(%t: tensor<4xf32> {bufferize.aliasing_reslt = 0}) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}

// CHECK: 'func.func' has the attribute bufferize.aliasing_reslt = 0 : i64 for argument #0
// CHECK: hint: arguments may have {{.*}} bufferize.aliasing_result, bufferize.arena, bufferize.arena_size and bufferize.result

// -----

func.func @on_op(%t: tensor<4xf32>) attributes {bufferization.writable = false} {
  func.return
}

// CHECK: 'func.func' has an attribute bufferization.writable, which ops do not have
// CHECK: hint: ops may have bufferization.manual_deallocation and bufferization.touches_only, and arguments of functions

// -----

func.func @neither_allocates_nor_frees() -> i32 {
  %c = arith.constant {bufferization.manual_deallocation} 1 : i32
  func.return %c : i32
}

// CHECK: 'arith.constant' has the attribute bufferization.manual_deallocation, but neither allocates nor frees memory
// CHECK: hint: give it to the ops that do

// -----

func.func @on_a_tensor() -> tensor<4xf32> {
  %t = bufferization.alloc_tensor() {bufferization.manual_deallocation} : tensor<4xf32>
  func.return %t : tensor<4xf32>
}

// CHECK: 'bufferization.alloc_tensor' has the attribute bufferization.manual_deallocation, but neither allocates nor frees memory
