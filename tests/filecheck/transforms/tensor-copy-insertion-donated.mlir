// RUN: xdsl-opt %s -p 'tensor-copy-insertion{bufferize-function-boundaries=true}' | filecheck %s

// What is not in a donated argument is materialized there.
// CHECK-LABEL: func.func @other_memory(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %u: tensor<8xf32>) -> tensor<8xf32> {
// CHECK-NEXT:      %0 = bufferization.materialize_in_destination %u in %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:      func.return %0 : tensor<8xf32>
// CHECK-NEXT:    }
func.func @other_memory(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %u: tensor<8xf32>) -> tensor<8xf32> {
  func.return %u : tensor<8xf32>
}

// CHECK-LABEL: func.func @in_place(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> tensor<8xf32> {
// CHECK-NEXT:      %r = tensor.insert %f into %t[%i] : tensor<8xf32>
// CHECK-NEXT:      func.return %r : tensor<8xf32>
// CHECK-NEXT:    }
func.func @in_place(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> tensor<8xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @exchanged(%t: tensor<8xf32> {bufferize.aliasing_result = 1 : i64}, %u: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}) -> (tensor<8xf32>, tensor<8xf32>) {
// CHECK-NEXT:      %0 = bufferization.alloc_tensor() copy(%u) : tensor<8xf32>
// CHECK-NEXT:      %1 = bufferization.materialize_in_destination %t in %u : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:      %2 = bufferization.materialize_in_destination %0 in %t : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT:      func.return %1, %2 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:    }
func.func @exchanged(%t: tensor<8xf32> {bufferize.aliasing_result = 1 : i64}, %u: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}) -> (tensor<8xf32>, tensor<8xf32>) {
  func.return %t, %u : tensor<8xf32>, tensor<8xf32>
}
