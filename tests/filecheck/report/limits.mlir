// RUN: xdsl-opt -t 'bufferization-report{eliminate-copies=false}' %s | filecheck %s

// Each of the tensors is in %t0's memory as a whole or not at all, and linalg.exp reads each element
// before it writes it.
// CHECK:      @eight, {{.*}}
// CHECK:      tensor operands: 17 in place, 0 out of place
func.func @eight(%t0: tensor<8xf32>, %t1: tensor<8xf32>, %t2: tensor<8xf32>, %t3: tensor<8xf32>, %t4: tensor<8xf32>, %t5: tensor<8xf32>, %t6: tensor<8xf32>, %t7: tensor<8xf32>, %c: i1, %f: f32) -> tensor<8xf32> {
  %s1 = arith.select %c, %t0, %t1 : tensor<8xf32>
  %s2 = arith.select %c, %s1, %t2 : tensor<8xf32>
  %s3 = arith.select %c, %s2, %t3 : tensor<8xf32>
  %s4 = arith.select %c, %s3, %t4 : tensor<8xf32>
  %s5 = arith.select %c, %s4, %t5 : tensor<8xf32>
  %s6 = arith.select %c, %s5, %t6 : tensor<8xf32>
  %s7 = arith.select %c, %s6, %t7 : tensor<8xf32>
  %r = linalg.exp ins(%s7 : tensor<8xf32>) outs(%t0 : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// One more than the analysis compares.
// CHECK:      @nine, {{.*}}
// CHECK:      tensor operands: 18 in place, 1 out of place
// CHECK:      copy of %t0 (line [[#]]), 32 bytes: linalg.exp (line [[#]]) writes its memory in place
// CHECK:      %s8 = arith.select
// CHECK:      the analysis stopped at 8 tensors that %s8 may be, and so takes it for any
// CHECK:      %r = linalg.exp
func.func @nine(%t0: tensor<8xf32>, %t1: tensor<8xf32>, %t2: tensor<8xf32>, %t3: tensor<8xf32>, %t4: tensor<8xf32>, %t5: tensor<8xf32>, %t6: tensor<8xf32>, %t7: tensor<8xf32>, %t8: tensor<8xf32>, %c: i1, %f: f32) -> tensor<8xf32> {
  %s1 = arith.select %c, %t0, %t1 : tensor<8xf32>
  %s2 = arith.select %c, %s1, %t2 : tensor<8xf32>
  %s3 = arith.select %c, %s2, %t3 : tensor<8xf32>
  %s4 = arith.select %c, %s3, %t4 : tensor<8xf32>
  %s5 = arith.select %c, %s4, %t5 : tensor<8xf32>
  %s6 = arith.select %c, %s5, %t6 : tensor<8xf32>
  %s7 = arith.select %c, %s6, %t7 : tensor<8xf32>
  %s8 = arith.select %c, %s7, %t8 : tensor<8xf32>
  %r = linalg.exp ins(%s8 : tensor<8xf32>) outs(%t0 : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}
