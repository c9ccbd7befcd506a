// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' --allow-unregistered-dialect --split-input-file --verify-diagnostics | filecheck %s
// RUN: not xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' --allow-unregistered-dialect --split-input-file 2>&1 | filecheck %s --check-prefix=STOP

// A part that is refused says so where its program would be; the others are not affected.
// CHECK-LABEL: func.func @first(
// CHECK-NEXT:    memref.store %x, %t[%i]
// STOP-NOT:    Traceback
// STOP-LABEL:  func.func @first(
// STOP-NEXT:     memref.store %x, %t[%i]
func.func @first(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  func.return %set : tensor<8xf32>
}

// -----

// Without --verify-diagnostics it is the last part.
// CHECK:       {{^// -+$}}
// CHECK-NEXT:  'my.op' is not bufferizable: nothing is known of what it does to buffers
// CHECK-NEXT:    at: {{.*}}: in @second{{$}}
// CHECK-NEXT:    {{[0-9]+}} | {{.*}}my.op
// CHECK-NEXT:    | {{ *\^+$}}
// CHECK-NEXT:    hint: lower it to ops that are
// STOP:        {{^// -+$}}
// STOP-NEXT:   error: 'my.op' is not bufferizable: nothing is known of what it does to buffers
// STOP-NEXT:     at: {{.*}}: in @second{{$}}
// STOP-NEXT:     {{[0-9]+}} | {{.*}}my.op
// STOP-NEXT:     | {{ *\^+$}}
// STOP-NEXT:     hint: lower it to ops that are
// STOP-NOT:    {{^// -+$}}
func.func @second(%t: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "my.op"(%t) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %0 : tensor<8xf32>
}

// -----

// CHECK-NEXT:  // {{-+}}
// CHECK-LABEL: func.func @third(
// CHECK-NEXT:    memref.store %x, %t[%i]
func.func @third(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  func.return %set : tensor<8xf32>
}
