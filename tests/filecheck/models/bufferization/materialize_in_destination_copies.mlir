// RUN: xdsl-opt %s -p 'one-shot-bufferize{copy-before-write}' | filecheck %s

// Where every write works on a copy, one to a destination that must not be written does so, too.
// CHECK-LABEL: func.func @read_only_destination(
// CHECK-NEXT:    %0 = bufferization.to_buffer %t
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%0, %r)
// CHECK-NEXT:    %1 = bufferization.to_tensor %r
// CHECK-NEXT:    func.return %1 : tensor<4xf32>
func.func @read_only_destination(%t: tensor<4xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %r = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK-LABEL: func.func @destination_is_read_later
// CHECK:           %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%{{.*}}, %r)
// CHECK:           memref.load
func.func @destination_is_read_later(%t: tensor<8xf32>, %d: tensor<8xf32>, %i: index) -> (tensor<8xf32>, f32) {
  %r = bufferization.materialize_in_destination %t in %d : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %v = tensor.extract %d[%i] : tensor<8xf32>
  func.return %r, %v : tensor<8xf32>, f32
}
