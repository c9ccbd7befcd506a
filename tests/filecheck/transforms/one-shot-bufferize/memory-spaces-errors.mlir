// RUN: xdsl-opt %s -p 'one-shot-bufferize' --verify-diagnostics --split-input-file | filecheck %s

// The two may be the same buffer, which is in one place.

func.func @if(%c: i1, %i: index) -> f32 {
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() : tensor<4xf32>
  %m = scf.if %c -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %b : tensor<4xf32>
  }
  %x = tensor.extract %m[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK: 'scf.if' is in one of several memory spaces: 1 : i64, none
// CHECK-NEXT: at: {{.*}}: in @if{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: copy all tensors that it may be to the same memory space, with bufferization.alloc_tensor

// -----

func.func @select(%c: i1, %i: index) -> f32 {
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
  %m = arith.select %c, %a, %b : tensor<4xf32>
  %x = tensor.extract %m[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK: 'arith.select' is in one of several memory spaces: 1 : i64, 2 : i64
