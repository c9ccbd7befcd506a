// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// CHECK-LABEL: func.func @rank(%m: memref<4x?xf32>, %u: memref<*xf32>) {
// CHECK-NEXT:    %0 = "memref.rank"(%m) : (memref<4x?xf32>) -> index
// CHECK-NEXT:    %1 = "memref.rank"(%u) : (memref<*xf32>) -> index
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "rank", function_type = (memref<4x?xf32>, memref<*xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%m: memref<4x?xf32>, %u: memref<*xf32>):
// CHECK-GENERIC-NEXT:    %0 = "memref.rank"(%m) : (memref<4x?xf32>) -> index
// CHECK-GENERIC-NEXT:    %1 = "memref.rank"(%u) : (memref<*xf32>) -> index
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @rank(%m: memref<4x?xf32>, %u: memref<*xf32>) {
  %0 = "memref.rank"(%m) : (memref<4x?xf32>) -> index
  %1 = "memref.rank"(%u) : (memref<*xf32>) -> index
  func.return
}
