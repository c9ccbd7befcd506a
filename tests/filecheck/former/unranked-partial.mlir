// RUN: xdsl-opt %s -p tensor-bufferize --split-input-file --verify-diagnostics | filecheck %s --check-prefixes=CHECK,TENSOR
// RUN: xdsl-opt %s -p linalg-bufferize --split-input-file --verify-diagnostics | filecheck %s --check-prefixes=CHECK,LINALG
// RUN: xdsl-opt %s -p scf-bufferize --split-input-file --verify-diagnostics | filecheck %s --check-prefixes=CHECK,SCF

// Buffers of unknown rank are passed on and cast, but never copied.

// CHECK-LABEL: func.func @cast(
// TENSOR-NEXT:   %0 = bufferization.to_buffer %t : tensor<*xf32> to memref<*xf32>
// TENSOR-NEXT:   %u = "memref.cast"(%0) : (memref<*xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// TENSOR:        "memref.copy"(%u, %v) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// TENSOR:        %w = "memref.cast"(%v) : (memref<4xf32>) -> memref<*xf32>
// LINALG:        %x = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// LINALG-NEXT:   linalg.fill ins(%f : f32) outs(%x : memref<4xf32>)
// SCF-NEXT:      %u = tensor.cast %t
func.func @cast(%t: tensor<*xf32>, %i: index, %f: f32) -> (tensor<4xf32>, tensor<*xf32>) {
  %u = tensor.cast %t : tensor<*xf32> to tensor<4xf32>
  %v = tensor.insert %f into %u[%i] : tensor<4xf32>
  %w = tensor.cast %v : tensor<4xf32> to tensor<*xf32>
  %x = linalg.fill ins(%f : f32) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  func.return %x, %w : tensor<4xf32>, tensor<*xf32>
}

// CHECK-LABEL: func.func @chosen(
// SCF:           %r = scf.if %c -> (memref<*xf32>) {
// SCF:           bufferization.to_tensor %r : memref<*xf32> to tensor<*xf32>
func.func @chosen(%t: tensor<*xf32>, %u: tensor<*xf32>, %c: i1) -> tensor<*xf32> {
  %r = scf.if %c -> (tensor<*xf32>) {
    scf.yield %t : tensor<*xf32>
  } else {
    scf.yield %u : tensor<*xf32>
  }
  func.return %r : tensor<*xf32>
}

// -----

// SCF: 'scf.for' cannot copy a tensor of unknown rank
// SCF: hint: cast the tensor to a ranked type, which can be copied, and from that to its own type if the op needs it
// TENSOR-LABEL: func.func @carried(
// TENSOR:         scf.for {{.*}} -> (tensor<*xf32>)
// LINALG-LABEL: func.func @carried(
// LINALG:         scf.for {{.*}} -> (tensor<*xf32>)
func.func @carried(%t: tensor<*xf32>, %n: index) -> tensor<*xf32> {
  %r = scf.for %i = %n to %n step %n iter_args(%a = %t) -> (tensor<*xf32>) {
    scf.yield %a : tensor<*xf32>
  }
  func.return %r : tensor<*xf32>
}
