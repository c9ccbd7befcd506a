// RUN: xdsl-opt %s -p bufferize | filecheck %s

// A tensor that may not be written is copied to where the update of it goes: one copy and no
// allocation. mlir-opt allocates once and copies twice.
// CHECK-LABEL: func.func @scalar(
// CHECK-NEXT: "memref.copy"(%in, %out) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT: memref.store %x, %out[%i] : memref<8xf32>
// CHECK-NEXT: func.return
func.func @scalar(%in: memref<8xf32>, %out: memref<8xf32>, %x: f32, %i: index) {
  %t = bufferization.to_tensor %in restrict : memref<8xf32> to tensor<8xf32>
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  func.return
}

// The same in a part of a tensor, with several updates.
// CHECK-LABEL: func.func @slice(
// CHECK-NOT: memref.alloc
// CHECK: [[S:%.*]] = memref.subview %d[8] [8] [1]
// CHECK-NEXT: "memref.copy"(%t, [[S]])
// CHECK-NEXT: memref.store %x, [[S]][%i]
// CHECK-NEXT: memref.store %x, [[S]][%j]
// CHECK-NOT: memref.copy
func.func @slice(%t: tensor<8xf32> {bufferization.writable = false},
                 %d: tensor<16xf32> {bufferize.aliasing_result = 0 : i64}, %x: f32, %i: index, %j: index)
    -> tensor<16xf32> {
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  %s = tensor.insert %x into %r[%j] : tensor<8xf32>
  %u = tensor.insert_slice %s into %d[8] [8] [1] : tensor<8xf32> into tensor<16xf32>
  func.return %u : tensor<16xf32>
}

// Padded: the copy is made in the middle.
// CHECK-LABEL: func.func @padded(
// CHECK: %p = memref.alloc() {alignment = 64 : i64} : memref<18xf32>
// CHECK: [[S:%.*]] = memref.subview %p[1] [16] [1]
// CHECK-NEXT: "memref.copy"(%t, [[S]])
// CHECK-NEXT: memref.store %x, [[S]][%i]
// CHECK-NEXT: func.return %p
func.func @padded(%t: tensor<16xf32> {bufferization.writable = false}, %x: f32, %i: index) -> tensor<18xf32> {
  %zero = arith.constant 0.0 : f32
  %r = tensor.insert %x into %t[%i] : tensor<16xf32>
  %p = tensor.pad %r low[1] high[1] {
  ^bb0(%k: index):
    tensor.yield %zero : f32
  } : tensor<16xf32> to tensor<18xf32>
  func.return %p : tensor<18xf32>
}

// The destination is read after the update, so the copy stays where it is.
// CHECK-LABEL: func.func @read(
// CHECK: memref.alloc
// CHECK: memref.copy
// CHECK: memref.load
// CHECK: memref.copy
func.func @read(%in: memref<8xf32>, %out: memref<8xf32>, %x: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %in restrict : memref<8xf32> to tensor<8xf32>
  %r = tensor.insert %x into %t[%i] : tensor<8xf32>
  %v = memref.load %out[%i] : memref<8xf32>
  bufferization.materialize_in_destination %r in restrict writable %out : (tensor<8xf32>, memref<8xf32>) -> ()
  func.return %v : f32
}

// %b is copied straight, then computed in parts; %c gets the parts back where the copy does not help.
// CHECK-LABEL: func.func @computed_in_parts(
// CHECK: linalg.exp
// CHECK: [[C:%.*]] = memref.alloc
// CHECK-NEXT: "memref.copy"([[B:%.*]], [[C]])
// CHECK-NEXT: memref.store %x, [[C]][%i]
// CHECK: linalg.add ins([[B]], %t
func.func @computed_in_parts(%t: tensor<8xf32>, %s: tensor<4xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  %a = tensor.insert_slice %s into %t[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %b = linalg.exp ins(%a : tensor<8xf32>) outs(%a : tensor<8xf32>) -> tensor<8xf32>
  %c = tensor.insert %x into %b[%i] : tensor<8xf32>
  %d = linalg.copy ins(%c : tensor<8xf32>) outs(%c : tensor<8xf32>) -> tensor<8xf32>
  %e = linalg.add ins(%b, %t : tensor<8xf32>, tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
  func.return %e : tensor<8xf32>
}
