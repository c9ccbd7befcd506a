// RUN: xdsl-opt %s -p 'one-shot-bufferize{must-infer-memory-space allow-unknown-ops}' --verify-diagnostics --split-input-file | filecheck %s

func.func @empty(%i: index) -> f32 {
  %e = tensor.empty() : tensor<4xf32>
  %x = tensor.extract %e[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK: 'tensor.empty' needs to know the memory space of tensor<4xf32>, and nothing tells it
// CHECK-NEXT: at: {{.*}}: in @empty{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: start from a bufferization.alloc_tensor with a memory_space, or from a memref; or do without the option must-infer-memory-space

// -----

func.func @alloc_tensor(%i: index) -> f32 {
  %e = bufferization.alloc_tensor() : tensor<4xf32>
  %x = tensor.extract %e[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK: 'bufferization.alloc_tensor' needs to know the memory space

// -----

func.func @constant(%i: index) -> f32 {
  %e = arith.constant dense<1.0> : tensor<4xf32>
  %x = tensor.extract %e[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK: 'arith.constant' needs to know the memory space

// -----

func.func @argument(%t: tensor<4xf32>, %i: index) -> f32 {
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK: 'func.func' needs to know the memory space

// -----

func.func @unknown(%i: index) -> f32 {
  %t = "test.op"() : () -> tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// CHECK: 'test.op' needs to know the memory space

// -----

// What stays on tensors has no memory space.

func.func @stays(%u: tensor<4xf32>) {
  %t = "test.op"(%u) : (tensor<4xf32>) -> tensor<4xf32>
  %v = "test.op"() ({
  ^bb0(%a: tensor<4xf32>):
    "test.termop"(%a) : (tensor<4xf32>) -> ()
  }) : () -> tensor<4xf32>
  func.return
}

// CHECK-LABEL: func.func @stays(
// CHECK-NEXT:    "test.op"(%u)

// -----

// Blocks of a function that stays on tensors have no buffers as arguments.
// CHECK-LABEL: func.func @blocks_on_tensors(
// CHECK-NEXT:    cf.br ^{{.*}}(%t : tensor<4xf32>)
func.func @blocks_on_tensors(%t: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^next(%t : tensor<4xf32>)
^next(%u: tensor<4xf32>):
  func.return %u : tensor<4xf32>
}
