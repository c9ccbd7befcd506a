// RUN: xdsl-opt %s -p 'bufferize{arena function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{arena=allocated function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{arena=static function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{arena=argument function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=ARGUMENT
// RUN: xdsl-opt %s -p 'bufferize{arena=off function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=OFF
// RUN: not xdsl-opt %s -p 'bufferize{arena=here}' 2>&1 | filecheck %s --check-prefix=WRONG

// WRONG: bufferize: 'here' is not a value of arena; its values are off, allocated, argument, static

// A private function writes its result to memory of the caller, and has its temporary buffer
// there, too: a call allocates nothing.
//
// CHECK-LABEL:    func.func private @layer(%x: memref<4x4xf32>, %w: memref<4x4xf32>, %{{.*}}: memref<4x4xf32>, %arena: memref<64xi8> {bufferize.arena = 64 : i64}) {
// CHECK-NOT:        memref.alloc
// CHECK-NOT:        memref.copy
// ARGUMENT-LABEL: func.func private @layer(%x: memref<4x4xf32>, %w: memref<4x4xf32>, %{{.*}}: memref<4x4xf32>, %arena: memref<64xi8> {bufferize.arena = 64 : i64}) {
// ARGUMENT-NOT:     memref.alloc
// OFF-LABEL:     func.func private @layer
// OFF:             memref.alloc
func.func private @layer(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.matmul ins(%t, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// All layers share one block, and the loop allocates nothing.
//
// CHECK-LABEL:    func.func @net(%x: memref<4x4xf32>, %n: index) -> f32 {
// CHECK-NEXT:       %arena = memref.alloc() {alignment = 64 : i64} : memref<192xi8>
// CHECK:            scf.for
// CHECK-NOT:        memref.alloc
// CHECK:            memref.dealloc %arena
// CHECK-NEXT:       func.return
// ARGUMENT-LABEL: func.func @net(%x: memref<4x4xf32>, %n: index, %arena: memref<192xi8> {bufferize.arena = 64 : i64}) -> f32 {
// ARGUMENT-NOT:     alloc
// ARGUMENT:         func.return
func.func @net(%x: tensor<4x4xf32> {bufferization.writable = false}, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %a = func.call @layer(%x, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %b = func.call @layer(%a, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %y = tensor.extract %b[%c0, %c1] : tensor<4x4xf32>
    %t = arith.addf %s, %y : f32
    scf.yield %t : f32
  }
  func.return %r : f32
}
