// RUN: xdsl-opt %s --verify-diagnostics --parsing-diagnostics --split-input-file | filecheck %s

%m = "test.op"() : () -> memref<4xf32>
%0 = memref.realloc %m : memref<4xf32> to memref<?xf32>
// CHECK: needs a size if, and only if, the result memref<?xf32> has a dynamic one

// -----

%m, %n = "test.op"() : () -> (memref<4xf32>, index)
%0 = memref.realloc %m(%n) : memref<4xf32> to memref<8xf32>
// CHECK: needs a size if, and only if, the result memref<8xf32> has a dynamic one

// -----

%m = "test.op"() : () -> memref<4x4xf32>
%0 = memref.realloc %m : memref<4x4xf32> to memref<8xf32>
// CHECK: the source memref<4x4xf32> must have one dimension and no layout

// -----

%m = "test.op"() : () -> memref<4xf32>
%0 = memref.realloc %m : memref<4xf32> to memref<f32>
// CHECK: the result memref<f32> must have one dimension and no layout

// -----

%m = "test.op"() : () -> memref<4xf32, strided<[2]>>
%0 = memref.realloc %m : memref<4xf32, strided<[2]>> to memref<8xf32>
// CHECK: the source memref<4xf32, strided<[2]>> must have one dimension and no layout

// -----

%m = "test.op"() : () -> memref<4xf32>
%0 = memref.realloc %m : memref<4xf32> to memref<8xf32, strided<[1], offset: 1>>
// CHECK: the result memref<8xf32, strided<[1], offset: 1>> must have one dimension and no layout

// -----

%m = "test.op"() : () -> memref<4xf32>
%0 = memref.realloc %m : memref<4xf32> to memref<8xi32>
// CHECK: source and result differ in their element type: memref<4xf32> and memref<8xi32>

// -----

%m = "test.op"() : () -> memref<4xf32, 1>
%0 = memref.realloc %m : memref<4xf32, 1> to memref<8xf32>
// CHECK: source and result differ in memory space: memref<4xf32, 1 : i64> and memref<8xf32>

// -----

%m = "test.op"() : () -> memref<*xf32>
%0 = memref.realloc %m : memref<*xf32> to memref<8xf32>
// CHECK: memref<*xf32> should be of base attribute memref

// -----

%m = "test.op"() : () -> memref<4xf32>
%0 = memref.realloc %m {alignment = 3 : i64} : memref<4xf32> to memref<8xf32>
// CHECK: the alignment 3 is no power of two
