// RUN: xdsl-opt %s -p 'one-shot-bufferize{use-encoding-for-memory-space allow-unknown-ops}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{allow-unknown-ops}' | filecheck %s --check-prefix=WITHOUT

// CHECK: "memref.global"() <{sym_name = "__constant_4xf32_0", type = memref<4xf32>, initial_value = dense<1.000000e+00> : tensor<4xf32>,
// CHECK: "memref.global"() <{sym_name = "__constant_4xf32", type = memref<4xf32, 1 : i64>, initial_value = dense<1.000000e+00> : tensor<4xf32>,

// Equal constants in different memory spaces are different globals, and the value of each
// is a tensor without encoding.
// CHECK-LABEL: func.func @constant(%i: index) -> (f32, f32, f32) {
// CHECK-NEXT:    %a = memref.get_global @__constant_4xf32 : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %b = memref.get_global @__constant_4xf32_0 : memref<4xf32>
// CHECK-NEXT:    %c = memref.get_global @__constant_4xf32 : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %x = memref.load %a[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %y = memref.load %b[%i] : memref<4xf32>
// CHECK-NEXT:    %z = memref.load %c[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    func.return %x, %y, %z : f32, f32, f32
// WITHOUT-LABEL: func.func @constant(%i: index) -> (f32, f32, f32) {
// WITHOUT-NEXT:    %a = memref.get_global @__constant_4xf32 : memref<4xf32>
// WITHOUT-NEXT:    %b = memref.get_global @__constant_4xf32 : memref<4xf32>
// WITHOUT-NEXT:    %c = memref.get_global @__constant_4xf32 : memref<4xf32>
// WITHOUT-NEXT:    %x = memref.load %a[%i] : memref<4xf32>
// WITHOUT-NEXT:    %y = memref.load %b[%i] : memref<4xf32>
// WITHOUT-NEXT:    %z = memref.load %c[%i] : memref<4xf32>
// WITHOUT-NEXT:    func.return %x, %y, %z : f32, f32, f32
func.func @constant(%i: index) -> (f32, f32, f32) {
  %a = arith.constant dense<1.0> : tensor<4xf32, 1 : i64>
  %b = arith.constant dense<1.0> : tensor<4xf32>
  %c = arith.constant dense<1.0> : tensor<4xf32, 1 : i64>
  %x = tensor.extract %a[%i] : tensor<4xf32, 1 : i64>
  %y = tensor.extract %b[%i] : tensor<4xf32>
  %z = tensor.extract %c[%i] : tensor<4xf32, 1 : i64>
  func.return %x, %y, %z : f32, f32, f32
}

// CHECK-LABEL: func.func @new_buffers(%i: index, %f: f32) -> (f32, f32, f32, f32) {
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32, "far">
// CHECK-NEXT:    %c = memref.alloc() {alignment = 64 : i64} : memref<1xf32, 2 : i64>
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    memref.store %f, %c[%0] : memref<1xf32, 2 : i64>
// CHECK-NEXT:    %d = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%d : memref<4xf32>)
// CHECK-NEXT:    %x = memref.load %a[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %y = memref.load %b[%i] : memref<4xf32, "far">
// CHECK-NEXT:    %z = memref.load %c[%i] : memref<1xf32, 2 : i64>
// CHECK-NEXT:    %w = memref.load %d[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %x, %y, %z, %w : f32, f32, f32, f32
// WITHOUT-LABEL: func.func @new_buffers(%i: index, %f: f32) -> (f32, f32, f32, f32) {
// WITHOUT-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// WITHOUT-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// WITHOUT-NEXT:    %c = memref.alloc() {alignment = 64 : i64} : memref<1xf32>
// WITHOUT-NEXT:    %0 = arith.constant 0 : index
// WITHOUT-NEXT:    memref.store %f, %c[%0] : memref<1xf32>
// WITHOUT-NEXT:    %d = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// WITHOUT-NEXT:    linalg.fill ins(%f : f32) outs(%d : memref<4xf32>)
// WITHOUT-NEXT:    %x = memref.load %a[%i] : memref<4xf32>
// WITHOUT-NEXT:    %y = memref.load %b[%i] : memref<4xf32>
// WITHOUT-NEXT:    %z = memref.load %c[%i] : memref<1xf32>
// WITHOUT-NEXT:    %w = memref.load %d[%i] : memref<4xf32>
// WITHOUT-NEXT:    func.return %x, %y, %z, %w : f32, f32, f32, f32
func.func @new_buffers(%i: index, %f: f32) -> (f32, f32, f32, f32) {
  %a = tensor.empty() : tensor<4xf32, 1 : i64>
  %b = bufferization.alloc_tensor() : tensor<4xf32, "far">
  %c = tensor.from_elements %f : tensor<1xf32, 2 : i64>
  %d = tensor.splat %f : tensor<4xf32, 0 : i64>
  %x = tensor.extract %a[%i] : tensor<4xf32, 1 : i64>
  %y = tensor.extract %b[%i] : tensor<4xf32, "far">
  %z = tensor.extract %c[%i] : tensor<1xf32, 2 : i64>
  %w = tensor.extract %d[%i] : tensor<4xf32, 0 : i64>
  func.return %x, %y, %z, %w : f32, f32, f32, f32
}

// CHECK-LABEL: func.func @unknown(%i: index) -> f32 {
// CHECK-NEXT:    %t = "test.op"() : () -> tensor<4xf32, 1 : i64>
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<4xf32, 1 : i64> to memref<4xf32, strided<[?], offset: ?>, 1 : i64>
// CHECK-NEXT:    %x = memref.load %0[%i] : memref<4xf32, strided<[?], offset: ?>, 1 : i64>
// CHECK-NEXT:    func.return %x : f32
// WITHOUT-LABEL: func.func @unknown(%i: index) -> f32 {
// WITHOUT-NEXT:    %t = "test.op"() : () -> tensor<4xf32, 1 : i64>
// WITHOUT-NEXT:    %0 = bufferization.to_buffer %t : tensor<4xf32, 1 : i64> to memref<4xf32, strided<[?], offset: ?>>
// WITHOUT-NEXT:    %x = memref.load %0[%i] : memref<4xf32, strided<[?], offset: ?>>
// WITHOUT-NEXT:    func.return %x : f32
func.func @unknown(%i: index) -> f32 {
  %t = "test.op"() : () -> tensor<4xf32, 1 : i64>
  %x = tensor.extract %t[%i] : tensor<4xf32, 1 : i64>
  func.return %x : f32
}

// What says more than the encoding goes first: the memref that a tensor is in, and the
// memory_space of an alloc_tensor.
// CHECK-LABEL: func.func @known(%m: memref<4xf32, 1 : i64>, %i: index) -> (f32, f32, f32) {
// CHECK-NEXT:    %b = "memref.cast"(%m) : (memref<4xf32, 1 : i64>) -> memref<?xf32, 1 : i64>
// CHECK-NEXT:    %c = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %x = memref.load %m[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %y = memref.load %b[%i] : memref<?xf32, 1 : i64>
// CHECK-NEXT:    %z = memref.load %c[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    func.return %x, %y, %z : f32, f32, f32
func.func @known(%m: memref<4xf32, 1 : i64>, %i: index) -> (f32, f32, f32) {
  %a = bufferization.to_tensor %m restrict : memref<4xf32, 1 : i64> to tensor<4xf32, 2 : i64>
  %b = tensor.cast %a : tensor<4xf32, 2 : i64> to tensor<?xf32, 3 : i64>
  %c = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32, 2 : i64>
  %x = tensor.extract %a[%i] : tensor<4xf32, 2 : i64>
  %y = tensor.extract %b[%i] : tensor<?xf32, 3 : i64>
  %z = tensor.extract %c[%i] : tensor<4xf32, 2 : i64>
  func.return %x, %y, %z : f32, f32, f32
}
