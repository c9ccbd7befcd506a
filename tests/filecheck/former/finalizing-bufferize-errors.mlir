// RUN: xdsl-opt %s -p finalizing-bufferize --verify-diagnostics --split-input-file | filecheck %s

// CHECK: 'test.op' is still on tensors
// CHECK-NEXT:   at: {{.*}} (model.py:12:3): in @source{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}test.op
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   hint: nothing bufferizes it: lower it to ops that are bufferized, or register a model for it
func.func @source() -> memref<4xf32> {
  %0 = "test.op"() : () -> tensor<4xf32> loc("model.py":12:3)
  %1 = bufferization.to_buffer %0 : tensor<4xf32> to memref<4xf32>
  func.return %1 : memref<4xf32>
}

// -----

// CHECK: 'test.op' is still on tensors
// CHECK-NEXT:   at: {{.*}}: in @sink{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}test.op
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   and so is: {{.*}}: in @sink{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}test.op
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   hint: nothing bufferizes it: lower it to ops that are bufferized, or register a model for it
func.func @sink(%m: memref<4xf32>) {
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  "test.op"(%0) : (tensor<4xf32>) -> ()
  "test.op"(%0) : (tensor<4xf32>) -> ()
  func.return
}

// -----

// CHECK: 'test.op' is still on tensors
// CHECK-NEXT:   at: {{.*}}: in @tuple{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}test.op
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   hint: nothing bufferizes it: lower it to ops that are bufferized, or register a model for it
func.func @tuple() {
  %0 = "test.op"() : () -> tuple<i1, tensor<4xf32>>
  func.return
}

// -----

// CHECK: 'func.func' is still on tensors
// CHECK-NEXT:   at: {{.*}}: in @signature{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}func.func
// CHECK-NEXT:   | {{ *\^+$}}
// CHECK-NEXT:   hint: run func-bufferize before
func.func @signature(%t: tensor<4xf32>) {
  func.return
}

// -----

// CHECK: 'vector.transfer_read' is still on tensors
// CHECK: hint: run one-shot-bufferize{dialect-filter=vector,bufferization copy-before-write unknown-type-conversion=identity-layout-map} before
func.func @vector(%m: memref<4xf32>, %i: index, %f: f32) -> vector<4xf32> {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %0 = "vector.transfer_read"(%t, %i, %f) <{in_bounds = [true], operandSegmentSizes = array<i32: 1, 1, 1, 0>, permutation_map = affine_map<(d0) -> (d0)>}> : (tensor<4xf32>, index, f32) -> vector<4xf32>
  func.return %0 : vector<4xf32>
}

// -----

// CHECK: 'test.op' is still on tensors
// CHECK-NEXT:   at: {{.*}}: in @block{{$}}
// CHECK-NEXT:   {{[0-9]+}} | {{.*}}test.op
// CHECK-NEXT:   | {{ *\^+$}}
func.func @block(%m: memref<4xf32>) {
  "test.op"() ({
  ^bb0(%t: tensor<4xf32>):
    "test.termop"() : () -> ()
  }) : () -> ()
  func.return
}

// -----

// CHECK: 'bufferization.to_buffer' needs a copy of memref<*xf32, 1 : i64> in a buffer of type memref<*xf32, 2 : i64>, and nothing tells its sizes or its layout
func.func @unranked(%m: memref<*xf32, 1>) -> memref<*xf32, 2> {
  %0 = bufferization.to_tensor %m : memref<*xf32, 1> to tensor<*xf32>
  %1 = bufferization.to_buffer %0 : tensor<*xf32> to memref<*xf32, 2>
  func.return %1 : memref<*xf32, 2>
}

// -----

// CHECK: 'bufferization.to_buffer' needs a copy of memref<?x4xf32> in a buffer of type memref<?x4xf32, strided<[?, 2]>>
func.func @layout(%m: memref<?x4xf32>) -> memref<?x4xf32, strided<[?, 2]>> {
  %0 = bufferization.to_tensor %m : memref<?x4xf32> to tensor<?x4xf32>
  %1 = bufferization.to_buffer %0 : tensor<?x4xf32> to memref<?x4xf32, strided<[?, 2]>>
  func.return %1 : memref<?x4xf32, strided<[?, 2]>>
}
