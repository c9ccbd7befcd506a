// RUN: xdsl-opt %s --allow-unregistered-dialect -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK: "memref.global"() <{sym_name = "c", type = memref<4xf32>, initial_value = dense<1.000000e+00> : tensor<4xf32>, sym_visibility = "private", constant}> : () -> ()
ml_program.global private @c(dense<1.0> : tensor<4xf32>) : tensor<4xf32>
// CHECK-NEXT: "memref.global"() <{sym_name = "m", type = memref<4xf32>, initial_value = dense<2.000000e+00> : tensor<4xf32>, sym_visibility = "private"}> : () -> ()
ml_program.global private mutable @m(dense<2.0> : tensor<4xf32>) : tensor<4xf32>

// A constant is not written; a variable is read as it is where it is loaded.
// CHECK-LABEL: func.func @load_and_store(%f: f32, %i: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %c = memref.get_global @c : memref<4xf32>
// CHECK-NEXT:      %0 = memref.get_global @m : memref<4xf32>
// CHECK-NEXT:      %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%0, %m) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      %1 = memref.get_global @m : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%c, %1) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %m[%i] : memref<4xf32>
// CHECK-NEXT:      %w = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%c, %w) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %w[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %m, %w : memref<4xf32>, memref<4xf32>
func.func @load_and_store(%f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %c = ml_program.global_load_const @c : tensor<4xf32>
  %m = "ml_program.global_load"() <{global = @m}> : () -> tensor<4xf32>
  "ml_program.global_store"(%c) <{global = @m}> : (tensor<4xf32>) -> ()
  %v = tensor.insert %f into %m[%i] : tensor<4xf32>
  %w = tensor.insert %f into %c[%i] : tensor<4xf32>
  func.return %v, %w : tensor<4xf32>, tensor<4xf32>
}
