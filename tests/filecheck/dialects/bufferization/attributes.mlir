// REQUIRES: xdsl-0.74
// RUN: xdsl-opt %s --verify-diagnostics --split-input-file | filecheck %s
// RUN: xdsl-opt %s --disable-verify --print-op-generic --split-input-file | filecheck %s --check-prefix=DISABLED

// The dialect's attributes on other ops, and on arguments of functions of any dialect, are
// verified when a program is read.

// DISABLED: arg_attrs = [{bufferization.access = "all"}]
// CHECK: 'func.func' has the attribute bufferization.access = "all" for argument #0
// CHECK-NEXT: at: {{.*}}attributes.mlir:[[# @LINE + 4]]:1: in @access
// CHECK-NEXT: func.func private @access
// CHECK-NEXT: ^
// CHECK-NEXT: hint: the values of bufferization.access are none, read, write, read-write
func.func private @access(tensor<4xf32> {bufferization.access = "all"})

// -----

// CHECK: 'func.func' has the attribute bufferization.access = 1 : i32 for argument #1
func.func @access_of_another_type(%t: tensor<4xf32>, %u: tensor<4xf32> {bufferization.access = 1 : i32}) {
  func.return
}

// -----

// CHECK: 'func.func' has the attribute bufferization.writable = unit for argument #0
// CHECK: hint: give bufferization.writable the value true or false
func.func @writable(%t: tensor<4xf32> {bufferization.writable}) {
  func.return
}

// -----

// CHECK: 'func.func' has the attribute bufferization.writable = false for argument #0
// CHECK: hint: the function has no body: bufferization.access says what it does to the buffer
func.func private @writable_declaration(tensor<4xf32> {bufferization.writable = false})

// -----

// CHECK: 'func.func' has the attribute bufferization.buffer_layout = true for argument #0
// CHECK: hint: give bufferization.buffer_layout an affine map or strides
func.func @layout(%t: tensor<4xf32> {bufferization.buffer_layout = true}) {
  func.return
}

// -----

// CHECK: 'func.func' has the attribute bufferization.manual_deallocation = unit for argument #0
// CHECK: hint: arguments may have bufferization.access, bufferization.buffer_layout, bufferization.writable, bufferize.aliasing_result,
func.func @of_ops(%m: memref<4xf32> {bufferization.manual_deallocation}) {
  func.return
}

// -----

// CHECK: 'ml_program.func' has the attribute bufferization.access = "all" for argument #0
ml_program.func @other_function(%t: tensor<4xf32> {bufferization.access = "all"}) {
  ml_program.return
}

// -----

// CHECK: 'llvm.func' has the attribute bufferization.writable = "no" for argument #0
llvm.func @llvm_function(%p: !llvm.ptr {bufferization.writable = "no"}) {
  llvm.return
}

// -----

// CHECK: 'builtin.module' has an attribute bufferization.access, which ops do not have
module attributes {bufferization.access = "read"} {
}

// -----

// CHECK: 'test.op' has an attribute bufferization.writable, which ops do not have
// CHECK: hint: ops may have bufferization.manual_deallocation
"test.op"() {bufferization.writable = true} : () -> ()

// -----

// CHECK: 'memref.copy' has the attribute bufferization.manual_deallocation, but neither allocates nor frees memory
func.func @copies(%m: memref<4xf32>) {
  memref.copy %m, %m {bufferization.manual_deallocation} : memref<4xf32> to memref<4xf32>
  func.return
}

// -----

// The op itself is verified first.
// CHECK: 1 : i64 should be of base attribute dictionary
"func.func"() <{arg_attrs = [1], function_type = (i32) -> (), sym_name = "no_dictionaries"}> ({}) : () -> ()

// -----

// MLIR verifies neither the types of arguments nor attributes of results.
// CHECK:      func.func @fine(%t: tensor<4xf32> {bufferization.access = "write", bufferization.writable = true},
// CHECK:        memref.alloc() {bufferization.manual_deallocation}
// CHECK:        "memref.realloc"(%m) {bufferization.manual_deallocation}
// CHECK:        memref.dealloc %r {bufferization.manual_deallocation}
// CHECK:      sym_name = "fine_declaration"
// CHECK-SAME: arg_attrs = [{bufferization.access = "none"}, {bufferization.buffer_layout = strided<[1], offset: 5>}], res_attrs = [{bufferization.of_results}]
func.func @fine(%t: tensor<4xf32> {bufferization.access = "write", bufferization.writable = true}, %i: i32 {bufferization.writable = false}) {
  %m = memref.alloc() {bufferization.manual_deallocation} : memref<4xf32>
  %r = memref.realloc %m {bufferization.manual_deallocation} : memref<4xf32> to memref<8xf32>
  memref.dealloc %r {bufferization.manual_deallocation} : memref<8xf32>
  func.return
}
func.func private @fine_declaration(tensor<4xf32> {bufferization.access = "none"}, tensor<4xf32> {bufferization.buffer_layout = strided<[1], offset: 5>}) -> (tensor<4xf32> {bufferization.of_results})
