// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map},buffer-deallocation-pipeline,convert-bufferization-to-memref' --print-between-passes | filecheck %s

// What is printed is a valid program: the copy of an argument that is returned is a clone first.
// CHECK:       IR after one-shot-bufferize:
// CHECK-NEXT:  builtin.module {
// CHECK-NEXT:    func.func @id(%t: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:      func.return %t : memref<8xf32>
// CHECK:       IR after buffer-deallocation-pipeline:
// CHECK-NEXT:  builtin.module {
// CHECK-NEXT:    func.func @id(%t: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:      [[copy:%.*]] = bufferization.clone %t : memref<8xf32> to memref<8xf32>
// CHECK-NEXT:      func.return [[copy]] : memref<8xf32>
// CHECK-NOT:   IR after
// CHECK:       builtin.module {
// CHECK-NEXT:    func.func @id(%t: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:      [[copy:%.*]] = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%t, [[copy]])
func.func @id(%t: tensor<8xf32>) -> tensor<8xf32> {
  func.return %t : tensor<8xf32>
}
