// RUN: XDSL_ROUNDTRIP

// CHECK-LABEL: func.func @parallel_insert_slice(
// CHECK:           "scf.forall.in_parallel"() ({
// CHECK-NEXT:        "tensor.parallel_insert_slice"(%s, %o, %i) <{static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 4>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0>}> {note = 1 : i32} : (tensor<4xf32>, tensor<8xf32>, index) -> ()
// CHECK-NEXT:        "tensor.parallel_insert_slice"(%s, %p, %i, %n) <{static_offsets = array<i64: -9223372036854775808, 0, 1>, static_sizes = array<i64: 4, 1, 1>, static_strides = array<i64: 1, -9223372036854775808, 2>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1>}> : (tensor<4xf32>, tensor<?x1x2xf32>, index, index) -> ()
// CHECK-NEXT:        "tensor.parallel_insert_slice"(%d, %p, %n) <{static_offsets = array<i64: 0, 0, 0>, static_sizes = array<i64: 1, 1, -9223372036854775808>, static_strides = array<i64: 2, 2, 2>, operandSegmentSizes = array<i32: 1, 1, 0, 1, 0>}> : (tensor<1x?xf32>, tensor<?x1x2xf32>, index) -> ()
// CHECK-NEXT:        "tensor.parallel_insert_slice"(%e, %o) <{static_offsets = array<i64: 7>, static_sizes = array<i64: 0>, static_strides = array<i64: 1>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0>}> : (tensor<0xf32>, tensor<8xf32>) -> ()
// CHECK-NEXT:      }) : () -> ()
func.func @parallel_insert_slice(
    %t: tensor<8xf32>, %u: tensor<?x1x2xf32>, %s: tensor<4xf32>, %d: tensor<1x?xf32>,
    %e: tensor<0xf32>, %n: index) {
  %r:2 = scf.forall (%i) in (5) shared_outs(%o = %t, %p = %u) -> (tensor<8xf32>, tensor<?x1x2xf32>) {
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [4] [1] {note = 1 : i32} : tensor<4xf32> into tensor<8xf32>
      tensor.parallel_insert_slice %s into %p[%i, 0, 1] [4, 1, 1] [1, %n, 2] : tensor<4xf32> into tensor<?x1x2xf32>
      tensor.parallel_insert_slice %d into %p[0, 0, 0] [1, 1, %n] [2, 2, 2] : tensor<1x?xf32> into tensor<?x1x2xf32>
      tensor.parallel_insert_slice %e into %o[7] [0] [1] : tensor<0xf32> into tensor<8xf32>
    }
  }
  func.return
}
