// xDSL's canonicalize folds no ops before 0.64.
// REQUIRES: xdsl-0.64
// RUN: xdsl-opt %s -p canonicalize | filecheck %s

// What mlir-opt 22 leaves, or gets wrong.

// An allocation that nothing uses has no effect.
// CHECK-LABEL: func.func @unused_alloc_tensor(%n: index, %t: tensor<4xf32>) {
// CHECK-NEXT:    func.return
func.func @unused_alloc_tensor(%n: index, %t: tensor<4xf32>) {
  %0 = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %1 = bufferization.alloc_tensor() copy(%t) : tensor<4xf32>
  func.return
}

// The memory space stays when a size becomes static.
// CHECK-LABEL: func.func @memory_space() -> tensor<?xf32> {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
// CHECK-NEXT:    %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:    func.return %1 : tensor<?xf32>
func.func @memory_space() -> tensor<?xf32> {
  %c4 = arith.constant 4 : index
  %0 = bufferization.alloc_tensor(%c4) {memory_space = 1 : i64} : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}

// A cast that knows more, of an allocation that has no other use.
// CHECK-LABEL: func.func @cast_of_alloc_tensor(%m: index, %n: index) -> tensor<4x?xf32> {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor(%n) : tensor<4x?xf32>
// CHECK-NEXT:    func.return %0 : tensor<4x?xf32>
func.func @cast_of_alloc_tensor(%m: index, %n: index) -> tensor<4x?xf32> {
  %0 = bufferization.alloc_tensor(%m, %n) : tensor<?x?xf32>
  %1 = tensor.cast %0 : tensor<?x?xf32> to tensor<4x?xf32>
  func.return %1 : tensor<4x?xf32>
}

// CHECK-LABEL: func.func @cast_that_knows_less() -> tensor<?xf32> {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor() : tensor<4xf32>
// CHECK-NEXT:    %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:    func.return %1 : tensor<?xf32>
func.func @cast_that_knows_less() -> tensor<?xf32> {
  %0 = bufferization.alloc_tensor() : tensor<4xf32>
  %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
  func.return %1 : tensor<?xf32>
}

// Constants do not come first in the block here, so to_buffer and to_tensor need not be
// next to one another, as long as nothing in between has an effect.
// CHECK-LABEL: func.func @pure_in_between(%t: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, f32) {
// CHECK-NEXT:    %g = arith.addf %f, %f : f32
// CHECK-NEXT:    func.return %t, %g : tensor<4xf32>, f32
func.func @pure_in_between(%t: tensor<4xf32>, %f: f32) -> (tensor<4xf32>, f32) {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %g = arith.addf %f, %f : f32
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  func.return %0, %g : tensor<4xf32>, f32
}

// The tensor is not what was stored to its buffer, which mlir-opt loads from %t.
// CHECK-LABEL: func.func @load_of_written_buffer(%t: tensor<4xf32>, %i: index, %f: f32) -> f32 {
// CHECK-NEXT:    %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    memref.store %f, %m[%i] : memref<4xf32>
// CHECK-NEXT:    %0 = memref.load %m[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %0 : f32
func.func @load_of_written_buffer(%t: tensor<4xf32>, %i: index, %f: f32) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %f, %m[%i] : memref<4xf32>
  %0 = memref.load %m[%i] : memref<4xf32>
  func.return %0 : f32
}

// There is no cast between memory spaces, and no allocation of unknown rank.
// CHECK-LABEL: func.func @unranked_to_other_memory(%m: memref<*xf32>) -> memref<*xf32, 1 : i64> {
// CHECK-NEXT:    %t = bufferization.to_tensor %m : memref<*xf32> to tensor<*xf32>
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<*xf32> to memref<*xf32, 1 : i64>
// CHECK-NEXT:    func.return %0 : memref<*xf32, 1 : i64>
func.func @unranked_to_other_memory(%m: memref<*xf32>) -> memref<*xf32, 1 : i64> {
  %t = bufferization.to_tensor %m : memref<*xf32> to tensor<*xf32>
  %0 = bufferization.to_buffer %t : tensor<*xf32> to memref<*xf32, 1 : i64>
  func.return %0 : memref<*xf32, 1 : i64>
}

// An allocation needs to know the strides.
// CHECK-LABEL: func.func @unknown_strides(%m: memref<4x?xf32, strided<[?, ?], offset: ?>>) -> memref<4x?xf32, strided<[7, ?]>> {
// CHECK-NEXT:    %t = bufferization.to_tensor %m : memref<4x?xf32, strided<[?, ?], offset: ?>> to tensor<4x?xf32>
// CHECK-NEXT:    %0 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, strided<[7, ?]>>
// CHECK-NEXT:    func.return %0 : memref<4x?xf32, strided<[7, ?]>>
func.func @unknown_strides(%m: memref<4x?xf32, strided<[?, ?], offset: ?>>) -> memref<4x?xf32, strided<[7, ?]>> {
  %t = bufferization.to_tensor %m : memref<4x?xf32, strided<[?, ?], offset: ?>> to tensor<4x?xf32>
  %0 = bufferization.to_buffer %t : tensor<4x?xf32> to memref<4x?xf32, strided<[7, ?]>>
  func.return %0 : memref<4x?xf32, strided<[7, ?]>>
}

// Another encoding is another type.
// CHECK-LABEL: func.func @other_encoding(%t: tensor<4xf32, "enc">) -> tensor<4xf32> {
// CHECK-NEXT:    %m = bufferization.to_buffer %t : tensor<4xf32, "enc"> to memref<4xf32>
// CHECK-NEXT:    %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    func.return %0 : tensor<4xf32>
func.func @other_encoding(%t: tensor<4xf32, "enc">) -> tensor<4xf32> {
  %m = bufferization.to_buffer %t : tensor<4xf32, "enc"> to memref<4xf32>
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// The former name is the same op.
// CHECK-LABEL: func.func @to_memref(%t: tensor<?xf32>, %m: memref<4xf32>, %i: index) -> (memref<?xf32>, index, memref<4xf32>, tensor<?xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t read_only {note} : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %1 = tensor.dim %t, %i : tensor<?xf32>
// CHECK-NEXT:    func.return %0, %1, %m, %t : memref<?xf32>, index, memref<4xf32>, tensor<?xf32>
func.func @to_memref(%t: tensor<?xf32>, %m: memref<4xf32>, %i: index) -> (memref<?xf32>, index, memref<4xf32>, tensor<?xf32>) {
  %0 = bufferization.to_memref %t read_only {note} : tensor<?xf32> to memref<?xf32>
  %1 = memref.dim %0, %i : memref<?xf32>
  %u = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %2 = bufferization.to_memref %u : tensor<4xf32> to memref<4xf32>
  %3 = bufferization.to_memref %t : tensor<?xf32> to memref<?xf32>
  %4 = bufferization.to_tensor %3 : memref<?xf32> to tensor<?xf32>
  func.return %0, %1, %2, %4 : memref<?xf32>, index, memref<4xf32>, tensor<?xf32>
}

// What is read through the buffer is not what another op makes of the tensor, in place.
// CHECK-LABEL: func.func @written_in_place
// CHECK:         bufferization.to_tensor %m restrict writable
// CHECK:         %b = bufferization.to_buffer %t read_only
// CHECK:         %x = tensor.extract %t[%i]
// CHECK:         func.call @read(%b)
func.func private @read(memref<4xf32>)
func.func @written_in_place(%m: memref<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %b = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  %x = memref.load %b[%i] : memref<4xf32>
  func.call @read(%b) : (memref<4xf32>) -> ()
  func.return %w, %x : tensor<4xf32>, f32
}

// Another layout is no other case.
// CHECK-LABEL: func.func @written_in_place_with_layout
// CHECK:         %b = bufferization.to_buffer %t read_only
func.func private @read_strided(memref<4xf32, strided<[?], offset: ?>>)
func.func @written_in_place_with_layout(%m: memref<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %w = tensor.insert %f into %t[%i] : tensor<4xf32>
  %b = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
  func.call @read_strided(%b) : (memref<4xf32, strided<[?], offset: ?>>) -> ()
  func.return %w : tensor<4xf32>
}

// A memref that must not be written is not what may be.
// CHECK-LABEL: func.func @written_buffer
// CHECK:         %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
// CHECK:         memref.store %f, %b[%i]
func.func @written_buffer(%m: memref<4xf32>, %f: f32, %i: index) {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %f, %b[%i] : memref<4xf32>
  func.return
}

// It is if it is only read,
// CHECK-LABEL: func.func @read_buffer
// CHECK-NEXT:    func.call @read(%m)
func.func @read_buffer(%m: memref<4xf32>) {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32>
  func.call @read(%b) : (memref<4xf32>) -> ()
  func.return
}

// or there is no other op on the tensor.
// CHECK-LABEL: func.func @only_use
// CHECK-NEXT:    memref.store %f, %m[%i]
func.func @only_use(%m: memref<4xf32>, %f: f32, %i: index) {
  %t = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  %b = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %f, %b[%i] : memref<4xf32>
  func.return
}
