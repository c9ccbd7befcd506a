// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Direct recursion in destination-passing style.
// CHECK-LABEL: func.func @countdown(%t: memref<4xf32>, %c: i1, %f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:      %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:        memref.store %f, %t[%i] : memref<4xf32>
// CHECK-NEXT:        %x = func.call @countdown(%t, %c, %f, %i) : (memref<4xf32>, i1, f32, index) -> memref<4xf32>
// CHECK-NEXT:        scf.yield %x : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %t : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @countdown(%t: tensor<4xf32>, %c: i1, %f: f32, %i: index) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %w = tensor.insert %f into %t[%i] : tensor<4xf32>
    %x = func.call @countdown(%w, %c, %f, %i) : (tensor<4xf32>, i1, f32, index) -> tensor<4xf32>
    scf.yield %x : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// It writes its argument, which is read afterwards.
// CHECK-LABEL: func.func @caller(%t: memref<4xf32>, %c: i1, %f: f32, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      %r = func.call @countdown(%0, %c, %f, %i) : (memref<4xf32>, i1, f32, index) -> memref<4xf32>
// CHECK-NEXT:      %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %r, %x : memref<4xf32>, f32
func.func @caller(%t: tensor<4xf32>, %c: i1, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = func.call @countdown(%t, %c, %f, %i) : (tensor<4xf32>, i1, f32, index) -> tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}

// Two functions that call each other, and only read: no copy for that.
// CHECK-LABEL: func.func @even(%t: memref<4xf32>, %i: index) -> f32 {
// CHECK-NEXT:      %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      %y = func.call @odd(%t, %i) : (memref<4xf32>, index) -> f32
// CHECK-NEXT:      %s = arith.addf %x, %y : f32
// CHECK-NEXT:      func.return %s : f32
func.func @even(%t: tensor<4xf32>, %i: index) -> f32 {
  %x = tensor.extract %t[%i] : tensor<4xf32>
  %y = func.call @odd(%t, %i) : (tensor<4xf32>, index) -> f32
  %s = arith.addf %x, %y : f32
  func.return %s : f32
}

// CHECK-LABEL: func.func @odd(%t: memref<4xf32>, %i: index) -> f32 {
// CHECK-NEXT:      %x = func.call @even(%t, %i) : (memref<4xf32>, index) -> f32
// CHECK-NEXT:      func.return %x : f32
func.func @odd(%t: tensor<4xf32>, %i: index) -> f32 {
  %x = func.call @even(%t, %i) : (tensor<4xf32>, index) -> f32
  func.return %x : f32
}

// CHECK-LABEL: func.func @reader(%t: memref<4xf32>, %i: index) -> (f32, f32) {
// CHECK-NEXT:      %x = func.call @even(%t, %i) : (memref<4xf32>, index) -> f32
// CHECK-NEXT:      %y = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %x, %y : f32, f32
func.func @reader(%t: tensor<4xf32>, %i: index) -> (f32, f32) {
  %x = func.call @even(%t, %i) : (tensor<4xf32>, index) -> f32
  %y = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x, %y : f32, f32
}
