// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' | filecheck %s

// CHECK: "memref.global"() <{sym_name = "__constant_xi64", type = memref<i64>, initial_value = dense<7> : tensor<i64>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()
// CHECK-NEXT: "memref.global"() <{sym_name = "__constant_xi1", type = memref<i1>, initial_value = dense<true> : tensor<i1>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()
// CHECK-NEXT: "memref.global"() <{sym_name = "__constant_xi8", type = memref<i8>, initial_value = dense<7> : tensor<i8>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()
// CHECK-NEXT: "memref.global"() <{sym_name = "__constant_2xf32", type = memref<2xf32>, initial_value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()

// Equal constants share one global.
// CHECK-LABEL: func.func @equal() -> (f32, f32) {
// CHECK-NEXT:    %i = arith.constant 0 : index
// CHECK-NEXT:    %a = memref.get_global @__constant_2xf32 : memref<2xf32>
// CHECK-NEXT:    %b = memref.get_global @__constant_2xf32 : memref<2xf32>
// CHECK-NEXT:    %x = memref.load %a[%i] : memref<2xf32>
// CHECK-NEXT:    %y = memref.load %b[%i] : memref<2xf32>
// CHECK-NEXT:    func.return %x, %y : f32, f32
func.func @equal() -> (f32, f32) {
  %i = arith.constant 0 : index
  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %x = tensor.extract %a[%i] : tensor<2xf32>
  %y = tensor.extract %b[%i] : tensor<2xf32>
  func.return %x, %y : f32, f32
}

// A global must not be written, so that the op works on a copy.
// CHECK-LABEL: func.func @written(%f: f32, %i: index) -> memref<2xf32> {
// CHECK-NEXT:    %c = memref.get_global @__constant_2xf32 : memref<2xf32>
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<2xf32>
// CHECK-NEXT:    "memref.copy"(%c, %r) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:    memref.store %f, %r[%i] : memref<2xf32>
// CHECK-NEXT:    func.return %r : memref<2xf32>
func.func @written(%f: f32, %i: index) -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %r = tensor.insert %f into %c[%i] : tensor<2xf32>
  func.return %r : tensor<2xf32>
}

// CHECK-LABEL: func.func @element_types() -> (i8, i1, i64) {
// CHECK-NEXT:    %a = memref.get_global @__constant_xi8 : memref<i8>
// CHECK-NEXT:    %b = memref.get_global @__constant_xi1 : memref<i1>
// CHECK-NEXT:    %c = memref.get_global @__constant_xi64 : memref<i64>
// CHECK-NEXT:    %x = memref.load %a[] : memref<i8>
// CHECK-NEXT:    %y = memref.load %b[] : memref<i1>
// CHECK-NEXT:    %z = memref.load %c[] : memref<i64>
// CHECK-NEXT:    func.return %x, %y, %z : i8, i1, i64
func.func @element_types() -> (i8, i1, i64) {
  %a = arith.constant dense<7> : tensor<i8>
  %b = arith.constant dense<true> : tensor<i1>
  %c = arith.constant dense<7> : tensor<i64>
  %x = tensor.extract %a[] : tensor<i8>
  %y = tensor.extract %b[] : tensor<i1>
  %z = tensor.extract %c[] : tensor<i64>
  func.return %x, %y, %z : i8, i1, i64
}

// Scalars are no business of bufferization.
// CHECK-LABEL: func.func @scalar() -> i32 {
// CHECK-NEXT:    %c = arith.constant 3 : i32
// CHECK-NEXT:    func.return %c : i32
func.func @scalar() -> i32 {
  %c = arith.constant 3 : i32
  func.return %c : i32
}
