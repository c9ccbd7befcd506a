// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries must-be-in-place}' --verify-diagnostics --split-input-file | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries copy-before-write must-be-in-place}' --verify-diagnostics --split-input-file | filecheck %s --check-prefix=COPY

// What needs no copy is as without the option.

func.func @in_place(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// CHECK-LABEL: func.func @in_place(
// CHECK-NEXT:    memref.store

// COPY: 'tensor.insert' must have operand #1 in place, but every write works on a copy, without an analysis
// COPY-NEXT:   at: {{.*}}: in @in_place{{$}}
// COPY-NEXT:   {{[0-9]+}} | {{.*}}
// COPY-NEXT:   | {{ *\^+$}}
// COPY-NEXT:   hint:

// -----

func.func @conflict(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %a, %t : tensor<4xf32>, tensor<4xf32>
}

// CHECK: 'tensor.insert' must have operand #1 in place, but that causes a read-after-write conflict
// CHECK: hint: change the order of reads and writes; or, if a copy is fine, take the option must-be-in-place away, or make the copy explicit with bufferization.alloc_tensor

// -----

// A copy that is in the program stays.

func.func @explicit(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  %a = tensor.insert %f into %c[%i] : tensor<4xf32>
  func.return %a, %t : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @explicit(
// CHECK-NEXT:    memref.alloc

// -----

func.func @handed_over(%t: tensor<4xf32>, %u: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %r = scf.for %k = %i to %i step %i iter_args(%a = %t) -> (tensor<4xf32>) {
    scf.yield %u : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK: 'scf.yield' must have operand #0 in place, but it is in another buffer than what follows expects
