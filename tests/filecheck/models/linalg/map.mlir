// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%a: memref<4xf32>, %b: memref<4xf32>, %o: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    "linalg.map"(%a, %b, %o) ({
// CHECK-NEXT:    ^bb0(%x: f32, %y: f32, %z: f32):
// CHECK-NEXT:      %s = arith.addf %x, %y : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %o : memref<4xf32>
func.func @in_place(%a: tensor<4xf32>, %b: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = "linalg.map"(%a, %b, %o) ({
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }) : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @out_of_place(%a: memref<4xf32>, %o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "linalg.map"(%a, %r) ({
// CHECK-NEXT:    ^bb0(%x: f32, %z: f32):
// CHECK-NEXT:      linalg.yield %x : f32
// CHECK-NEXT:    }) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %r, %o : memref<4xf32>, memref<4xf32>
func.func @out_of_place(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = "linalg.map"(%a, %o) ({
  ^bb0(%x: f32, %z: f32):
    linalg.yield %x : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %o : tensor<4xf32>, tensor<4xf32>
}

// Its body reads the init, so that the contents have to be in the new buffer.
// CHECK-LABEL: func.func @init_is_read(%a: memref<4xf32>, %o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%o, %r) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    "linalg.map"(%a, %r) ({
// CHECK-NEXT:    ^bb0(%x: f32, %z: f32):
// CHECK-NEXT:      %s = arith.addf %x, %z : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %r, %o : memref<4xf32>, memref<4xf32>
func.func @init_is_read(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = "linalg.map"(%a, %o) ({
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %z : f32
    linalg.yield %s : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %o : tensor<4xf32>, tensor<4xf32>
}

// The body reads an element of the init that may have been overwritten.
// CHECK-LABEL: func.func @init_is_captured(%a: memref<4xf32>, %o: memref<4xf32>, %i: index) -> memref<4xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "linalg.map"(%a, %r) ({
// CHECK-NEXT:    ^bb0(%x: f32, %z: f32):
// CHECK-NEXT:      %y = memref.load %o[%i] : memref<4xf32>
// CHECK-NEXT:      %s = arith.addf %x, %y : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %r : memref<4xf32>
func.func @init_is_captured(%a: tensor<4xf32>, %o: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %r = "linalg.map"(%a, %o) ({
  ^bb0(%x: f32, %z: f32):
    %y = tensor.extract %o[%i] : tensor<4xf32>
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// Element by element, so input and init may be one buffer.
// CHECK-LABEL: func.func @elementwise(%a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    "linalg.map"(%a, %a) ({
// CHECK-NEXT:    ^bb0(%x: f32, %z: f32):
// CHECK-NEXT:      %s = arith.addf %x, %x : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %a : memref<4xf32>
func.func @elementwise(%a: tensor<4xf32>) -> tensor<4xf32> {
  %r = "linalg.map"(%a, %a) ({
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// As it was before LLVM 22, without an argument for the init.
// CHECK-LABEL: func.func @without_init(%a: memref<4xf32>, %o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "linalg.map"(%a, %r) ({
// CHECK-NEXT:    ^bb0(%x: f32):
// CHECK-NEXT:      linalg.yield %x : f32
// CHECK-NEXT:    }) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %r, %o : memref<4xf32>, memref<4xf32>
func.func @without_init(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = "linalg.map"(%a, %o) ({
  ^bb0(%x: f32):
    linalg.yield %x : f32
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r, %o : tensor<4xf32>, tensor<4xf32>
}
