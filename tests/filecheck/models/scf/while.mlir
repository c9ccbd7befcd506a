// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// One buffer is carried through both regions.
// CHECK-LABEL: func.func @in_place(%t: memref<4xf32>, %f: f32, %c: i1, %i: index) -> memref<4xf32> {
// CHECK-NEXT:      %r = scf.while (%a = %t) : (memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:        memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:        scf.condition(%c) %a : memref<4xf32>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%b: memref<4xf32>):
// CHECK-NEXT:        scf.yield %b : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @in_place(%t: tensor<4xf32>, %f: f32, %c: i1, %i: index) -> tensor<4xf32> {
  %r = scf.while (%a = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    %w = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.condition(%c) %w : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    scf.yield %b : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// The buffers change places, which takes no copy.
// CHECK-LABEL: func.func @swap(%t: memref<4xf32>, %u: memref<4xf32>, %f: f32, %c: i1, %i: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %r, %s = scf.while (%a = %t, %b = %u) : (memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:        memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:        scf.condition(%c) %b, %a : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%x: memref<4xf32>, %y: memref<4xf32>):
// CHECK-NEXT:        scf.yield %x, %y : memref<4xf32>, memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r, %s : memref<4xf32>, memref<4xf32>
func.func @swap(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %c: i1, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r, %s = scf.while (%a = %t, %b = %u) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %w = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.condition(%c) %b, %w : tensor<4xf32>, tensor<4xf32>
  } do {
  ^bb0(%x: tensor<4xf32>, %y: tensor<4xf32>):
    scf.yield %x, %y : tensor<4xf32>, tensor<4xf32>
  }
  func.return %r, %s : tensor<4xf32>, tensor<4xf32>
}

// What is handed over in a new buffer is copied into the one that was there.
// CHECK-LABEL: func.func @replaced(%t: memref<4xf32>, %f: f32, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %r = scf.while (%a = %t) : (memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:        scf.condition(%c) %a : memref<4xf32>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%b: memref<4xf32>):
// CHECK-NEXT:        %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:        linalg.fill ins(%f : f32) outs(%e : memref<4xf32>)
// CHECK-NEXT:        "memref.copy"(%e, %b) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        scf.yield %b : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @replaced(%t: tensor<4xf32>, %f: f32, %c: i1) -> tensor<4xf32> {
  %r = scf.while (%a = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %e = tensor.empty() : tensor<4xf32>
    %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// The init is read after the loop, which so works on a copy.
// CHECK-LABEL: func.func @init_is_read(%t: memref<4xf32>, %f: f32, %c: i1, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      %r = scf.while (%a = %0) : (memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:        scf.condition(%c) %a : memref<4xf32>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%b: memref<4xf32>):
// CHECK-NEXT:        memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT:        scf.yield %b : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %r, %x : memref<4xf32>, f32
func.func @init_is_read(%t: tensor<4xf32>, %f: f32, %c: i1, %i: index) -> (tensor<4xf32>, f32) {
  %r = scf.while (%a = %t) : (tensor<4xf32>) -> tensor<4xf32> {
    scf.condition(%c) %a : tensor<4xf32>
  } do {
  ^bb0(%b: tensor<4xf32>):
    %w = tensor.insert %f into %b[%i] : tensor<4xf32>
    scf.yield %w : tensor<4xf32>
  }
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}

// The regions carry a buffer and something else in other numbers and places.
// CHECK-LABEL: func.func @scalars(%t: memref<4xf32>, %n: index, %c: i1) -> (index, memref<4xf32>) {
// CHECK-NEXT:      %r, %s = scf.while (%a = %t) : (memref<4xf32>) -> (index, memref<4xf32>) {
// CHECK-NEXT:        %x = memref.load %a[%n] : memref<4xf32>
// CHECK-NEXT:        %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:        "memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        memref.store %x, %b[%n] : memref<4xf32>
// CHECK-NEXT:        "memref.copy"(%b, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        scf.condition(%c) %n, %a : index, memref<4xf32>
// CHECK-NEXT:      } do {
// CHECK-NEXT:      ^bb0(%i: index, %b_1: memref<4xf32>):
// CHECK-NEXT:        scf.yield %b_1 : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r, %s : index, memref<4xf32>
func.func @scalars(%t: tensor<4xf32>, %n: index, %c: i1) -> (index, tensor<4xf32>) {
  %r, %s = scf.while (%a = %t) : (tensor<4xf32>) -> (index, tensor<4xf32>) {
    %x = tensor.extract %a[%n] : tensor<4xf32>
    %b = bufferization.alloc_tensor() copy(%a) : tensor<4xf32>
    %w = tensor.insert %x into %b[%n] : tensor<4xf32>
    scf.condition(%c) %n, %w : index, tensor<4xf32>
  } do {
  ^bb0(%i: index, %b: tensor<4xf32>):
    scf.yield %b : tensor<4xf32>
  }
  func.return %r, %s : index, tensor<4xf32>
}

// What is not initialised is not copied.
// CHECK-LABEL: func.func @uninitialised(%i: index, %x: f32) -> memref<8xf32> {
// CHECK-NEXT:    %e = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    %r, %r_1 = scf.while (%t = %e, %u = %0) : (memref<8xf32>, memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:      %q = arith.cmpi slt, %i, %i : index
// CHECK-NEXT:      scf.condition(%q) %t, %u : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:    } do {
// CHECK-NEXT:    ^bb0(%t_1: memref<8xf32>, %u_1: memref<8xf32>):
// CHECK-NEXT:      linalg.fill ins(%x : f32) outs(%t_1 : memref<8xf32>)
// CHECK-NEXT:      linalg.exp ins(%t_1 : memref<8xf32>) outs(%u_1 : memref<8xf32>)
// CHECK-NEXT:      scf.yield %t_1, %u_1 : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r_1 : memref<8xf32>
// CHECK-NEXT:  }
func.func @uninitialised(%i: index, %x: f32) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r:2 = scf.while (%t = %e, %u = %e) : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %q = arith.cmpi slt, %i, %i : index
    scf.condition(%q) %t, %u : tensor<8xf32>, tensor<8xf32>
  } do {
  ^bb0(%t: tensor<8xf32>, %u: tensor<8xf32>):
    %f = linalg.fill ins(%x : f32) outs(%t : tensor<8xf32>) -> tensor<8xf32>
    %g = linalg.exp ins(%f: tensor<8xf32>) outs(%u : tensor<8xf32>) -> tensor<8xf32>
    scf.yield %f, %g : tensor<8xf32>, tensor<8xf32>
  }
  func.return %r#1 : tensor<8xf32>
}
