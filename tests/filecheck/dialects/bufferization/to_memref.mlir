// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @to_memref(%t: tensor<4x?xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_memref %t : tensor<4x?xf32> to memref<4x?xf32>
// CHECK-NEXT:    %1 = bufferization.to_memref %t read_only {note} : tensor<4x?xf32> to memref<4x?xf32, 1 : i64>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "to_memref", function_type = (tensor<4x?xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%t: tensor<4x?xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.to_memref"(%t) : (tensor<4x?xf32>) -> memref<4x?xf32>
// CHECK-GENERIC-NEXT:    %1 = "bufferization.to_memref"(%t) <{read_only}> {note} : (tensor<4x?xf32>) -> memref<4x?xf32, 1 : i64>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @to_memref(%t: tensor<4x?xf32>) {
  %0 = bufferization.to_memref %t : tensor<4x?xf32> to memref<4x?xf32>
  %1 = bufferization.to_memref %t read_only {note} : tensor<4x?xf32> to memref<4x?xf32, 1 : i64>
  func.return
}

// Without the tensor's type, which follows from the memref's.
// CHECK-LABEL: func.func @short(%t: tensor<4x?xf32>, %u: tensor<*xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_memref %t : tensor<4x?xf32> to memref<4x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    %1 = bufferization.to_memref %t read_only : tensor<4x?xf32> to memref<4x?xf32>
// CHECK-NEXT:    %2 = bufferization.to_memref %u : tensor<*xf32> to memref<*xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "short", function_type = (tensor<4x?xf32>, tensor<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%t: tensor<4x?xf32>, %u: tensor<*xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.to_memref"(%t) : (tensor<4x?xf32>) -> memref<4x?xf32, strided<[?, ?], offset: ?>>
// CHECK-GENERIC-NEXT:    %1 = "bufferization.to_memref"(%t) <{read_only}> : (tensor<4x?xf32>) -> memref<4x?xf32>
// CHECK-GENERIC-NEXT:    %2 = "bufferization.to_memref"(%u) : (tensor<*xf32>) -> memref<*xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @short(%t: tensor<4x?xf32>, %u: tensor<*xf32>) {
  %0 = bufferization.to_memref %t : memref<4x?xf32, strided<[?, ?], offset: ?>>
  %1 = bufferization.to_memref %t read_only : memref<4x?xf32>
  %2 = bufferization.to_memref %u : memref<*xf32>
  func.return
}
