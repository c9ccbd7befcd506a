// RUN: xdsl-opt %s --verify-diagnostics --parsing-diagnostics --split-input-file | filecheck %s

%m, %s = "test.op"() : () -> (memref<4xf32>, memref<?xi32>)
%0 = memref.reshape %m(%s) : (memref<4xf32>, memref<?xi32>) -> memref<?xf32>
// CHECK: a shape of unknown length does not give a result of known rank

// -----

%m, %s = "test.op"() : () -> (memref<4xf32>, memref<2xi32>)
%0 = memref.reshape %m(%s) : (memref<4xf32>, memref<2xi32>) -> memref<?xf32>
// CHECK: the shape has 2 elements, but the result has rank 1

// -----

%m, %s = "test.op"() : () -> (memref<4xf32>, memref<1xi32>)
%0 = memref.reshape %m(%s) : (memref<4xf32>, memref<1xi32>) -> memref<?xi32>
// CHECK: source and result differ in their element type: memref<4xf32> and memref<?xi32>

// -----

%m, %s = "test.op"() : () -> (memref<4xf32>, memref<1xi32>)
%0 = memref.reshape %m(%s) : (memref<4xf32>, memref<1xi32>) -> memref<?xf32, strided<[2]>>
// CHECK: the result memref<?xf32, strided<[2]>> must not have a layout

// -----

%m, %s = "test.op"() : () -> (memref<4xf32, strided<[2]>>, memref<1xi32>)
%0 = memref.reshape %m(%s) : (memref<4xf32, strided<[2]>>, memref<1xi32>) -> memref<?xf32>
// CHECK: the source memref<4xf32, strided<[2]>> must not have a layout

// -----

%m, %s = "test.op"() : () -> (memref<4xf32>, memref<1x1xi32>)
%0 = memref.reshape %m(%s) : (memref<4xf32>, memref<1x1xi32>) -> memref<?xf32>
// CHECK: the shape memref<1x1xi32> must have rank 1

// -----

"memref.global"() <{sym_name = "g", type = memref<4xf32>, sym_visibility = "secret"}> : () -> ()
// CHECK: the visibility of a symbol is one of public, private, nested, not "secret"
