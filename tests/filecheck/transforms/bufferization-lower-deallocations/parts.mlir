// RUN: xdsl-opt %s -p bufferization-lower-deallocations --split-input-file | filecheck %s

// A part of a buffer, with a type that does not tell: the whole is freed. What was allocated
// here is whole.
// CHECK-LABEL: func.func @cast(%c: i1) {
// CHECK:         scf.if %c {
// CHECK-NEXT:      %0, %1, %2, %3 = memref.extract_strided_metadata %r : memref<4xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:      memref.dealloc %0 : memref<f32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.dealloc %n : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @cast(%c: i1) {
  %r = scf.if %c -> (memref<4xf32>) {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  } else {
    %b = memref.alloc() : memref<8xf32>
    %s = memref.subview %b[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
    %k = "memref.cast"(%s) : (memref<4xf32, strided<[1]>>) -> memref<4xf32>
    scf.yield %k : memref<4xf32>
  }
  bufferization.dealloc (%r : memref<4xf32>) if (%c)
  %n = memref.alloc() : memref<4xf32>
  bufferization.dealloc (%n : memref<4xf32>) if (%c)
  func.return
}

// -----

// Views that have all elements hide nothing.
// CHECK-LABEL: func.func @whole(%c: i1, %m: memref<2x4xf32>) {
// CHECK-NEXT:    %v = memref.collapse_shape %m
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.dealloc %v : memref<8xf32>
func.func @whole(%c: i1, %m: memref<2x4xf32>) {
  %v = memref.collapse_shape %m [[0 : i64, 1 : i64]] : memref<2x4xf32> into memref<8xf32>
  bufferization.dealloc (%v : memref<8xf32>) if (%c)
  func.return
}
