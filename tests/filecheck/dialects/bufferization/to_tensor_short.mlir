// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// The form without the result type, which follows from the memref's. mlir-opt 22 has it no
// more.
// CHECK-LABEL: func.func @short(%m: memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>, %u: memref<*xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_tensor %m : memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64> to tensor<4x?xf32>
// CHECK-NEXT:    %1 = bufferization.to_tensor %m restrict writable {note} : memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64> to tensor<4x?xf32>
// CHECK-NEXT:    %2 = bufferization.to_tensor %u writable : memref<*xf32> to tensor<*xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "short", function_type = (memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>, memref<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%m: memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>, %u: memref<*xf32>):
// CHECK-GENERIC-NEXT:    %0 = "bufferization.to_tensor"(%m) : (memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>) -> tensor<4x?xf32>
// CHECK-GENERIC-NEXT:    %1 = "bufferization.to_tensor"(%m) <{restrict, writable}> {note} : (memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>) -> tensor<4x?xf32>
// CHECK-GENERIC-NEXT:    %2 = "bufferization.to_tensor"(%u) <{writable}> : (memref<*xf32>) -> tensor<*xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @short(%m: memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>, %u: memref<*xf32>) {
  %0 = bufferization.to_tensor %m : memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>
  %1 = bufferization.to_tensor %m restrict writable {note} : memref<4x?xf32, strided<[?, 1], offset: ?>, 1 : i64>
  %2 = bufferization.to_tensor %u writable : memref<*xf32>
  func.return
}
