// RUN: XDSL_ROUNDTRIP

// CHECK-LABEL: func.func @reshape(%m: memref<?xf32>, %u: memref<*xf32>, %s: memref<2xi32>, %d: memref<?xindex>) {
// CHECK-NEXT:    %0 = "memref.reshape"(%m, %s) : (memref<?xf32>, memref<2xi32>) -> memref<?x4xf32>
// CHECK-NEXT:    %1 = "memref.reshape"(%m, %d) : (memref<?xf32>, memref<?xindex>) -> memref<*xf32>
// CHECK-NEXT:    %2 = "memref.reshape"(%u, %s) {note} : (memref<*xf32>, memref<2xi32>) -> memref<2x2xf32>
// CHECK-NEXT:    func.return
func.func @reshape(%m: memref<?xf32>, %u: memref<*xf32>, %s: memref<2xi32>, %d: memref<?xindex>) {
  %0 = memref.reshape %m(%s) : (memref<?xf32>, memref<2xi32>) -> memref<?x4xf32>
  %1 = memref.reshape %m(%d) : (memref<?xf32>, memref<?xindex>) -> memref<*xf32>
  %2 = memref.reshape %u(%s) {note} : (memref<*xf32>, memref<2xi32>) -> memref<2x2xf32>
  func.return
}
