// RUN: XDSL_ROUNDTRIP

// CHECK-LABEL: func.func @rank(%t: tensor<4x?xf32>, %u: tensor<*xf32>) {
// CHECK-NEXT:    %0 = "tensor.rank"(%t) : (tensor<4x?xf32>) -> index
// CHECK-NEXT:    %1 = "tensor.rank"(%u) {note} : (tensor<*xf32>) -> index
// CHECK-NEXT:    func.return
func.func @rank(%t: tensor<4x?xf32>, %u: tensor<*xf32>) {
  %0 = tensor.rank %t : tensor<4x?xf32>
  %1 = tensor.rank %u {note} : tensor<*xf32>
  func.return
}
