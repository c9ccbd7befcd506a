// RUN: xdsl-opt %s -p one-shot-bufferize | filecheck %s

// The buffer may be written through %m, so %t, which is read later, is copied.
// CHECK-LABEL: func.func @written(%b: memref<4xf32>, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:    %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%b, %m) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %x = memref.load %b[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %m, %x : memref<4xf32>, f32
func.func @written(%b: memref<4xf32>, %i: index) -> (memref<4xf32>, f32) {
  %t = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %m, %x : memref<4xf32>, f32
}

// CHECK-LABEL: func.func @read_only(%b: memref<4xf32>, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:    %x = memref.load %b[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %b, %x : memref<4xf32>, f32
func.func @read_only(%b: memref<4xf32>, %i: index) -> (memref<4xf32>, f32) {
  %t = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %m, %x : memref<4xf32>, f32
}

// The layout that is asked for is more general than the one of the buffer.
// CHECK-LABEL: func.func @layout(%b: memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:    %m = "memref.cast"(%b) : (memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %m : memref<?xf32, strided<[?], offset: ?>>
func.func @layout(%b: memref<?xf32>) -> memref<?xf32, strided<[?], offset: ?>> {
  %t = bufferization.to_tensor %b restrict writable : memref<?xf32> to tensor<?xf32>
  %m = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  func.return %m : memref<?xf32, strided<[?], offset: ?>>
}

// The buffer has not the layout that is asked for: it takes a copy.
// CHECK-LABEL: func.func @no_layout(%b: memref<4xf32, strided<[2], offset: 1>>) -> memref<4xf32> {
// CHECK-NEXT:    %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%b, %m) : (memref<4xf32, strided<[2], offset: 1>>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %m : memref<4xf32>
func.func @no_layout(%b: memref<4xf32, strided<[2], offset: 1>>) -> memref<4xf32> {
  %t = bufferization.to_tensor %b restrict writable : memref<4xf32, strided<[2], offset: 1>> to tensor<4xf32>
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  func.return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @static_layout(%b: memref<4xf32>) -> memref<4xf32, strided<[2], offset: 1>> {
// CHECK-NEXT:    %m = memref.alloc() {alignment = 64 : i64} : memref<4xf32, strided<[2], offset: 1>>
// CHECK-NEXT:    "memref.copy"(%b, %m) : (memref<4xf32>, memref<4xf32, strided<[2], offset: 1>>) -> ()
// CHECK-NEXT:    func.return %m : memref<4xf32, strided<[2], offset: 1>>
func.func @static_layout(%b: memref<4xf32>) -> memref<4xf32, strided<[2], offset: 1>> {
  %t = bufferization.to_tensor %b restrict writable : memref<4xf32> to tensor<4xf32>
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[2], offset: 1>>
  func.return %m : memref<4xf32, strided<[2], offset: 1>>
}

// The same with a layout that a copy can be cast to, and another memory space.
// CHECK-LABEL: func.func @memory_space(%b: memref<4xf32, strided<[2], offset: 1>>) -> memref<4xf32, strided<[1], offset: ?>, 1 : i64> {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    "memref.copy"(%b, %0) : (memref<4xf32, strided<[2], offset: 1>>, memref<4xf32, 1 : i64>) -> ()
// CHECK-NEXT:    %m = "memref.cast"(%0) : (memref<4xf32, 1 : i64>) -> memref<4xf32, strided<[1], offset: ?>, 1 : i64>
// CHECK-NEXT:    func.return %m : memref<4xf32, strided<[1], offset: ?>, 1 : i64>
func.func @memory_space(%b: memref<4xf32, strided<[2], offset: 1>>) -> memref<4xf32, strided<[1], offset: ?>, 1> {
  %t = bufferization.to_tensor %b restrict writable : memref<4xf32, strided<[2], offset: 1>> to tensor<4xf32>
  %m = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[1], offset: ?>, 1>
  func.return %m : memref<4xf32, strided<[1], offset: ?>, 1>
}
