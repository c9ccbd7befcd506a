// RUN: xdsl-opt %s -p convert-bufferization-to-memref | filecheck %s

// A layout that is not the one of a new buffer is given to a part of one that is large enough.

// CHECK-LABEL: func.func @gaps(%m: memref<4x4xf32, strided<[8, 1]>>) -> memref<4x4xf32, strided<[8, 1]>> {
// CHECK-NEXT:      %0 = memref.alloc() : memref<28xf32>
// CHECK-NEXT:      %c = memref.reinterpret_cast %0 to offset: [0], sizes: [4, 4], strides: [8, 1] : memref<28xf32> to memref<4x4xf32, strided<[8, 1]>>
// CHECK-NEXT:      "memref.copy"(%m, %c) : (memref<4x4xf32, strided<[8, 1]>>, memref<4x4xf32, strided<[8, 1]>>) -> ()
// CHECK-NEXT:      func.return %c : memref<4x4xf32, strided<[8, 1]>>
func.func @gaps(%m: memref<4x4xf32, strided<[8, 1]>>) -> memref<4x4xf32, strided<[8, 1]>> {
  %c = bufferization.clone %m : memref<4x4xf32, strided<[8, 1]>> to memref<4x4xf32, strided<[8, 1]>>
  func.return %c : memref<4x4xf32, strided<[8, 1]>>
}

// CHECK-LABEL: func.func @offset(%m: memref<?xf32, strided<[1], offset: 3>>) -> memref<4xf32, strided<[1], offset: 3>> {
// CHECK-NEXT:      %0 = "memref.cast"(%m) : (memref<?xf32, strided<[1], offset: 3>>) -> memref<4xf32, strided<[1], offset: 3>>
// CHECK-NEXT:      %1 = memref.alloc() : memref<7xf32>
// CHECK-NEXT:      %c = memref.reinterpret_cast %1 to offset: [3], sizes: [4], strides: [1] : memref<7xf32> to memref<4xf32, strided<[1], offset: 3>>
// CHECK-NEXT:      "memref.copy"(%0, %c) : (memref<4xf32, strided<[1], offset: 3>>, memref<4xf32, strided<[1], offset: 3>>) -> ()
// CHECK-NEXT:      func.return %c : memref<4xf32, strided<[1], offset: 3>>
func.func @offset(%m: memref<?xf32, strided<[1], offset: 3>>) -> memref<4xf32, strided<[1], offset: 3>> {
  %c = bufferization.clone %m : memref<?xf32, strided<[1], offset: 3>> to memref<4xf32, strided<[1], offset: 3>>
  func.return %c : memref<4xf32, strided<[1], offset: 3>>
}

// CHECK-LABEL: func.func @backwards(%m: memref<4xf32, strided<[-1], offset: 3>>) -> memref<4xf32, strided<[-1], offset: 3>> {
// CHECK-NEXT:      %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %c = memref.reinterpret_cast %0 to offset: [3], sizes: [4], strides: [-1] : memref<4xf32> to memref<4xf32, strided<[-1], offset: 3>>
// CHECK-NEXT:      "memref.copy"(%m, %c) : (memref<4xf32, strided<[-1], offset: 3>>, memref<4xf32, strided<[-1], offset: 3>>) -> ()
// CHECK-NEXT:      func.return %c : memref<4xf32, strided<[-1], offset: 3>>
func.func @backwards(%m: memref<4xf32, strided<[-1], offset: 3>>) -> memref<4xf32, strided<[-1], offset: 3>> {
  %c = bufferization.clone %m : memref<4xf32, strided<[-1], offset: 3>> to memref<4xf32, strided<[-1], offset: 3>>
  func.return %c : memref<4xf32, strided<[-1], offset: 3>>
}

// CHECK-LABEL: func.func @nothing(%m: memref<0xf32, strided<[2], offset: 3>>) -> memref<0xf32, strided<[2], offset: 3>> {
// CHECK-NEXT:      %0 = memref.alloc() : memref<3xf32>
// CHECK-NEXT:      %c = memref.reinterpret_cast %0 to offset: [3], sizes: [0], strides: [2] : memref<3xf32> to memref<0xf32, strided<[2], offset: 3>>
// CHECK-NEXT:      "memref.copy"(%m, %c) : (memref<0xf32, strided<[2], offset: 3>>, memref<0xf32, strided<[2], offset: 3>>) -> ()
// CHECK-NEXT:      func.return %c : memref<0xf32, strided<[2], offset: 3>>
func.func @nothing(%m: memref<0xf32, strided<[2], offset: 3>>) -> memref<0xf32, strided<[2], offset: 3>> {
  %c = bufferization.clone %m : memref<0xf32, strided<[2], offset: 3>> to memref<0xf32, strided<[2], offset: 3>>
  func.return %c : memref<0xf32, strided<[2], offset: 3>>
}
