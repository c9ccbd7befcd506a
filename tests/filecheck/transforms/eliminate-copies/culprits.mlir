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

// No operand is out of place, but the insertion copies %new, which is computed in %d. Nothing but
// that is left out: all inputs before are overwritten, and the counter is, too.
// CHECK-LABEL: func.func @heat
// CHECK:             %j = linalg.add ins(%i, %i : {{.*}}) outs(%i :
// CHECK:             %lap = linalg.sub ins(%sum, %m4 : {{.*}}) outs(%sum :
// CHECK:             %d = linalg.mul ins(%lap, %a : {{.*}}) outs(%lap :
// CHECK:             %[[P:[0-9]+]] = tensor.extract_slice %u[1, 1] [4, 4] [1, 1]
// CHECK:             %new = linalg.add ins(%mid, %d : {{.*}}) outs(%[[P]] :
// BUFFERS-LABEL: func.func @heat
// BUFFERS:         scf.for
// BUFFERS-NOT:     memref.copy
// BUFFERS:         scf.yield
func.func @heat(%u0: tensor<6x6xf32>, %i0: tensor<i32>, %alpha: tensor<f32> {bufferization.writable = false}, %n: index) -> (tensor<6x6xf32>, tensor<i32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r, %q = scf.for %k = %c0 to %n step %c1 iter_args(%u = %u0, %i = %i0) -> (tensor<6x6xf32>, tensor<i32>) {
    %e = tensor.empty() : tensor<i32>
    %j = linalg.add ins(%i, %i : tensor<i32>, tensor<i32>) outs(%e : tensor<i32>) -> tensor<i32>
    %up = tensor.extract_slice %u[0, 1] [4, 4] [1, 1] : tensor<6x6xf32> to tensor<4x4xf32>
    %down = tensor.extract_slice %u[2, 1] [4, 4] [1, 1] : tensor<6x6xf32> to tensor<4x4xf32>
    %e0 = tensor.empty() : tensor<4x4xf32>
    %sum = linalg.add ins(%up, %down : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e0 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %mid = tensor.extract_slice %u[1, 1] [4, 4] [1, 1] : tensor<6x6xf32> to tensor<4x4xf32>
    %e1 = tensor.empty() : tensor<4x4xf32>
    %m4 = linalg.exp ins(%mid : tensor<4x4xf32>) outs(%e1 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %e2 = tensor.empty() : tensor<4x4xf32>
    %lap = linalg.sub ins(%sum, %m4 : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e2 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %e3 = tensor.empty() : tensor<4x4xf32>
    %a = linalg.broadcast ins(%alpha : tensor<f32>) outs(%e3 : tensor<4x4xf32>) dimensions = [0, 1]
    %e4 = tensor.empty() : tensor<4x4xf32>
    %d = linalg.mul ins(%lap, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e4 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %e5 = tensor.empty() : tensor<4x4xf32>
    %new = linalg.add ins(%mid, %d : tensor<4x4xf32>, tensor<4x4xf32>) outs(%e5 : tensor<4x4xf32>) -> tensor<4x4xf32>
    %t = tensor.insert_slice %new into %u[1, 1] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<6x6xf32>
    scf.yield %t, %j : tensor<6x6xf32>, tensor<i32>
  }
  func.return %r, %q : tensor<6x6xf32>, tensor<i32>
}
