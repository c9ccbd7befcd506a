// RUN: xdsl-opt %s -p convert-bufferization-to-memref | filecheck %s

// CHECK-LABEL: func.func @unranked(%m: memref<*xf32>) -> memref<*xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = arith.constant 1 : index
// CHECK-NEXT:    %2 = "memref.rank"(%m) : (memref<*xf32>) -> index
// CHECK-NEXT:    %3 = memref.alloca(%2) : memref<?xindex>
// CHECK-NEXT:    %4 = scf.for %5 = %0 to %2 step %1 iter_args(%6 = %1) -> (index) {
// CHECK-NEXT:      %7 = memref.dim %m, %5 : memref<*xf32>
// CHECK-NEXT:      memref.store %7, %3[%5] : memref<?xindex>
// CHECK-NEXT:      %8 = arith.muli %6, %7 : index
// CHECK-NEXT:      scf.yield %8 : index
// CHECK-NEXT:    }
// CHECK-NEXT:    %9 = memref.alloc(%4) : memref<?xf32>
// CHECK-NEXT:    %c = "memref.reshape"(%9, %3) : (memref<?xf32>, memref<?xindex>) -> memref<*xf32>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<*xf32>, memref<*xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<*xf32>
func.func @unranked(%m: memref<*xf32>) -> memref<*xf32> {
  %c = bufferization.clone %m : memref<*xf32> to memref<*xf32>
  func.return %c : memref<*xf32>
}

// CHECK-LABEL: func.func @memory_space(%m: memref<*xf32, 1 : i64>) -> memref<*xf32, 1 : i64> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = arith.constant 1 : index
// CHECK-NEXT:    %2 = "memref.rank"(%m) : (memref<*xf32, 1 : i64>) -> index
// CHECK-NEXT:    %3 = memref.alloca(%2) : memref<?xindex>
// CHECK-NEXT:    %4 = scf.for %5 = %0 to %2 step %1 iter_args(%6 = %1) -> (index) {
// CHECK-NEXT:      %7 = memref.dim %m, %5 : memref<*xf32, 1 : i64>
// CHECK-NEXT:      memref.store %7, %3[%5] : memref<?xindex>
// CHECK-NEXT:      %8 = arith.muli %6, %7 : index
// CHECK-NEXT:      scf.yield %8 : index
// CHECK-NEXT:    }
// CHECK-NEXT:    %9 = memref.alloc(%4) : memref<?xf32, 1 : i64>
// CHECK-NEXT:    %c = "memref.reshape"(%9, %3) : (memref<?xf32, 1 : i64>, memref<?xindex>) -> memref<*xf32, 1 : i64>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<*xf32, 1 : i64>, memref<*xf32, 1 : i64>) -> ()
// CHECK-NEXT:    func.return %c : memref<*xf32, 1 : i64>
func.func @memory_space(%m: memref<*xf32, 1>) -> memref<*xf32, 1> {
  %c = bufferization.clone %m : memref<*xf32, 1> to memref<*xf32, 1>
  func.return %c : memref<*xf32, 1>
}
