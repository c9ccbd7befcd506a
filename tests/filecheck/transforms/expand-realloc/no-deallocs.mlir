// RUN: xdsl-opt %s -p 'expand-realloc{emit-deallocs=false}' | filecheck %s

// The old buffer is left to a pass that frees buffers.

// CHECK-LABEL: func.func @dynamic(%m: memref<?xf32>, %size: index) -> memref<?xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?xf32>
// CHECK-NEXT:    %2 = arith.cmpi ult, %1, %size : index
// CHECK-NEXT:    %r = scf.if %2 -> (memref<?xf32>) {
// CHECK-NEXT:      %3 = memref.alloc(%size) : memref<?xf32>
// CHECK-NEXT:      %4 = memref.subview %3[0] [%1] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:      "memref.copy"(%m, %4) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:      scf.yield %3 : memref<?xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %5 = memref.reinterpret_cast %m to offset: [0], sizes: [%size], strides: [1] : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:      scf.yield %5 : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @dynamic(%m: memref<?xf32>, %size: index) -> memref<?xf32> {
  %r = memref.realloc %m(%size) : memref<?xf32> to memref<?xf32>
  func.return %r : memref<?xf32>
}

// CHECK-LABEL: func.func @static(%m: memref<4xf32>) -> memref<8xf32> {
// CHECK-NEXT:    %r = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    %0 = memref.subview %r[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4xf32>, memref<4xf32, strided<[1]>>) -> ()
// CHECK-NEXT:    func.return %r : memref<8xf32>
func.func @static(%m: memref<4xf32>) -> memref<8xf32> {
  %r = memref.realloc %m : memref<4xf32> to memref<8xf32>
  func.return %r : memref<8xf32>
}
