// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s
// RUN: xdsl-opt %s -p bufferize | filecheck %s

// A resource at the end of the file may be a constant, which becomes the global's value.
// CHECK:      "memref.global"() <{sym_name = "__constant_4xi32", type = memref<4xi32>, initial_value = dense_resource<blob> : tensor<4xi32>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()
// CHECK-NEXT: func.func @read(%i: index) -> i32 {
// CHECK-NEXT:   %k = memref.get_global @__constant_4xi32 : memref<4xi32>
// CHECK-NEXT:   %r = memref.load %k[%i] : memref<4xi32>
// CHECK-NEXT:   func.return %r : i32
// CHECK:      blob: "0x0400000001000000020000000300000004000000"
func.func @read(%i: index) -> i32 {
  %k = arith.constant dense_resource<blob> : tensor<4xi32>
  %r = tensor.extract %k[%i] : tensor<4xi32>
  func.return %r : i32
}

{-# dialect_resources: {builtin: {blob: "0x0400000001000000020000000300000004000000"}} #-}
