// RUN: xdsl-opt %s -p 'one-shot-bufferize' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{must-infer-memory-space}' | filecheck %s

// CHECK-LABEL: func.func @alloc_tensor(%n: index, %i: index) -> (f32, f32, f32) {
// CHECK-NEXT:    %a = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32, 3 : i64>
// CHECK-NEXT:    %b = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32, "far">
// CHECK-NEXT:    %c = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:    %x = memref.load %a[%i] : memref<?xf32, 3 : i64>
// CHECK-NEXT:    %y = memref.load %b[%i] : memref<?xf32, "far">
// CHECK-NEXT:    %z = memref.load %c[%i] : memref<?xf32>
// CHECK-NEXT:    func.return %x, %y, %z : f32, f32, f32
func.func @alloc_tensor(%n: index, %i: index) -> (f32, f32, f32) {
  %a = bufferization.alloc_tensor(%n) {memory_space = 3 : i64} : tensor<?xf32>
  %b = bufferization.alloc_tensor(%n) {memory_space = "far"} : tensor<?xf32>
  %c = bufferization.alloc_tensor(%n) {memory_space = 0 : i64} : tensor<?xf32>
  %x = tensor.extract %a[%i] : tensor<?xf32>
  %y = tensor.extract %b[%i] : tensor<?xf32>
  %z = tensor.extract %c[%i] : tensor<?xf32>
  func.return %x, %y, %z : f32, f32, f32
}

// A copy is where its source is, unless it says otherwise, whether its contents matter or
// not.
// CHECK-LABEL: func.func @copies(%m: memref<4xf32, 1 : i64>, %i: index, %f: f32) -> (f32, f32, f32) {
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    "memref.copy"(%m, %a) : (memref<4xf32, 1 : i64>, memref<4xf32, 1 : i64>) -> ()
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%b : memref<4xf32, 1 : i64>)
// CHECK-NEXT:    %c = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 2 : i64>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<4xf32, 1 : i64>, memref<4xf32, 2 : i64>) -> ()
// CHECK-NEXT:    %x = memref.load %a[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %y = memref.load %b[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %z = memref.load %c[%i] : memref<4xf32, 2 : i64>
// CHECK-NEXT:    func.return %x, %y, %z : f32, f32, f32
func.func @copies(%m: memref<4xf32, 1 : i64>, %i: index, %f: f32) -> (f32, f32, f32) {
  %t = bufferization.to_tensor %m restrict : memref<4xf32, 1 : i64> to tensor<4xf32>
  %a = tensor.insert %f into %t[%i] : tensor<4xf32>
  %b = linalg.fill ins(%f : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
  %c = bufferization.alloc_tensor() copy(%t) {memory_space = 2 : i64} : tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  %y = tensor.extract %b[%i] : tensor<4xf32>
  %z = tensor.extract %c[%i] : tensor<4xf32>
  func.return %x, %y, %z : f32, f32, f32
}

// Views are where their source is, and what is there is copied to another memory space if
// that is asked for.
// CHECK-LABEL: func.func @views(%m: memref<2x4xf32, 1 : i64>) -> memref<8xf32, 2 : i64> {
// CHECK-NEXT:    %c = memref.collapse_shape %m [[0 : i64, 1 : i64]] : memref<2x4xf32, 1 : i64> into memref<8xf32, 1 : i64>
// CHECK-NEXT:    %n = memref.alloc() {alignment = 64 : i64} : memref<8xf32, 2 : i64>
// CHECK-NEXT:    "memref.copy"(%c, %n) : (memref<8xf32, 1 : i64>, memref<8xf32, 2 : i64>) -> ()
// CHECK-NEXT:    func.return %n : memref<8xf32, 2 : i64>
func.func @views(%m: memref<2x4xf32, 1 : i64>) -> memref<8xf32, 2 : i64> {
  %t = bufferization.to_tensor %m restrict : memref<2x4xf32, 1 : i64> to tensor<2x4xf32>
  %c = tensor.collapse_shape %t [[0 : i64, 1 : i64]] : tensor<2x4xf32> into tensor<8xf32>
  %n = bufferization.to_buffer %c read_only : tensor<8xf32> to memref<8xf32, 2 : i64>
  func.return %n : memref<8xf32, 2 : i64>
}

// CHECK-LABEL: func.func @destination(%m: memref<4xf32, 1 : i64>, %n: memref<4xf32>) {
// CHECK-NEXT:    "memref.copy"(%m, %n) : (memref<4xf32, 1 : i64>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return
func.func @destination(%m: memref<4xf32, 1 : i64>, %n: memref<4xf32>) {
  %t = bufferization.to_tensor %m restrict : memref<4xf32, 1 : i64> to tensor<4xf32>
  bufferization.materialize_in_destination %t in restrict writable %n : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return
}

// A loop that hands over a tensor from another memory space gets a copy of it.
// CHECK-LABEL: func.func @loop(%i: index) -> f32 {
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 2 : i64>
// CHECK-NEXT:    %r = scf.for %k = %i to %i step %i iter_args(%c = %a) -> (memref<4xf32, 1 : i64>) {
// CHECK-NEXT:      "memref.copy"(%b, %c) : (memref<4xf32, 2 : i64>, memref<4xf32, 1 : i64>) -> ()
// CHECK-NEXT:      scf.yield %c : memref<4xf32, 1 : i64>
// CHECK-NEXT:    }
// CHECK-NEXT:    %x = memref.load %r[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    func.return %x : f32
func.func @loop(%i: index) -> f32 {
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  %b = bufferization.alloc_tensor() {memory_space = 2 : i64} : tensor<4xf32>
  %r = scf.for %k = %i to %i step %i iter_args(%c = %a) -> (tensor<4xf32>) {
    scf.yield %b : tensor<4xf32>
  }
  %x = tensor.extract %r[%i] : tensor<4xf32>
  func.return %x : f32
}

// So are padding, and numbers as indices.
// CHECK-LABEL: func.func @computed_from(
// CHECK-NEXT:    %p = memref.alloc() {alignment = 64 : i64} : memref<6xi32, 3 : i64>
// CHECK-NEXT:    linalg.fill ins(%f : i32) outs(%p : memref<6xi32, 3 : i64>)
// CHECK-NEXT:    {{.*}} = memref.subview %p[1] [4] [1] : memref<6xi32, 3 : i64> to memref<4xi32, strided<[1], offset: 1>, 3 : i64>
// CHECK:         %q = memref.alloc() {alignment = 64 : i64} : memref<6xindex, 3 : i64>
func.func @computed_from(%m: memref<4xi32, 3 : i64>, %f: i32, %i: index) -> (i32, index) {
  %t = bufferization.to_tensor %m restrict : memref<4xi32, 3 : i64> to tensor<4xi32>
  %p = tensor.pad %t low[1] high[1] {
  ^bb0(%k: index):
    tensor.yield %f : i32
  } : tensor<4xi32> to tensor<6xi32>
  %q = arith.index_cast %p : tensor<6xi32> to tensor<6xindex>
  %x = tensor.extract %p[%i] : tensor<6xi32>
  %y = tensor.extract %q[%i] : tensor<6xindex>
  func.return %x, %y : i32, index
}
