// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --verify-diagnostics --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation --verify-diagnostics --split-input-file | filecheck %s --check-prefix MEMREFS

// CHECK: 'func.func' cannot have bufferize.aliasing_result = "r" on argument #0: it is not the index of a result
// CHECK: hint: donate a tensor or a memref for a result of the same type, and one argument for each result
func.func @no_index(%t: tensor<4xf32> {bufferize.aliasing_result = "r"}) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}

// -----

// CHECK: 'func.func' cannot have bufferize.aliasing_result = 1 : i64 on argument #0: the number of results is 1
func.func @no_result(%t: tensor<4xf32> {bufferize.aliasing_result = 1 : i64}) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}

// -----

// CHECK: 'func.func' cannot have bufferize.aliasing_result = -1 : i64 on argument #0: the number of results is 1
func.func @negative(%t: tensor<4xf32> {bufferize.aliasing_result = -1 : i64}) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}

// -----

// CHECK: 'func.func' cannot have bufferize.aliasing_result = 1 : i64 on argument #1: f32 is no memory
func.func @no_memory(%t: tensor<4xf32>, %f: f32 {bufferize.aliasing_result = 1 : i64}) -> (tensor<4xf32>, f32) {
  func.return %t, %f : tensor<4xf32>, f32
}

// -----

// CHECK: 'func.func' cannot have bufferize.aliasing_result = 0 : i64 on argument #1: result #0 is in the memory of argument #0
func.func @two(%t: tensor<4xf32> {bufferize.aliasing_result = 0 : i64}, %u: tensor<4xf32> {bufferize.aliasing_result = 0 : i64}) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}

// -----

// CHECK: 'func.func' cannot have bufferize.aliasing_result = 0 : i64 on argument #0: the argument is tensor<4xf32>, the result tensor<8xf32>
func.func @types(%t: tensor<4xf32> {bufferize.aliasing_result = 0 : i64}, %u: tensor<8xf32>) -> tensor<8xf32> {
  func.return %u : tensor<8xf32>
}

// -----

// CHECK: 'func.func' cannot have bufferize.aliasing_result = 0 : i64 on argument #0: bufferization.writable = false says that it must not be written
func.func @read_only(%t: tensor<4xf32> {bufferize.aliasing_result = 0 : i64, bufferization.writable = false}) -> tensor<4xf32> {
  func.return %t : tensor<4xf32>
}

// -----

// CHECK: 'func.func' cannot have bufferize.aliasing_result = 0 : i64 on argument #0: the argument is tensor<4xf32>, the result tensor<8xf32>
func.func private @declared(%t: tensor<4xf32> {bufferize.aliasing_result = 0 : i64}) -> tensor<8xf32>
func.func @calls(%t: tensor<4xf32>) -> tensor<8xf32> {
  %r = func.call @declared(%t) : (tensor<4xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// -----

// CHECK: 'func.return' returns result #0 in other memory than that of the argument donated for it, or for another result, and cannot copy a tensor of unknown rank
// CHECK: the function: {{.*}}: in @unranked{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK: hint: cast the tensor to a ranked type
func.func @unranked(%t: tensor<*xf32> {bufferize.aliasing_result = 0 : i64}, %u: tensor<*xf32>) -> tensor<*xf32> {
  func.return %u : tensor<*xf32>
}

// -----

// MEMREFS: 'func.func' has bufferize.aliasing_result = 0 on argument #2, but may return other memory than that of the argument as result #0
// MEMREFS: hint: copy the result to the argument, and return the argument; one-shot-bufferize with bufferize-function-boundaries does that
func.func @other_memory(%c: i1, %m: memref<4xf32>, %n: memref<4xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<4xf32> {
  %r = arith.select %c, %m, %n : memref<4xf32>
  func.return %r : memref<4xf32>
}

// -----

// MEMREFS: 'func.func' cannot have bufferize.aliasing_result = 5 : i64 on argument #0: the number of results is 0
func.func @no_result(%m: memref<4xf32> {bufferize.aliasing_result = 5 : i64}) {
  func.return
}
