// RUN: xdsl-opt %s -p one-shot-bufferize --verify-diagnostics --split-input-file | filecheck %s

// xDSL does not verify that values are defined in front of their uses.

func.func @used_before_defined(%t: tensor<16xf32>, %x: f32) -> tensor<16xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = tensor.insert_slice %f into %t[0] [4] [1] : tensor<4xf32> into tensor<16xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<16xf32>
}

// CHECK: 'tensor.insert_slice' uses a tensor before it is defined
// CHECK: it is defined: {{.*}}8:8

// -----

func.func @used_by_itself(%x: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %x into %r[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK: 'tensor.insert' uses a tensor before it is defined
// CHECK: it is defined: {{.*}}18:8

// -----

func.func @used_within(%t: tensor<4xf32>, %x: f32, %i: index) -> tensor<4xf32> {
  %r = scf.for %j = %i to %i step %i iter_args(%a = %t) -> (tensor<4xf32>) {
    %b = tensor.insert %x into %r[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK: 'tensor.insert' uses a tensor before it is defined
// CHECK: it is defined: {{.*}}28:8
