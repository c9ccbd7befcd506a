// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @to_tensor(%m: memref<4x?xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_tensor %m : memref<4x?xf32> to tensor<4x?xf32>
// CHECK-NEXT:    %1 = bufferization.to_tensor %m restrict : memref<4x?xf32> to tensor<4x?xf32>
// CHECK-NEXT:    %2 = bufferization.to_tensor %m writable : memref<4x?xf32> to tensor<4x?xf32>
// CHECK-NEXT:    %3 = bufferization.to_tensor %m restrict writable {note} : memref<4x?xf32> to tensor<4x?xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "to_tensor", function_type = (memref<4x?xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%m: memref<4x?xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.to_tensor"(%m) : (memref<4x?xf32>) -> tensor<4x?xf32>
// CHECK-GENERIC-NEXT:    %1 = "bufferization.to_tensor"(%m) <{restrict}> : (memref<4x?xf32>) -> tensor<4x?xf32>
// CHECK-GENERIC-NEXT:    %2 = "bufferization.to_tensor"(%m) <{writable}> : (memref<4x?xf32>) -> tensor<4x?xf32>
// CHECK-GENERIC-NEXT:    %3 = "bufferization.to_tensor"(%m) <{restrict, writable}> {note} : (memref<4x?xf32>) -> tensor<4x?xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @to_tensor(%m: memref<4x?xf32>) {
  %0 = bufferization.to_tensor %m : memref<4x?xf32> to tensor<4x?xf32>
  %1 = bufferization.to_tensor %m restrict : memref<4x?xf32> to tensor<4x?xf32>
  %2 = bufferization.to_tensor %m writable : memref<4x?xf32> to tensor<4x?xf32>
  %3 = bufferization.to_tensor %m restrict writable {note} : memref<4x?xf32> to tensor<4x?xf32>
  func.return
}

// CHECK-LABEL: func.func @types(%m: memref<4xf32, strided<[?], offset: ?>, 1 : i64>, %u: memref<*xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_tensor %m : memref<4xf32, strided<[?], offset: ?>, 1 : i64> to tensor<4xf32, "compressed">
// CHECK-NEXT:    %1 = bufferization.to_tensor %u restrict : memref<*xf32> to tensor<*xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "types", function_type = (memref<4xf32, strided<[?], offset: ?>, 1 : i64>, memref<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%m: memref<4xf32, strided<[?], offset: ?>, 1 : i64>, %u: memref<*xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.to_tensor"(%m) : (memref<4xf32, strided<[?], offset: ?>, 1 : i64>) -> tensor<4xf32, "compressed">
// CHECK-GENERIC-NEXT:    %1 = "bufferization.to_tensor"(%u) <{restrict}> : (memref<*xf32>) -> tensor<*xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @types(%m: memref<4xf32, strided<[?], offset: ?>, 1 : i64>, %u: memref<*xf32>) {
  %0 = bufferization.to_tensor %m : memref<4xf32, strided<[?], offset: ?>, 1 : i64> to tensor<4xf32, "compressed">
  %1 = bufferization.to_tensor %u {restrict} : memref<*xf32> to tensor<*xf32>
  func.return
}
