// RUN: XDSL_ROUNDTRIP

// CHECK-LABEL: func.func @generate(%n: index) {
// CHECK-NEXT:    %0 = "tensor.generate"(%n) ({
// CHECK-NEXT:    ^bb0(%i: index, %j: index):
// CHECK-NEXT:      %s = arith.addi %i, %j : index
// CHECK-NEXT:      tensor.yield %s : index
// CHECK-NEXT:    }) : (index) -> tensor<?x4xindex>
// CHECK-NEXT:    %1 = "tensor.generate"() ({
// CHECK-NEXT:    ^bb0(%k: index):
// CHECK-NEXT:      tensor.yield %k : index
// CHECK-NEXT:    }) {note} : () -> tensor<4xindex>
// CHECK-NEXT:    func.return
func.func @generate(%n: index) {
  %0 = tensor.generate %n {
  ^bb0(%i: index, %j: index):
    %s = arith.addi %i, %j : index
    tensor.yield %s : index
  } : tensor<?x4xindex>
  %1 = tensor.generate {
  ^bb1(%k: index):
    tensor.yield %k : index
  } {note} : tensor<4xindex>
  func.return
}
