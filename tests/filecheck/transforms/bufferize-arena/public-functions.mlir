// RUN: xdsl-opt %s -p 'bufferize{arena=static function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=OFF
// RUN: xdsl-opt %s -t 'bufferization-report{arena function=layer}' | filecheck %s --check-prefix=REPORT

// A public function that is called in the module is an entry function: a private one does the
// work in memory of its callers. Names that are taken are left alone.
//
// CHECK-LABEL: func.func @layer(%x: memref<4x4xf32>) -> memref<4x4xf32>
// CHECK:         %arena = memref.alloc()
// CHECK:         %[[result:.*]] = memref.alloc()
// CHECK:         func.call @layer_private_0(%x, %[[result]], %{{.*}})
// CHECK:         func.return %[[result]]
// CHECK-LABEL: func.func private @layer_private_0(%x: memref<4x4xf32>, %{{.*}}: memref<4x4xf32>, %arena: memref<64xi8> {bufferize.arena = 64 : i64}) {
// CHECK-NOT:     memref.alloc
// OFF-LABEL:   func.func @layer(
// OFF-NOT:     @layer_private_0
// REPORT:      @layer,
// REPORT:      public-functions.mlir:21:1
// REPORT-NEXT:   peak in %arena: 64 bytes
// REPORT-NOT:  outside of functions
func.func @layer(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %e2 = tensor.empty() : tensor<4x4xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.matmul ins(%t, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f2 : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

func.func @layer_private(%x: f32) -> f32 {
  func.return %x : f32
}

// A function that needs no memory stays as it is.
//
// CHECK-LABEL: func.func @square(
// CHECK-NOT:   @square_private
func.func @square(%x: f32) -> f32 {
  %y = arith.mulf %x, %x : f32
  func.return %y : f32
}

// What is agreed on with callers is agreed on with all of them.
//
// CHECK-LABEL: func.func @update(%x: memref<4x4xf32> {bufferize.aliasing_result = 0 : i64}, %y: f32) -> memref<4x4xf32>
// CHECK-NOT:     memref.alloc
// CHECK:         func.call @update_private(%x, %y)
// CHECK-NEXT:    func.return %x
// CHECK-LABEL: func.func private @update_private(%x: memref<4x4xf32>, %y: f32)
func.func @update(%x: tensor<4x4xf32> {bufferize.aliasing_result = 0 : i64}, %y: f32) -> tensor<4x4xf32> {
  %c0 = arith.constant 0 : index
  %r = tensor.insert %y into %x[%c0, %c0] : tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @net(
// CHECK:         memref.alloc
// CHECK:         scf.for
// CHECK-NOT:     memref.alloc
// CHECK:         func.call @layer_private_0
// CHECK-NOT:     memref.alloc
// CHECK:         func.call @layer_private_0
// CHECK:         func.call @update_private
// CHECK-NOT:     memref.alloc
// CHECK:         scf.yield
func.func @net(%x: tensor<4x4xf32> {bufferization.writable = false}, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %a = func.call @layer(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %b = func.call @layer(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %u = func.call @update(%b, %s) : (tensor<4x4xf32>, f32) -> tensor<4x4xf32>
    %y = tensor.extract %u[%c0, %c1] : tensor<4x4xf32>
    %p = func.call @layer_private(%y) : (f32) -> f32
    %q = func.call @square(%p) : (f32) -> f32
    scf.yield %q : f32
  }
  func.return %r : f32
}
