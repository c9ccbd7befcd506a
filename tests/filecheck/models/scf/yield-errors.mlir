// RUN: xdsl-opt %s -p one-shot-bufferize --verify-diagnostics --split-input-file | filecheck %s

// CHECK: 'scf.yield' hands over (), and 'scf.if' returns (tensor<4xf32>)
// CHECK: the op around it: {{.*}} in @nothing
func.func @nothing(%c: i1, %f: f32, %i: index) -> f32 {
  %a = tensor.splat %f : tensor<4xf32>
  %m = scf.if %c -> (tensor<4xf32>) {
    scf.yield %a : tensor<4xf32>
  } else {
  }
  %x = tensor.extract %m[%i] : tensor<4xf32>
  func.return %x : f32
}

// -----

// CHECK: 'scf.yield' hands over (tensor<4xf32>, tensor<4xf32>), and 'scf.execute_region' returns (tensor<4xf32>)
func.func @more(%f: f32, %i: index) -> f32 {
  %a = tensor.splat %f : tensor<4xf32>
  %m = scf.execute_region -> (tensor<4xf32>) {
    scf.yield %a, %a : tensor<4xf32>, tensor<4xf32>
  }
  %x = tensor.extract %m[%i] : tensor<4xf32>
  func.return %x : f32
}

// -----

// CHECK: 'scf.yield' hands over (f32, index), and 'scf.execute_region' returns (tensor<2xf32>, index)
func.func @no_tensor(%n: index, %f: f32) -> tensor<2xf32> {
  %r, %i = scf.execute_region -> (tensor<2xf32>, index) {
    scf.yield %f, %n : f32, index
  }
  func.return %r : tensor<2xf32>
}
