// RUN: xdsl-opt %s -p bufferize | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{arena}' | filecheck %s --check-prefixes ARENA,INNER
// RUN: xdsl-opt %s -p 'bufferize{arena=argument}' | filecheck %s --check-prefix INNER
// RUN: xdsl-opt %s -p 'bufferize{arena=static}' | filecheck %s --check-prefix INNER
// RUN: xdsl-opt %s -p bufferize | xdsl-opt -p 'buffer-results-to-out-params{modify-public-functions=false},drop-equivalent-buffer-results' | filecheck %s --check-prefix INNER

// A name is looked up in the closest symbol table: the module within has a function of the same
// name, which is called there, and stays as it is.

// The function computes in its argument.
// CHECK: func.func private @f(%t: memref{{.*}}, %x: f32) {
func.func private @f(%t: tensor<8xf32>, %x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.add ins(%t, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// A public function that is called gets an entry function where there is an arena.
// ARENA: func.func @g(
// ARENA: func.call @g_private(
// ARENA: func.func private @g_private(
func.func @g(%t: tensor<8xf32>, %n: index, %x: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %t) -> (tensor<8xf32>) {
    %y = func.call @f(%a, %x) : (tensor<8xf32>, f32) -> tensor<8xf32>
    scf.yield %y : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// ARENA: func.call @g_private(
func.func @k(%t: tensor<8xf32>, %n: index, %x: f32) -> tensor<8xf32> {
  %r = func.call @g(%t, %n, %x) : (tensor<8xf32>, index, f32) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK: builtin.module @inner
// INNER: builtin.module @inner
// INNER-NEXT: func.func private @f(%t: tensor<8xf32>) -> tensor<8xf32>
// INNER-NEXT: func.return
// INNER: func.func @g(%t: tensor<8xf32>) -> tensor<8xf32>
// INNER-NEXT: func.call @f(%t) : (tensor<8xf32>) -> tensor<8xf32>
// INNER: func.call @g(
builtin.module @inner {
  func.func private @f(%t: tensor<8xf32>) -> tensor<8xf32> {
    func.return %t : tensor<8xf32>
  }
  func.func @g(%t: tensor<8xf32>) -> tensor<8xf32> {
    %r = func.call @f(%t) : (tensor<8xf32>) -> tensor<8xf32>
    func.return %r : tensor<8xf32>
  }
  func.func @h(%t: tensor<8xf32>) -> tensor<8xf32> {
    %r = func.call @g(%t) : (tensor<8xf32>) -> tensor<8xf32>
    func.return %r : tensor<8xf32>
  }
}
