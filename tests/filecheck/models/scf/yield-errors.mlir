// RUN: xdsl-opt %s -p one-shot-bufferize --verify-diagnostics --split-input-file | filecheck %s

// CHECK: 'scf.yield' forwards () where 'scf.if' takes (tensor<4xf32>)
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

// CHECK: 'scf.yield' forwards (tensor<4xf32>, tensor<4xf32>) where 'scf.execute_region' takes (tensor<4xf32>)
func.func @more(%f: f32, %i: index) -> f32 {
  %a = tensor.splat %f : tensor<4xf32>
  %m = scf.execute_region -> (tensor<4xf32>) {
    scf.yield %a, %a : tensor<4xf32>, tensor<4xf32>
  }
  %x = tensor.extract %m[%i] : tensor<4xf32>
  func.return %x : f32
}

// -----

// CHECK: 'scf.yield' forwards (f32, index) where 'scf.execute_region' takes (tensor<2xf32>, index)
func.func @no_tensor(%n: index, %f: f32) -> tensor<2xf32> {
  %r, %i = scf.execute_region -> (tensor<2xf32>, index) {
    scf.yield %f, %n : f32, index
  }
  func.return %r : tensor<2xf32>
}

// -----

// CHECK: 'scf.yield' forwards (tensor<8xf32>) where 'scf.if' takes (tensor<4xf32>)
func.func @other_shape(%c: i1, %x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %y : tensor<4xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  func.return %r : tensor<4xf32>
}

// -----

// CHECK: 'scf.condition' forwards (tensor<8xf32>) where 'scf.while' takes (tensor<4xf32>)
func.func @to_the_body(%c: i1, %x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.while (%a = %y) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%c) %x : tensor<8xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    scf.yield %b : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// -----

// CHECK: 'scf.yield' forwards (tensor<8xf32>) where 'scf.while' takes (tensor<4xf32>)
func.func @to_the_condition(%c: i1, %x: tensor<8xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.while (%a = %y) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    scf.yield %x : tensor<8xf32>
  }
  func.return %r : tensor<4xf32>
}

// -----

// CHECK: 'scf.if' has results, and a region that yields none
func.func @no_else(%c: i1, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %y : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}
