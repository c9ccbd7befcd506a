// RUN: not xdsl-opt %s -p 'one-shot-bufferize{must-be-in-place bufferize-function-boundaries}' --split-input-file 2>&1 | filecheck %s --match-full-lines --check-prefix=PART
// RUN: not xdsl-opt -p 'one-shot-bufferize{must-be-in-place bufferize-function-boundaries}' --split-input-file < %s 2>&1 | filecheck %s --match-full-lines --check-prefix=STDIN
// RUN: xdsl-opt %s -p one-shot-bufferize,convert-bufferization-to-memref --split-input-file --verify-diagnostics | filecheck %s --match-full-lines --check-prefix=MADE
// RUN: xdsl-opt %s -p one-shot-bufferize --split-input-file --print-debuginfo | filecheck %s --check-prefix=DEBUG

func.func @first() {
  func.return
}

// -----

// An error says where the ops are that it is about, also in a part of a file. An op is shown once.

// PART:       error: 'tensor.insert' must have operand #1 in place, but that causes a read-after-write conflict
// PART-NEXT:    at: {{.*}}places_of_errors.mlir:40:10: in @filter
// PART-NEXT:      40 |   %set = tensor.insert %x into %t[%i] : tensor<8xf32>
// PART-NEXT:         |          ^^^^^^^^^^^^^
// PART-NEXT:    the contents are those of block argument #0 of: {{.*}}places_of_errors.mlir:39:1: in @filter
// PART-NEXT:      39 | func.func @filter(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
// PART-NEXT:         | ^^^^^^^^^
// PART-NEXT:    they are still to be read by operand #0 of: {{.*}}places_of_errors.mlir:41:10 (model.py:3:7): in @filter
// PART-NEXT:      41 |   %old = tensor.extract %t[%i] : tensor<8xf32> loc("model.py":3:7)
// PART-NEXT:         |          ^^^^^^^^^^^^^^
// PART-NEXT:    but would be destroyed through operand #1 of: {{.*}}places_of_errors.mlir:40:10: in @filter
// PART-NEXT:    hint: {{.*}}

// STDIN:        at: stdin:40:10: in @filter
// STDIN-NEXT:     40 |   %set = tensor.insert %x into %t[%i] : tensor<8xf32>
// STDIN-NEXT:        |          ^^^^^^^^^^^^^

// An op that a pass has made is printed, with the place of the op that it is made for.
// MADE:       'bufferization.to_buffer' cannot be lowered to memref ops
// MADE-NEXT:    at: {{.*}}places_of_errors.mlir:40:10: in @filter, %0 = "bufferization.to_buffer"(%t) : (tensor<8xf32>) -> memref<8xf32, strided<[?], offset: ?>>
// MADE-NEXT:      40 |   %set = tensor.insert %x into %t[%i] : tensor<8xf32>
// MADE-NEXT:         |          ^

// Places are locations.
// DEBUG:        "memref.copy"{{.*}} loc("{{.*}}places_of_errors.mlir":40:10)
func.func @filter(%t: tensor<8xf32>, %x: f32, %i: index) -> (tensor<8xf32>, f32) {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32> loc("model.py":3:7)
  func.return %set, %old : tensor<8xf32>, f32
}
