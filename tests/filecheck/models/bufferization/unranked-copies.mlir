// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | env XDSL_BUFFERIZATION_ALWAYS=1 xdsl-opt | filecheck %s

// Into a destination that is given, a tensor of unknown rank can be copied.
// CHECK-LABEL: func.func @materialize(
// CHECK-NEXT:    "memref.copy"(%t, %u) : (memref<*xf32>, memref<*xf32>) -> ()
// CHECK-NEXT:    func.return %u : memref<*xf32>
func.func @materialize(%t: tensor<*xf32>, %u: tensor<*xf32>) -> tensor<*xf32> {
  %q = bufferization.materialize_in_destination %t in %u : (tensor<*xf32>, tensor<*xf32>) -> tensor<*xf32>
  func.return %q : tensor<*xf32>
}
