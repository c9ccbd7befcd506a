// RUN: xdsl-opt %s -p expand-realloc | filecheck %s

// CHECK-LABEL: func.func @dynamic_to_dynamic(%m: memref<?xf32>, %size: index) -> memref<?xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?xf32>
// CHECK-NEXT:    %2 = arith.cmpi ult, %1, %size : index
// CHECK-NEXT:    %r = scf.if %2 -> (memref<?xf32>) {
// CHECK-NEXT:      %3 = memref.alloc(%size) : memref<?xf32>
// CHECK-NEXT:      %4 = memref.subview %3[0] [%1] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:      "memref.copy"(%m, %4) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:      memref.dealloc %m : memref<?xf32>
// CHECK-NEXT:      scf.yield %3 : memref<?xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %5 = memref.reinterpret_cast %m to offset: [0], sizes: [%size], strides: [1] : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:      scf.yield %5 : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @dynamic_to_dynamic(%m: memref<?xf32>, %size: index) -> memref<?xf32> {
  %r = memref.realloc %m(%size) : memref<?xf32> to memref<?xf32>
  func.return %r : memref<?xf32>
}

// CHECK-LABEL: func.func @static_to_dynamic(%m: memref<4xf32>, %size: index) -> memref<?xf32> {
// CHECK-NEXT:    %0 = arith.constant 4 : index
// CHECK-NEXT:    %1 = arith.cmpi ult, %0, %size : index
// CHECK-NEXT:    %r = scf.if %1 -> (memref<?xf32>) {
// CHECK-NEXT:      %2 = memref.alloc(%size) : memref<?xf32>
// CHECK-NEXT:      %3 = memref.subview %2[0] [4] [1] : memref<?xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:      "memref.copy"(%m, %3) : (memref<4xf32>, memref<4xf32, strided<[1]>>) -> ()
// CHECK-NEXT:      memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:      scf.yield %2 : memref<?xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %4 = memref.reinterpret_cast %m to offset: [0], sizes: [%size], strides: [1] : memref<4xf32> to memref<?xf32>
// CHECK-NEXT:      scf.yield %4 : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @static_to_dynamic(%m: memref<4xf32>, %size: index) -> memref<?xf32> {
  %r = memref.realloc %m(%size) : memref<4xf32> to memref<?xf32>
  func.return %r : memref<?xf32>
}

// CHECK-LABEL: func.func @dynamic_to_static(%m: memref<?xf32>) -> memref<8xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?xf32>
// CHECK-NEXT:    %2 = arith.constant 8 : index
// CHECK-NEXT:    %3 = arith.cmpi ult, %1, %2 : index
// CHECK-NEXT:    %r = scf.if %3 -> (memref<8xf32>) {
// CHECK-NEXT:      %4 = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %5 = memref.subview %4[0] [%1] [1] : memref<8xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:      "memref.copy"(%m, %5) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:      memref.dealloc %m : memref<?xf32>
// CHECK-NEXT:      scf.yield %4 : memref<8xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %6 = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<?xf32> to memref<8xf32>
// CHECK-NEXT:      scf.yield %6 : memref<8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<8xf32>
func.func @dynamic_to_static(%m: memref<?xf32>) -> memref<8xf32> {
  %r = memref.realloc %m : memref<?xf32> to memref<8xf32>
  func.return %r : memref<8xf32>
}

// Nothing is compared where both sizes are known.
// CHECK-LABEL: func.func @static_grows(%m: memref<4xf32>) -> memref<8xf32> {
// CHECK-NEXT:    %r = memref.alloc() : memref<8xf32>
// CHECK-NEXT:    %0 = memref.subview %r[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4xf32>, memref<4xf32, strided<[1]>>) -> ()
// CHECK-NEXT:    memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:    func.return %r : memref<8xf32>
func.func @static_grows(%m: memref<4xf32>) -> memref<8xf32> {
  %r = memref.realloc %m : memref<4xf32> to memref<8xf32>
  func.return %r : memref<8xf32>
}

// CHECK-LABEL: func.func @static_shrinks(%m: memref<8xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %r = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<8xf32> to memref<4xf32>
// CHECK-NEXT:    func.return %r : memref<4xf32>
func.func @static_shrinks(%m: memref<8xf32>) -> memref<4xf32> {
  %r = memref.realloc %m : memref<8xf32> to memref<4xf32>
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func @static_stays(%m: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:    %r = memref.reinterpret_cast %m to offset: [0], sizes: [8], strides: [1] : memref<8xf32> to memref<8xf32>
// CHECK-NEXT:    func.return %r : memref<8xf32>
func.func @static_stays(%m: memref<8xf32>) -> memref<8xf32> {
  %r = memref.realloc %m : memref<8xf32> to memref<8xf32>
  func.return %r : memref<8xf32>
}

// No buffer is smaller than that.
// CHECK-LABEL: func.func @to_nothing(%m: memref<?xf32>) -> memref<0xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?xf32>
// CHECK-NEXT:    %r = memref.reinterpret_cast %m to offset: [0], sizes: [0], strides: [1] : memref<?xf32> to memref<0xf32>
// CHECK-NEXT:    func.return %r : memref<0xf32>
func.func @to_nothing(%m: memref<?xf32>) -> memref<0xf32> {
  %r = memref.realloc %m : memref<?xf32> to memref<0xf32>
  func.return %r : memref<0xf32>
}

// CHECK-LABEL: func.func @alignment_and_memory_space(%m: memref<?xf32, 1 : i64>, %size: index) -> memref<?xf32, 1 : i64> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?xf32, 1 : i64>
// CHECK-NEXT:    %2 = arith.cmpi ult, %1, %size : index
// CHECK-NEXT:    %r = scf.if %2 -> (memref<?xf32, 1 : i64>) {
// CHECK-NEXT:      %3 = memref.alloc(%size) {alignment = 64 : i64} : memref<?xf32, 1 : i64>
// CHECK-NEXT:      %4 = memref.subview %3[0] [%1] [1] : memref<?xf32, 1 : i64> to memref<?xf32, strided<[1]>, 1 : i64>
// CHECK-NEXT:      "memref.copy"(%m, %4) : (memref<?xf32, 1 : i64>, memref<?xf32, strided<[1]>, 1 : i64>) -> ()
// CHECK-NEXT:      memref.dealloc %m : memref<?xf32, 1 : i64>
// CHECK-NEXT:      scf.yield %3 : memref<?xf32, 1 : i64>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %5 = memref.reinterpret_cast %m to offset: [0], sizes: [%size], strides: [1] : memref<?xf32, 1 : i64> to memref<?xf32, 1 : i64>
// CHECK-NEXT:      scf.yield %5 : memref<?xf32, 1 : i64>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xf32, 1 : i64>
func.func @alignment_and_memory_space(%m: memref<?xf32, 1>, %size: index) -> memref<?xf32, 1> {
  %r = memref.realloc %m(%size) {alignment = 64} : memref<?xf32, 1> to memref<?xf32, 1>
  func.return %r : memref<?xf32, 1>
}

// A layout that says no more than none.
// CHECK-LABEL: func.func @layout(%m: memref<?xf32, strided<[1]>>, %size: index) -> memref<?xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?xf32, strided<[1]>>
// CHECK-NEXT:    %2 = arith.cmpi ult, %1, %size : index
// CHECK-NEXT:    %r = scf.if %2 -> (memref<?xf32>) {
// CHECK-NEXT:      %3 = memref.alloc(%size) : memref<?xf32>
// CHECK-NEXT:      %4 = memref.subview %3[0] [%1] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:      "memref.copy"(%m, %4) : (memref<?xf32, strided<[1]>>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:      memref.dealloc %m : memref<?xf32, strided<[1]>>
// CHECK-NEXT:      scf.yield %3 : memref<?xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %5 = memref.reinterpret_cast %m to offset: [0], sizes: [%size], strides: [1] : memref<?xf32, strided<[1]>> to memref<?xf32>
// CHECK-NEXT:      scf.yield %5 : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @layout(%m: memref<?xf32, strided<[1]>>, %size: index) -> memref<?xf32> {
  %r = memref.realloc %m(%size) : memref<?xf32, strided<[1]>> to memref<?xf32>
  func.return %r : memref<?xf32>
}

// CHECK-LABEL: func.func @twice_in_a_loop(%m: memref<?xf32>, %sizes: memref<?xindex>, %lb: index, %ub: index, %step: index) -> memref<?xf32> {
// CHECK-NEXT:    %r = scf.for %i = %lb to %ub step %step iter_args(%buffer = %m) -> (memref<?xf32>) {
// CHECK-NEXT:      %size = memref.load %sizes[%i] : memref<?xindex>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = memref.dim %buffer, %0 : memref<?xf32>
// CHECK-NEXT:      %2 = arith.cmpi ult, %1, %size : index
// CHECK-NEXT:      %larger = scf.if %2 -> (memref<?xf32>) {
// CHECK-NEXT:        %3 = memref.alloc(%size) : memref<?xf32>
// CHECK-NEXT:        %4 = memref.subview %3[0] [%1] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:        "memref.copy"(%buffer, %4) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:        memref.dealloc %buffer : memref<?xf32>
// CHECK-NEXT:        scf.yield %3 : memref<?xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %5 = memref.reinterpret_cast %buffer to offset: [0], sizes: [%size], strides: [1] : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:        scf.yield %5 : memref<?xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %6 = arith.constant 0 : index
// CHECK-NEXT:      %7 = memref.dim %larger, %6 : memref<?xf32>
// CHECK-NEXT:      %8 = arith.constant 8 : index
// CHECK-NEXT:      %9 = arith.cmpi ult, %7, %8 : index
// CHECK-NEXT:      %largest = scf.if %9 -> (memref<8xf32>) {
// CHECK-NEXT:        %10 = memref.alloc() : memref<8xf32>
// CHECK-NEXT:        %11 = memref.subview %10[0] [%7] [1] : memref<8xf32> to memref<?xf32, strided<[1]>>
// CHECK-NEXT:        "memref.copy"(%larger, %11) : (memref<?xf32>, memref<?xf32, strided<[1]>>) -> ()
// CHECK-NEXT:        memref.dealloc %larger : memref<?xf32>
// CHECK-NEXT:        scf.yield %10 : memref<8xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %12 = memref.reinterpret_cast %larger to offset: [0], sizes: [8], strides: [1] : memref<?xf32> to memref<8xf32>
// CHECK-NEXT:        scf.yield %12 : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %cast = "memref.cast"(%largest) : (memref<8xf32>) -> memref<?xf32>
// CHECK-NEXT:      scf.yield %cast : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @twice_in_a_loop(%m: memref<?xf32>, %sizes: memref<?xindex>, %lb: index, %ub: index, %step: index) -> memref<?xf32> {
  %r = scf.for %i = %lb to %ub step %step iter_args(%buffer = %m) -> (memref<?xf32>) {
    %size = memref.load %sizes[%i] : memref<?xindex>
    %larger = memref.realloc %buffer(%size) : memref<?xf32> to memref<?xf32>
    %largest = memref.realloc %larger : memref<?xf32> to memref<8xf32>
    %cast = "memref.cast"(%largest) : (memref<8xf32>) -> memref<?xf32>
    scf.yield %cast : memref<?xf32>
  }
  func.return %r : memref<?xf32>
}
