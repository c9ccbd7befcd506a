// RUN: xdsl-opt %s -p canonicalize,bufferization-bufferize --verify-diagnostics --parsing-diagnostics --split-input-file | filecheck %s

%f, %g = "test.op"() : () -> (tensor<4xvector<2xf32>>, tensor<4xvector<2xf32>>)
%0 = arith.cmpf une, %f, %g : tensor<4xvector<2xf32>>
// CHECK: cannot compare tensor<4xvector<2xf32>>, whose elements are vectors

// -----

%i, %j = "test.op"() : () -> (tensor<4xvector<2xi32>>, tensor<4xvector<2xi32>>)
%0 = "arith.cmpi"(%i, %j) <{predicate = 0 : i64}> : (tensor<4xvector<2xi32>>, tensor<4xvector<2xi32>>) -> tensor<4xi1>
// CHECK: cannot compare tensor<4xvector<2xi32>>, whose elements are vectors
