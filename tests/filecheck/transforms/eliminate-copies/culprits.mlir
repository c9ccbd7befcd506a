// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p bufferize | filecheck %s --check-prefix=BUFFERS

// Computed in %u, which nobody else needs, %v would be copied to %h. So this is left out, and no
// other change: %v is computed in its part of %h, and the counter in its iteration argument.
// CHECK-LABEL: func.func @insertion
// CHECK:             %[[P:[0-9]+]] = tensor.extract_slice %h[1] [4] [1]
// CHECK:             linalg.mul ins(%s, %u : {{.*}}) outs(%[[P]] :
// CHECK:             linalg.add ins(%i, %one : {{.*}}) outs(%i :
// BUFFERS-LABEL: func.func @insertion
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield
func.func @insertion(%h0: tensor<6xf32>, %i0: tensor<i32>, %one: tensor<i32>, %n: index) -> (tensor<6xf32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %q = scf.for %k = %c0 to %n step %c1 iter_args(%h = %h0, %i = %i0) -> (tensor<6xf32>, tensor<i32>) {
    %s = tensor.extract_slice %h[1] [4] [1] : tensor<6xf32> to tensor<4xf32>
    %d = tensor.empty() : tensor<4xf32>
    %u = linalg.exp ins(%s : tensor<4xf32>) outs(%d : tensor<4xf32>) -> tensor<4xf32>
    %e = tensor.empty() : tensor<4xf32>
    %v = linalg.mul ins(%s, %u : tensor<4xf32>, tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
    %m = tensor.insert_slice %v into %h[1] [4] [1] : tensor<4xf32> into tensor<6xf32>
    %f = tensor.empty() : tensor<i32>
    %j = linalg.add ins(%i, %one : tensor<i32>, tensor<i32>) outs(%f : tensor<i32>) -> tensor<i32>
    scf.yield %m, %j : tensor<6xf32>, tensor<i32>
  }
  func.return %r, %q : tensor<6xf32>, tensor<i32>
}
