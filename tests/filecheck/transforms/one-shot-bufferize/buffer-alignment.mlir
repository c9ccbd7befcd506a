// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' | filecheck %s --check-prefix=DEFAULT
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true buffer-alignment=128}' | filecheck %s --check-prefix=MORE
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true buffer-alignment=0}' | filecheck %s --check-prefix=NONE

// DEFAULT: "memref.global"() <{sym_name = "__constant_4xf32", type = memref<4xf32>, initial_value = dense<1.000000e+00> : tensor<4xf32>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()
// MORE: "memref.global"() <{sym_name = "__constant_4xf32", type = memref<4xf32>, initial_value = dense<1.000000e+00> : tensor<4xf32>, sym_visibility = "private", constant, alignment = 128 : i64}> : () -> ()
// NONE: "memref.global"() <{sym_name = "__constant_4xf32", type = memref<4xf32>, initial_value = dense<1.000000e+00> : tensor<4xf32>, sym_visibility = "private", constant}> : () -> ()

// DEFAULT-LABEL: func.func @alloc() -> memref<4xf32> {
// DEFAULT-NEXT:    %t = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// DEFAULT-NEXT:    func.return %t : memref<4xf32>
// DEFAULT-NEXT:  }
// MORE-LABEL: func.func @alloc() -> memref<4xf32> {
// MORE-NEXT:    %t = memref.alloc() {alignment = 128 : i64} : memref<4xf32>
// MORE-NEXT:    func.return %t : memref<4xf32>
// MORE-NEXT:  }
// NONE-LABEL: func.func @alloc() -> memref<4xf32> {
// NONE-NEXT:    %t = memref.alloc() : memref<4xf32>
// NONE-NEXT:    func.return %t : memref<4xf32>
func.func @alloc() -> tensor<4xf32> {
  %t = tensor.empty() : tensor<4xf32>
  func.return %t : tensor<4xf32>
}

// DEFAULT-LABEL: func.func @global(%i: index) -> f32 {
// DEFAULT-NEXT:    %t = memref.get_global @__constant_4xf32 : memref<4xf32>
// DEFAULT-NEXT:    %x = memref.load %t[%i] : memref<4xf32>
// DEFAULT-NEXT:    func.return %x : f32
// MORE-LABEL: func.func @global(%i: index) -> f32 {
// MORE-NEXT:    %t = memref.get_global @__constant_4xf32 : memref<4xf32>
// MORE-NEXT:    %x = memref.load %t[%i] : memref<4xf32>
// MORE-NEXT:    func.return %x : f32
// NONE-LABEL: func.func @global(%i: index) -> f32 {
// NONE-NEXT:    %t = memref.get_global @__constant_4xf32 : memref<4xf32>
// NONE-NEXT:    %x = memref.load %t[%i] : memref<4xf32>
// NONE-NEXT:    func.return %x : f32
func.func @global(%i: index) -> f32 {
  %t = arith.constant dense<1.0> : tensor<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}
