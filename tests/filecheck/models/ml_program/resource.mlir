// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s

// A global may be a resource, as in MLIR.
// CHECK:      "memref.global"() <{sym_name = "g", type = memref<4xf32>, initial_value = dense_resource<blob> : tensor<4xf32>, sym_visibility = "private", constant}> : () -> ()
// CHECK-NEXT: func.func @read(%i: index) -> f32 {
// CHECK-NEXT:   %k = memref.get_global @g : memref<4xf32>
// CHECK-NEXT:   %r = memref.load %k[%i] : memref<4xf32>
ml_program.global private @g(dense_resource<blob> : tensor<4xf32>) : tensor<4xf32>
func.func @read(%i: index) -> f32 {
  %k = ml_program.global_load @g : tensor<4xf32>
  %r = tensor.extract %k[%i] : tensor<4xf32>
  func.return %r : f32
}
