// RUN: xdsl-opt %s -p 'one-shot-bufferize{copy-before-write=true bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Without analysis each write works on a copy, needed or not.
// CHECK-LABEL: func.func @insert(%t: memref<4xf32>, %f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:      %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %r) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %r[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @insert(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// What is read only is not copied.
// CHECK-LABEL: func.func @read(%t: memref<4xf32>, %i: index) -> f32 {
// CHECK-NEXT:      %s = memref.subview %t[1] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 1>>
// CHECK-NEXT:      %x = memref.load %s[%i] : memref<2xf32, strided<[1], offset: 1>>
// CHECK-NEXT:      func.return %x : f32
func.func @read(%t: tensor<4xf32>, %i: index) -> f32 {
  %s = tensor.extract_slice %t[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %x = tensor.extract %s[%i] : tensor<2xf32>
  func.return %x : f32
}

// Nothing has to be known of other tensors in the same memory.
// CHECK-LABEL: func.func @no_restrict(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:      %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%m, %r) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %r[%i] : memref<4xf32>
// CHECK-NEXT:      %x = memref.load %r[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %x : f32
func.func @no_restrict(%m: memref<4xf32>, %f: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %r = tensor.insert %f into %t[%i] : tensor<4xf32>
  %x = tensor.extract %r[%i] : tensor<4xf32>
  func.return %x : f32
}

// An op that has to write its destination in place gets one that nobody else reads.
// CHECK-LABEL: func.func @materialize(%t: memref<4xf32>, %f: f32, %i: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:      %x = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %x) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %x[%i] : memref<4xf32>
// CHECK-NEXT:      %c = "memref.cast"(%x) : (memref<4xf32>) -> memref<?xf32>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = memref.dim %c, %0 : memref<?xf32>
// CHECK-NEXT:      %2 = memref.alloc(%1) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:      %d = "memref.cast"(%2) : (memref<?xf32>) -> memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %d) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return %x, %d : memref<4xf32>, memref<4xf32>
func.func @materialize(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %x = tensor.insert %f into %t[%i] : tensor<4xf32>
  %c = tensor.cast %x : tensor<4xf32> to tensor<?xf32>
  %d = tensor.cast %c : tensor<?xf32> to tensor<4xf32>
  %r = bufferization.materialize_in_destination %t in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %x, %r : tensor<4xf32>, tensor<4xf32>
}

// The copy of a new tensor takes its place, also if its size is dynamic.
// CHECK-LABEL: func.func @new(%n: index, %f: f32) -> memref<?xf32> {
// CHECK-NEXT:      %r = memref.alloc(%n) {alignment = 64 : i64} : memref<?xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%r : memref<?xf32>)
// CHECK-NEXT:      func.return %r : memref<?xf32>
func.func @new(%n: index, %f: f32) -> tensor<?xf32> {
  %e = tensor.empty(%n) : tensor<?xf32>
  %r = linalg.fill ins(%f : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// The program writes its own memory.
//
// CHECK-LABEL: func.func @memory_of_the_program(
// CHECK-NEXT:    linalg.fill ins(%x : f32) outs(%m : memref<4xf32>)
// CHECK-NEXT:    func.return
func.func @memory_of_the_program(%m: memref<4xf32>, %x: f32) {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  func.return
}

// What else reads the tensor reads what it was.
//
// CHECK-LABEL: func.func @read_otherwise(
// CHECK:         memref.copy
func.func @read_otherwise(%m: memref<4xf32>, %x: f32, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<4xf32>)
  %r = tensor.extract %t[%i] : tensor<4xf32>
  func.return %r : f32
}
