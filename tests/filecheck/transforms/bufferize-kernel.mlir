// RUN: xdsl-opt %s -p bufferize | filecheck %s
// RUN: bufferization-check %s --function call -p bufferize

// A kernel that gets pointers, as Triton's lowering prints it.
// CHECK-LABEL: func.func @kernel
// CHECK:         [[source:%.*]] = memref.reinterpret_cast %in to offset: [%n], sizes: [4], strides: [1]
// CHECK-SAME:      : memref<*xf32> to memref<4xf32, strided<[1], offset: ?>>
// CHECK:         "memref.copy"([[source]], %local)
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%local : memref<4xf32>) outs(%local : memref<4xf32>)
// CHECK:         "memref.copy"(%local, %to)
// CHECK-NEXT:    memref.dealloc %local
// CHECK-NEXT:    func.return
func.func @kernel(%in: memref<*xf32>, %out: memref<*xf32>, %n: index) {
  %from = memref.reinterpret_cast %in to offset: [%n], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32, strided<[1], offset: ?>>
  %local = memref.alloc() : memref<4xf32>
  memref.copy %from, %local : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32>
  %t = bufferization.to_tensor %local restrict writable : memref<4xf32> to tensor<4xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %x : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %to = memref.reinterpret_cast %out to offset: [%n], sizes: [4], strides: [1] : memref<*xf32> to memref<4xf32, strided<[1], offset: ?>>
  bufferization.materialize_in_destination %r in writable %to : (tensor<4xf32>, memref<4xf32, strided<[1], offset: ?>>) -> ()
  return
}

func.func @call(%x: f32) -> f32 {
  %c2 = arith.constant 2 : index
  %m = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%m : memref<8xf32>)
  %u = memref.cast %m : memref<8xf32> to memref<*xf32>
  func.call @kernel(%u, %u, %c2) : (memref<*xf32>, memref<*xf32>, index) -> ()
  %r = memref.load %m[%c2] : memref<8xf32>
  return %r : f32
}
