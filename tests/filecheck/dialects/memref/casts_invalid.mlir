// RUN: xdsl-opt %s --verify-diagnostics --parsing-diagnostics --split-input-file | filecheck %s

%u = "test.op"() : () -> memref<*xf32>
%0 = memref.reinterpret_cast %u to offset: [0], sizes: [4], strides: [1] : memref<*xf32> to memref<4xi32>
// CHECK: source and result differ in their element type: memref<*xf32> and memref<4xi32>

// -----

%u = "test.op"() : () -> memref<*xf32, 1>
%0 = memref.reinterpret_cast %u to offset: [0], sizes: [4], strides: [1] : memref<*xf32, 1> to memref<4xf32>
// CHECK: source and result differ in memory space: memref<*xf32, 1 : i64> and memref<4xf32>

// -----

%u, %n = "test.op"() : () -> (memref<*xf32>, index)
%0 = memref.reinterpret_cast %u to offset: [%n], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32>
// CHECK: expected a result with offset dynamic instead of 0

// -----

%m = "test.op"() : () -> memref<?xf32>
%0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<?xf32> to memref<5xf32>
// CHECK: expected a result with size 4 instead of 5

// -----

%m = "test.op"() : () -> memref<?xf32>
%0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [2] : memref<?xf32> to memref<4xf32>
// CHECK: expected a result with stride 2 instead of 1

// -----

%m = "test.op"() : () -> memref<?xf32>
%0 = memref.reinterpret_cast %m to offset: [0], sizes: [4], strides: [1] : memref<?xf32> to memref<2x2xf32>
// CHECK: expected 2 size values, but got 1

// -----

%m = "test.op"() : () -> memref<4xf32>
%0 = memref.memory_space_cast %m : memref<4xf32> to memref<*xf32, 1>
// CHECK: source and result differ in more than their memory space: memref<4xf32> and memref<*xf32, 1 : i64>

// -----

%m = "test.op"() : () -> memref<4xf32>
%0 = memref.memory_space_cast %m : memref<4xf32> to memref<4xf32, strided<[1]>, 1>
// CHECK: source and result differ in more than their memory space: memref<4xf32> and memref<4xf32, strided<[1]>, 1 : i64>
