// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' | filecheck %s

// CHECK: "memref.global"() <{sym_name = "__constant_4xf32", type = memref<4xf32>, initial_value = dense<1.000000e+00> : tensor<4xf32>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()

// CHECK-LABEL: func.func @writes(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    memref.store %f, %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %t : memref<4xf32, strided<[?], offset: ?>>
func.func @writes(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @reads(%t: memref<4xf32, strided<[?], offset: ?>>, %i: index) -> f32 {
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @reads(%t: tensor<4xf32>, %i: index) -> f32 {
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}

// Nobody reads the old contents: the callee may write them.
// CHECK-LABEL: func.func @in_place(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    %r = func.call @writes(%t, %f, %i) : (memref<4xf32, strided<[?], offset: ?>>, f32, index) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %r : memref<4xf32, strided<[?], offset: ?>>
func.func @in_place(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = func.call @writes(%t, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// %t is read after the callee has written it.
// CHECK-LABEL: func.func @out_of_place(%t: memref<4xf32, strided<[?], offset: ?>>, %f: f32, %i: index) -> (memref<4xf32, strided<[?], offset: ?>>, f32) {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%t, %0) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:    %1 = "memref.cast"(%0) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %r = func.call @writes(%1, %f, %i) : (memref<4xf32, strided<[?], offset: ?>>, f32, index) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %x = func.call @reads(%t, %i) : (memref<4xf32, strided<[?], offset: ?>>, index) -> f32
// CHECK-NEXT:    func.return %r, %x : memref<4xf32, strided<[?], offset: ?>>, f32
func.func @out_of_place(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = func.call @writes(%t, %f, %i) : (tensor<4xf32>, f32, index) -> tensor<4xf32>
  %x = func.call @reads(%t, %i) : (tensor<4xf32>, index) -> f32
  func.return %r, %x : tensor<4xf32>, f32
}

// A callee that only reads needs no copy of a read-only buffer.
// CHECK-LABEL: func.func @constant(%i: index) -> f32 {
// CHECK-NEXT:    %c = memref.get_global @__constant_4xf32 : memref<4xf32>
// CHECK-NEXT:    %0 = "memref.cast"(%c) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %x = func.call @reads(%0, %i) : (memref<4xf32, strided<[?], offset: ?>>, index) -> f32
// CHECK-NEXT:    func.return %x : f32
func.func @constant(%i: index) -> f32 {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %x = func.call @reads(%c, %i) : (tensor<4xf32>, index) -> f32
  func.return %x : f32
}

// Callees come first, wherever they are in the module.
// CHECK-LABEL: func.func @before_callee() -> memref<4xf32> {
// CHECK-NEXT:    %r = func.call @later() : () -> memref<4xf32>
// CHECK-NEXT:    func.return %r : memref<4xf32>
func.func @before_callee() -> tensor<4xf32> {
  %r = func.call @later() : () -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @later() -> memref<4xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    func.return %r : memref<4xf32>
func.func @later() -> tensor<4xf32> {
  %r = tensor.empty() : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// The argument is cast to what the callee takes.
// CHECK-LABEL: func.func @cast_of_argument(%i: index) -> f32 {
// CHECK-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    %0 = "memref.cast"(%t) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %x = func.call @reads(%0, %i) : (memref<4xf32, strided<[?], offset: ?>>, index) -> f32
// CHECK-NEXT:    func.return %x : f32
func.func @cast_of_argument(%i: index) -> f32 {
  %t = tensor.empty() : tensor<4xf32>
  %x = func.call @reads(%t, %i) : (tensor<4xf32>, index) -> f32
  func.return %x : f32
}

// A function that writes both of its arguments may read again what it has written to the first.
// CHECK-LABEL: func.func @reads_again
func.func @reads_again(%t: tensor<4xf32>, %u: tensor<4xf32>, %f: f32, %g: f32, %i: index) -> (f32, f32) {
  %a = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.fill ins(%g : f32) outs(%u : tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  %y = tensor.extract %b[%i] : tensor<4xf32>
  func.return %x, %y : f32, f32
}

// So it is not given one tensor twice.
// CHECK-LABEL: func.func @gives_one_tensor_twice
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    %1 = "memref.cast"(%0) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %x, %y = func.call @reads_again(%t, %1, %f, %g, %i)
func.func @gives_one_tensor_twice(%t: tensor<4xf32>, %f: f32, %g: f32, %i: index) -> (f32, f32) {
  %x, %y = func.call @reads_again(%t, %t, %f, %g, %i) : (tensor<4xf32>, tensor<4xf32>, f32, f32, index) -> (f32, f32)
  func.return %x, %y : f32, f32
}
