// xDSL's canonicalize folds no ops before 0.64.
// REQUIRES: xdsl-0.64
// RUN: xdsl-opt %s -p canonicalize | filecheck %s

// CHECK-LABEL: func.func @to_tensor_of_to_buffer(%t: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    func.return %t : tensor<4xf32>
func.func @to_tensor_of_to_buffer(%t: tensor<4xf32>) -> tensor<4xf32> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %0 = bufferization.to_tensor %m restrict writable : memref<4xf32> to tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @written_in_between(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
// CHECK-NEXT:    %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    memref.store %f, %m[%i] : memref<4xf32>
// CHECK-NEXT:    %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    func.return %0 : tensor<4xf32>
func.func @written_in_between(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  memref.store %f, %m[%i] : memref<4xf32>
  %0 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @to_buffer_of_to_tensor(%m: memref<4xf32, 1 : i64>, %u: memref<*xf32>) -> (memref<4xf32, 1 : i64>, memref<*xf32>) {
// CHECK-NEXT:    func.return %m, %u : memref<4xf32, 1 : i64>, memref<*xf32>
func.func @to_buffer_of_to_tensor(%m: memref<4xf32, 1 : i64>, %u: memref<*xf32>) -> (memref<4xf32, 1 : i64>, memref<*xf32>) {
  %t = bufferization.to_tensor %m : memref<4xf32, 1 : i64> to tensor<4xf32, "enc">
  %0 = bufferization.to_buffer %t : tensor<4xf32, "enc"> to memref<4xf32, 1 : i64>
  %v = bufferization.to_tensor %u : memref<*xf32> to tensor<*xf32>
  %1 = bufferization.to_buffer %v : tensor<*xf32> to memref<*xf32>
  func.return %0, %1 : memref<4xf32, 1 : i64>, memref<*xf32>
}

// To a type that says less, a cast.
// CHECK-LABEL: func.func @cast(%m: memref<4x4xf32>, %s: memref<4x4xf32, strided<[4, 1]>>) -> (memref<4x4xf32, strided<[?, ?], offset: ?>>, memref<4x4xf32>) {
// CHECK-NEXT:    %0 = "memref.cast"(%m) : (memref<4x4xf32>) -> memref<4x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    %1 = "memref.cast"(%s) : (memref<4x4xf32, strided<[4, 1]>>) -> memref<4x4xf32>
// CHECK-NEXT:    func.return %0, %1 : memref<4x4xf32, strided<[?, ?], offset: ?>>, memref<4x4xf32>
func.func @cast(%m: memref<4x4xf32>, %s: memref<4x4xf32, strided<[4, 1]>>) -> (memref<4x4xf32, strided<[?, ?], offset: ?>>, memref<4x4xf32>) {
  %t = bufferization.to_tensor %m : memref<4x4xf32> to tensor<4x4xf32>
  %0 = bufferization.to_buffer %t : tensor<4x4xf32> to memref<4x4xf32, strided<[?, ?], offset: ?>>
  %u = bufferization.to_tensor %s : memref<4x4xf32, strided<[4, 1]>> to tensor<4x4xf32>
  %1 = bufferization.to_buffer %u : tensor<4x4xf32> to memref<4x4xf32>
  func.return %0, %1 : memref<4x4xf32, strided<[?, ?], offset: ?>>, memref<4x4xf32>
}

// To a type that says more, or to other memory, a copy.
// CHECK-LABEL: func.func @copy(%m: memref<?x4xf32, strided<[?, ?], offset: ?>>) -> memref<?x4xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    %2 = memref.alloc(%1) : memref<?x4xf32>
// CHECK-NEXT:    "memref.copy"(%m, %2) : (memref<?x4xf32, strided<[?, ?], offset: ?>>, memref<?x4xf32>) -> ()
// CHECK-NEXT:    func.return %2 : memref<?x4xf32>
func.func @copy(%m: memref<?x4xf32, strided<[?, ?], offset: ?>>) -> memref<?x4xf32> {
  %t = bufferization.to_tensor %m : memref<?x4xf32, strided<[?, ?], offset: ?>> to tensor<?x4xf32>
  %0 = bufferization.to_buffer %t : tensor<?x4xf32> to memref<?x4xf32>
  func.return %0 : memref<?x4xf32>
}

// CHECK-LABEL: func.func @copy_to_other_memory(%m: memref<4xf32, 1 : i64>) -> memref<4xf32> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4xf32, 1 : i64>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %0 : memref<4xf32>
func.func @copy_to_other_memory(%m: memref<4xf32, 1 : i64>) -> memref<4xf32> {
  %t = bufferization.to_tensor %m : memref<4xf32, 1 : i64> to tensor<4xf32>
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  func.return %0 : memref<4xf32>
}

// CHECK-LABEL: func.func @to_buffer_of_cast(%t: tensor<4xf32>, %v: tensor<?xf32>) -> (memref<?xf32, strided<[?], offset: ?>>, memref<4xf32>, memref<*xf32>) {
// CHECK-NEXT:    %0 = bufferization.to_buffer %t read_only : tensor<4xf32> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %1 = "memref.cast"(%0) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %2 = bufferization.to_buffer %v : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %3 = "memref.cast"(%2) : (memref<?xf32>) -> memref<4xf32>
// CHECK-NEXT:    %4 = bufferization.to_buffer %v : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    %5 = "memref.cast"(%4) : (memref<?xf32>) -> memref<*xf32>
// CHECK-NEXT:    func.return %1, %3, %5 : memref<?xf32, strided<[?], offset: ?>>, memref<4xf32>, memref<*xf32>
func.func @to_buffer_of_cast(%t: tensor<4xf32>, %v: tensor<?xf32>) -> (memref<?xf32, strided<[?], offset: ?>>, memref<4xf32>, memref<*xf32>) {
  %c = tensor.cast %t : tensor<4xf32> to tensor<?xf32>
  %0 = bufferization.to_buffer %c read_only : tensor<?xf32> to memref<?xf32, strided<[?], offset: ?>>
  %d = tensor.cast %v : tensor<?xf32> to tensor<4xf32>
  %1 = bufferization.to_buffer %d : tensor<4xf32> to memref<4xf32>
  %e = tensor.cast %v : tensor<?xf32> to tensor<*xf32>
  %2 = bufferization.to_buffer %e : tensor<*xf32> to memref<*xf32>
  func.return %0, %1, %2 : memref<?xf32, strided<[?], offset: ?>>, memref<4xf32>, memref<*xf32>
}

// CHECK-LABEL: func.func @to_buffer_of_cast_from_unranked(%t: tensor<*xf32>) -> memref<?xf32> {
// CHECK-NEXT:    %c = tensor.cast %t : tensor<*xf32> to tensor<?xf32>
// CHECK-NEXT:    %0 = bufferization.to_buffer %c : tensor<?xf32> to memref<?xf32>
// CHECK-NEXT:    func.return %0 : memref<?xf32>
func.func @to_buffer_of_cast_from_unranked(%t: tensor<*xf32>) -> memref<?xf32> {
  %c = tensor.cast %t : tensor<*xf32> to tensor<?xf32>
  %0 = bufferization.to_buffer %c : tensor<?xf32> to memref<?xf32>
  func.return %0 : memref<?xf32>
}

// CHECK-LABEL: func.func @dim(%t: tensor<?xf32>, %m: memref<?xf32>, %u: tensor<*xf32>, %i: index) -> (index, index, index) {
// CHECK-NEXT:    %0 = tensor.dim %t, %i : tensor<?xf32>
// CHECK-NEXT:    %1 = memref.dim %m, %i : memref<?xf32>
// CHECK-NEXT:    %2 = tensor.dim %u, %i : tensor<*xf32>
// CHECK-NEXT:    func.return %0, %1, %2 : index, index, index
func.func @dim(%t: tensor<?xf32>, %m: memref<?xf32>, %u: tensor<*xf32>, %i: index) -> (index, index, index) {
  %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %0 = memref.dim %b, %i : memref<?xf32>
  %c = bufferization.to_tensor %m : memref<?xf32> to tensor<?xf32>
  %1 = tensor.dim %c, %i : tensor<?xf32>
  %d = bufferization.to_buffer %u : tensor<*xf32> to memref<*xf32>
  %2 = memref.dim %d, %i : memref<*xf32>
  func.return %0, %1, %2 : index, index, index
}

// CHECK-LABEL: func.func @load(%t: tensor<4xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %0 = tensor.extract %t[%i] : tensor<4xf32>
// CHECK-NEXT:    func.return %0 : f32
func.func @load(%t: tensor<4xf32>, %i: index) -> f32 {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %0 = memref.load %m[%i] : memref<4xf32>
  func.return %0 : f32
}

// CHECK-LABEL: func.func @unused(%t: tensor<4xf32>, %m: memref<4xf32>) {
// CHECK-NEXT:    func.return
func.func @unused(%t: tensor<4xf32>, %m: memref<4xf32>) {
  %0 = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  %1 = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  func.return
}
