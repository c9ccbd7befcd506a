// RUN: xdsl-opt %s -p convert-ml-program-to-memref | xdsl-opt | filecheck %s

ml_program.global private @table(dense<4> : tensor<4xi32>) : tensor<4xi32>

// CHECK:      %0 = memref.get_global @table : memref<4xi32>
// CHECK-NEXT: %1 = bufferization.to_tensor %0 : memref<4xi32> to tensor<4xi32>
%0 = ml_program.global_load_const @table : tensor<4xi32>
