// RUN: xdsl-opt %s -p csl-stencil-bufferize | xdsl-opt | filecheck %s

// xDSL's pass converts with its own to_buffer and to_tensor, which read back here.
func.func @stencil(%a: !stencil.field<[-1,3]x[-1,3]xtensor<8xf32>>, %b: !stencil.field<[-1,3]x[-1,3]xtensor<8xf32>>) {
  %acc = tensor.empty() : tensor<6xf32>
  csl_stencil.apply(%a : !stencil.field<[-1,3]x[-1,3]xtensor<8xf32>>, %acc : tensor<6xf32>) outs (%b : !stencil.field<[-1,3]x[-1,3]xtensor<8xf32>>) <{"swaps" = [#csl_stencil.exchange<to [1, 0]>], "topo" = #dmp.topo<4x4>, "num_chunks" = 2 : i64, "bounds" = #stencil.bounds<[0, 0], [1, 1]>, operandSegmentSizes = array<i32: 1, 1, 0, 0, 1>}> ({
  ^bb0(%in: tensor<1x3xf32>, %offset: index, %iter: tensor<6xf32>):
    %x = csl_stencil.access %in[1, 0] : tensor<1x3xf32>
    %r = tensor.insert_slice %x into %iter[%offset] [3] [1] : tensor<3xf32> into tensor<6xf32>
    csl_stencil.yield %r : tensor<6xf32>
  }, {
  ^bb1(%own: !stencil.field<[-1,3]x[-1,3]xtensor<8xf32>>, %iter: tensor<6xf32>):
    csl_stencil.yield %iter : tensor<6xf32>
  }) to <[0, 0], [1, 1]>
  func.return
}

// CHECK:      %acc = tensor.empty() : tensor<6xf32>
// CHECK-NEXT: %[[BUF:.*]] = bufferization.to_buffer %acc : tensor<6xf32> to memref<6xf32>
// CHECK-NEXT: csl_stencil.apply(%a : memref<8xf32>, %[[BUF]] : memref<6xf32>)
// CHECK:        %[[ITER:.*]] = bufferization.to_tensor %{{.*}} restrict writable : memref<6xf32> to tensor<6xf32>
// CHECK:        %[[SLICE:.*]] = bufferization.to_tensor %{{.*}} restrict : memref<3xf32> to tensor<3xf32>
// CHECK:        %[[YIELD:.*]] = bufferization.to_buffer %r : tensor<6xf32> to memref<6xf32>
// CHECK-NEXT:   csl_stencil.yield %[[YIELD]] : memref<6xf32>
