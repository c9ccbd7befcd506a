// RUN: xdsl-opt %s -p 'one-shot-bufferize{must-be-in-place}' --split-input-file --verify-diagnostics --parsing-diagnostics | filecheck %s
// RUN: not xdsl-opt %s -p 'one-shot-bufferize{must-be-place}' --split-input-file --verify-diagnostics 2>&1 | filecheck %s --check-prefix=OPTION

// An option that does not exist is no diagnostic of the program.
// OPTION-NOT:  Traceback
// OPTION:      error: one-shot-bufferize has no option 'must-be-place'
// OPTION-NOT:  {{^// -+$}}

// A pass refuses the program.
// CHECK:       'tensor.insert' must have operand #1 in place
// CHECK-NEXT:    at: {{.*}} (model.py:3:1): in @refused{{$}}
// CHECK-NEXT:    {{[0-9]+}} | {{.*}}
// CHECK-NEXT:    | {{ *\^+$}}
func.func @refused(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32> loc("model.py":3:1)
  func.return %set : tensor<8xf32>
}

// -----

// The verifier of an op does.
// CHECK:       {{^// -+$}}
// CHECK-NEXT:  cannot copy memref<4xf32> to memref<5xf32>
// CHECK:       | Operation does not verify: cannot copy memref<4xf32> to memref<5xf32>
func.func @invalid(%m: memref<4xf32>) {
  %0 = bufferization.clone %m : memref<4xf32> to memref<5xf32>
  func.return
}

// -----

// The parser does.
// CHECK:       {{^// -+$}}
// CHECK-NEXT:  verify_diagnostics.mlir:[[# @LINE + 4]]:3
// CHECK:         type expected
func.func @no_type(%m: memref<4xf32>) {
  %0 = bufferization.clone %m : memref<4xf32> to
  func.return
}

// -----

// CHECK:       {{^// -+$}}
// CHECK:       func.func @fine() {
func.func @fine() {
  func.return
}
