// RUN: xdsl-opt %s -p bufferization-lower-deallocations | filecheck %s

// CHECK-LABEL: func.func @unranked(%m: memref<*xf32>, %c: i1, %r: memref<*xf32, 1 : i64>) -> i1 {
// CHECK-NEXT:    %0 = "memref.extract_aligned_pointer_as_index"(%m) : (memref<*xf32>) -> index
// CHECK-NEXT:    %1 = "memref.extract_aligned_pointer_as_index"(%r) : (memref<*xf32, 1 : i64>) -> index
// CHECK-NEXT:    %2 = arith.cmpi ne, %0, %1 : index
// CHECK-NEXT:    %3 = arith.andi %2, %c : i1
// CHECK-NEXT:    scf.if %3 {
// CHECK-NEXT:      memref.dealloc %m : memref<*xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %4 = arith.constant true
// CHECK-NEXT:    %5 = arith.xori %2, %4 : i1
// CHECK-NEXT:    %o = arith.andi %5, %c : i1
// CHECK-NEXT:    func.return %o : i1
func.func @unranked(%m: memref<*xf32>, %c: i1, %r: memref<*xf32, 1>) -> i1 {
  %o = bufferization.dealloc (%m : memref<*xf32>) if (%c) retain (%r : memref<*xf32, 1>)
  func.return %o : i1
}
