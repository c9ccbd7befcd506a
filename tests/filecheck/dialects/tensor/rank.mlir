// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @rank(%t: tensor<4x?xf32>, %u: tensor<*xf32>) {
// CHECK-NEXT:    %0 = tensor.rank %t : tensor<4x?xf32>
// CHECK-NEXT:    %1 = tensor.rank %u {note} : tensor<*xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "rank", function_type = (tensor<4x?xf32>, tensor<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%t: tensor<4x?xf32>, %u: tensor<*xf32>):
// CHECK-GENERIC-NEXT:    %0 = "tensor.rank"(%t) : (tensor<4x?xf32>) -> index
// CHECK-GENERIC-NEXT:    %1 = "tensor.rank"(%u) {note} : (tensor<*xf32>) -> index
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @rank(%t: tensor<4x?xf32>, %u: tensor<*xf32>) {
  %0 = tensor.rank %t : tensor<4x?xf32>
  %1 = tensor.rank %u {note} : tensor<*xf32>
  func.return
}
