// RUN: xdsl-opt %s -p 'one-shot-bufferize{copy-before-write bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// A function that copies before it writes does not write its arguments, so that calls of
// it need no copies; an external function may.
// CHECK-LABEL: func.func private @external(memref<4xf32>) -> memref<4xf32>
func.func private @external(tensor<4xf32>) -> tensor<4xf32>
"func.func"() <{sym_name = "reads", function_type = (tensor<4xf32>) -> (), sym_visibility = "private", arg_attrs = [{bufferization.access = "read"}]}> ({}) : () -> ()

// CHECK-LABEL: func.func @inner(%t: memref<4xf32>, %f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%t, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %a : memref<4xf32>
func.func @inner(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %a = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %a : tensor<4xf32>
}

// CHECK-LABEL: func.func @outer(%t: memref<4xf32>, %f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:    %a = func.call @inner(%t, %f, %i) : (memref<4xf32>, f32, index) -> memref<4xf32>
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%a, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %b = func.call @external(%0) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:    func.call @reads(%b) : (memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %b : memref<4xf32>
func.func @outer(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %a = func.call @inner(%t, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %b = func.call @external(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.call @reads(%b) : (tensor<4xf32>) -> ()
  func.return %b : tensor<4xf32>
}

// CHECK-LABEL: func.func @recursive(%t: memref<4xf32>, %c: i1, %f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:    %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:      %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:      %b = func.call @recursive(%a, %c, %f, %i) : (memref<4xf32>, i1, f32, index) -> memref<4xf32>
// CHECK-NEXT:      scf.yield %b : memref<4xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %t : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<4xf32>
func.func @recursive(%t: tensor<4xf32>, %c: i1, %f: f32, %i: index) -> tensor<4xf32> {
  %r = scf.if %c -> (tensor<4xf32>) {
    %a = tensor.insert %f into %t[%i] : tensor<4xf32>
    %b = func.call @recursive(%a, %c, %f, %i) : (tensor<4xf32>, i1, f32, index) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @constant() -> memref<4xf32> {
// CHECK-NEXT:    %c = memref.get_global @__constant_4xf32 : memref<4xf32>
// CHECK-NEXT:    func.return %c : memref<4xf32>
func.func @constant() -> tensor<4xf32> {
  %c = arith.constant dense<0.0> : tensor<4xf32>
  func.return %c : tensor<4xf32>
}

// CHECK-LABEL: func.func @writes_constant(%f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:    %c = func.call @constant() : () -> memref<4xf32>
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%c, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %a : memref<4xf32>
func.func @writes_constant(%f: f32, %i: index) -> tensor<4xf32> {
  %c = func.call @constant() : () -> tensor<4xf32>
  %a = tensor.insert %f into %c[%i] : tensor<4xf32>
  func.return %a : tensor<4xf32>
}
