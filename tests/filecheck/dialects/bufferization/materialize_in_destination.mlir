// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @tensor(%s: tensor<4x?xf32>, %d: tensor<?x8xf32, "enc">) {
// CHECK-NEXT:    %0 = bufferization.materialize_in_destination %s in %d : (tensor<4x?xf32>, tensor<?x8xf32, "enc">) -> tensor<?x8xf32, "enc">
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "tensor", function_type = (tensor<4x?xf32>, tensor<?x8xf32, "enc">) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%s: tensor<4x?xf32>, %d: tensor<?x8xf32, "enc">):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.materialize_in_destination"(%s, %d) : (tensor<4x?xf32>, tensor<?x8xf32, "enc">) -> tensor<?x8xf32, "enc">
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @tensor(%s: tensor<4x?xf32>, %d: tensor<?x8xf32, "enc">) {
  %0 = bufferization.materialize_in_destination %s in %d : (tensor<4x?xf32>, tensor<?x8xf32, "enc">) -> tensor<?x8xf32, "enc">
  func.return
}

// CHECK-LABEL: func.func @memref(%s: tensor<4xf32>, %d: memref<?xf32, strided<[?], offset: ?>, 1 : i64>) {
// CHECK-NEXT:    bufferization.materialize_in_destination %s in writable %d : (tensor<4xf32>, memref<?xf32, strided<[?], offset: ?>, 1 : i64>) -> ()
// CHECK-NEXT:    bufferization.materialize_in_destination %s in restrict writable %d {note} : (tensor<4xf32>, memref<?xf32, strided<[?], offset: ?>, 1 : i64>) -> ()
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "memref", function_type = (tensor<4xf32>, memref<?xf32, strided<[?], offset: ?>, 1 : i64>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%s: tensor<4xf32>, %d: memref<?xf32, strided<[?], offset: ?>, 1 : i64>):
// CHECK-GENERIC-NEXT:    "bufferization.materialize_in_destination"(%s, %d) <{writable}> : (tensor<4xf32>, memref<?xf32, strided<[?], offset: ?>, 1 : i64>) -> ()
// CHECK-GENERIC-NEXT:    "bufferization.materialize_in_destination"(%s, %d) <{restrict, writable}> {note} : (tensor<4xf32>, memref<?xf32, strided<[?], offset: ?>, 1 : i64>) -> ()
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @memref(%s: tensor<4xf32>, %d: memref<?xf32, strided<[?], offset: ?>, 1 : i64>) {
  bufferization.materialize_in_destination %s in writable %d : (tensor<4xf32>, memref<?xf32, strided<[?], offset: ?>, 1 : i64>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %d {note} : (tensor<4xf32>, memref<?xf32, strided<[?], offset: ?>, 1 : i64>) -> ()
  func.return
}

// CHECK-LABEL: func.func @unranked(%s: tensor<*xf32>, %d: memref<*xf32>) {
// CHECK-NEXT:    bufferization.materialize_in_destination %s in writable %d : (tensor<*xf32>, memref<*xf32>) -> ()
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "unranked", function_type = (tensor<*xf32>, memref<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%s: tensor<*xf32>, %d: memref<*xf32>):
// CHECK-GENERIC-NEXT:    "bufferization.materialize_in_destination"(%s, %d) <{writable}> : (tensor<*xf32>, memref<*xf32>) -> ()
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @unranked(%s: tensor<*xf32>, %d: memref<*xf32>) {
  bufferization.materialize_in_destination %s in writable %d : (tensor<*xf32>, memref<*xf32>) -> ()
  func.return
}

// The flags may be among the attributes, too.
// CHECK-LABEL: func.func @flags(%s: tensor<4xf32>, %d: memref<4xf32>) {
// CHECK-NEXT:    bufferization.materialize_in_destination %s in restrict writable %d : (tensor<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "flags", function_type = (tensor<4xf32>, memref<4xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%s: tensor<4xf32>, %d: memref<4xf32>):
// CHECK-GENERIC-NEXT:    "bufferization.materialize_in_destination"(%s, %d) <{restrict, writable}> : (tensor<4xf32>, memref<4xf32>) -> ()
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @flags(%s: tensor<4xf32>, %d: memref<4xf32>) {
  bufferization.materialize_in_destination %s in %d {restrict, writable} : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return
}
