// xdsl-opt has no --time-passes before 0.66.
// REQUIRES: xdsl-0.66
// RUN: xdsl-opt %s -p 'bufferize,convert-linalg-to-loops' --time-passes | filecheck %s

// CHECK:       Pass bufferize took {{[0-9.e-]+}} seconds
// CHECK-NEXT:  Pass convert-linalg-to-loops took {{[0-9.e-]+}} seconds
// CHECK-NEXT:  builtin.module {
// CHECK:         memref.store
func.func @set(%t: tensor<8xf32>, %i: index, %x: f32) -> tensor<8xf32> {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  func.return %set : tensor<8xf32>
}
