// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @dealloc_tensor(%t: tensor<4x?xf32>, %e: tensor<4xf32, "compressed">, %u: tensor<*xf32>) {
// CHECK-NEXT:    bufferization.dealloc_tensor %t : tensor<4x?xf32>
// CHECK-NEXT:    bufferization.dealloc_tensor %e {note} : tensor<4xf32, "compressed">
// CHECK-NEXT:    bufferization.dealloc_tensor %u : tensor<*xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "dealloc_tensor", function_type = (tensor<4x?xf32>, tensor<4xf32, "compressed">, tensor<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%t: tensor<4x?xf32>, %e: tensor<4xf32, "compressed">, %u: tensor<*xf32>):
// CHECK-GENERIC-NEXT:    "bufferization.dealloc_tensor"(%t) : (tensor<4x?xf32>) -> ()
// CHECK-GENERIC-NEXT:    "bufferization.dealloc_tensor"(%e) {note} : (tensor<4xf32, "compressed">) -> ()
// CHECK-GENERIC-NEXT:    "bufferization.dealloc_tensor"(%u) : (tensor<*xf32>) -> ()
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @dealloc_tensor(%t: tensor<4x?xf32>, %e: tensor<4xf32, "compressed">, %u: tensor<*xf32>) {
  bufferization.dealloc_tensor %t : tensor<4x?xf32>
  bufferization.dealloc_tensor %e {note} : tensor<4xf32, "compressed">
  bufferization.dealloc_tensor %u : tensor<*xf32>
  func.return
}
