// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @to_buffer(%t: tensor<4x?xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32>
// CHECK-NEXT:    %1 = bufferization.to_buffer %t read_only : tensor<4x?xf32> to memref<4x?xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "to_buffer", function_type = (tensor<4x?xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%t: tensor<4x?xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.to_buffer"(%t) : (tensor<4x?xf32>) -> memref<4x?xf32>
// CHECK-GENERIC-NEXT:    %1 = "bufferization.to_buffer"(%t) <{read_only}> : (tensor<4x?xf32>) -> memref<4x?xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @to_buffer(%t: tensor<4x?xf32>) {
  %0 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32>
  %1 = bufferization.to_buffer %t read_only : tensor<4x?xf32> to memref<4x?xf32>
  func.return
}

// CHECK-LABEL: func.func @layout(%t: tensor<4x?xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>
// CHECK-NEXT:    %1 = bufferization.to_buffer %t read_only {note} : tensor<4x?xf32> to memref<4x?xf32, affine_map<(d0, d1) -> (d1, d0)>>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "layout", function_type = (tensor<4x?xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%t: tensor<4x?xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.to_buffer"(%t) : (tensor<4x?xf32>) -> memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>
// CHECK-GENERIC-NEXT:    %1 = "bufferization.to_buffer"(%t) <{read_only}> {note} : (tensor<4x?xf32>) -> memref<4x?xf32, affine_map<(d0, d1) -> (d1, d0)>>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @layout(%t: tensor<4x?xf32>) {
  %0 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>
  %1 = bufferization.to_buffer %t read_only {note} : tensor<4x?xf32> to memref<4x?xf32, affine_map<(i, j) -> (j, i)>>
  func.return
}

// CHECK-LABEL: func.func @extras(%t: tensor<4xf32, "compressed">, %u: tensor<*xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t read_only : tensor<4xf32, "compressed"> to memref<4xf32>
// CHECK-NEXT:    %1 = bufferization.to_buffer %u : tensor<*xf32> to memref<*xf32, 2 : i64>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "extras", function_type = (tensor<4xf32, "compressed">, tensor<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%t: tensor<4xf32, "compressed">, %u: tensor<*xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.to_buffer"(%t) <{read_only}> : (tensor<4xf32, "compressed">) -> memref<4xf32>
// CHECK-GENERIC-NEXT:    %1 = "bufferization.to_buffer"(%u) : (tensor<*xf32>) -> memref<*xf32, 2 : i64>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @extras(%t: tensor<4xf32, "compressed">, %u: tensor<*xf32>) {
  %0 = bufferization.to_buffer %t {read_only} : tensor<4xf32, "compressed"> to memref<4xf32>
  %1 = bufferization.to_buffer %u : tensor<*xf32> to memref<*xf32, 2 : i64>
  func.return
}
