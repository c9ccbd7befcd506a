// RUN: xdsl-opt %s -p bufferize | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{adopt-donations arguments=read-only}' | filecheck %s --check-prefix ADOPTED

// The old state is returned as well: one allocation and one copy, before the state is written.
// CHECK-LABEL: func.func @step(
// CHECK-NEXT:    %[[OLD:.*]] = memref.alloc()
// CHECK-NEXT:    "memref.copy"(%state, %[[OLD]])
// CHECK-NEXT:    linalg.add ins(%state, %g : {{.*}}) outs(%state : {{.*}})
// CHECK-NEXT:    func.return %state, %[[OLD]]
func.func @step(%state: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %new = linalg.add ins(%state, %g : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %new, %state : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @inserted(
// CHECK-NEXT:    %[[OLD:.*]] = memref.alloc()
// CHECK-NEXT:    "memref.copy"(%state, %[[OLD]])
// CHECK-NEXT:    memref.store %x, %state
// CHECK-NEXT:    func.return %state, %[[OLD]]
func.func @inserted(%state: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %i: index, %x: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %new = tensor.insert %x into %state[%i] : tensor<8xf32>
  func.return %new, %state : tensor<8xf32>, tensor<8xf32>
}

// JAX's word for a donation names the result; it is one by an option.
// ADOPTED-LABEL: func.func @jax(
// ADOPTED-SAME:    %t: {{[^{]*}} {tf.aliasing_output = 0 : i32, bufferize.aliasing_result = 0 : i64}
// ADOPTED-NEXT:    memref.store %x, %t
// ADOPTED-NEXT:    func.return %t
func.func @jax(%t: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %i: index, %x: f32) -> tensor<8xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// The result has another type, so the memory cannot be the same.
// ADOPTED-LABEL: func.func @other_type(
// ADOPTED-NOT:     bufferize.aliasing_result
// ADOPTED:         func.return
func.func @other_type(%t: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %i: index, %x: f32) -> f32 {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  %y = tensor.extract %r[%i] : tensor<8xf32>
  func.return %y : f32
}
