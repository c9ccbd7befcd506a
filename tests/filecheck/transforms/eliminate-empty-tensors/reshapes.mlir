// RUN: xdsl-opt %s -p 'eliminate-empty-tensors' | filecheck %s

// The part of the destination is expanded, and merged again.
// CHECK-LABEL: func.func @collapsed(
// CHECK-NEXT: %d = tensor.empty() : tensor<4x8xf32>
// CHECK-NEXT: %0 = tensor.extract_slice %d[1, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
// CHECK-NEXT: %1 = tensor.expand_shape %0 {{\[\[}}0 : i64], [1 : i64, 2 : i64]] output_shape [2, 4, 2] : tensor<2x8xf32> into tensor<2x4x2xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%1 : tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
// CHECK-NEXT: %c = tensor.collapse_shape %f {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<2x4x2xf32> into tensor<2x8xf32>
// CHECK-NEXT: %r = tensor.insert_slice %c into %d[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
// CHECK-NEXT: func.return %r : tensor<4x8xf32>
// CHECK-NEXT: }
func.func @collapsed(%x: f32) -> tensor<4x8xf32> {
  %d = tensor.empty() : tensor<4x8xf32>
  %e = tensor.empty() : tensor<2x4x2xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
  %c = tensor.collapse_shape %f [[0], [1, 2]] : tensor<2x4x2xf32> into tensor<2x8xf32>
  %r = tensor.insert_slice %c into %d[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// Dimensions of size 1 are added and dropped in any layout.
// CHECK-LABEL: func.func @unit(
// CHECK-NEXT: %0 = tensor.extract_slice %t[1, 0, 0] [2, 1, 8] [1, 1, 1] : tensor<4x1x8xf32> to tensor<2x1x8xf32>
// CHECK-NEXT: %1 = tensor.collapse_shape %0 {{\[\[}}0 : i64, 1 : i64], [2 : i64]] : tensor<2x1x8xf32> into tensor<2x8xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%1 : tensor<2x8xf32>) -> tensor<2x8xf32>
// CHECK-NEXT: %c = tensor.expand_shape %f {{\[\[}}0 : i64, 1 : i64], [2 : i64]] output_shape [2, 1, 8] : tensor<2x8xf32> into tensor<2x1x8xf32>
// CHECK-NEXT: %r = tensor.insert_slice %c into %t[1, 0, 0] [2, 1, 8] [1, 1, 1] : tensor<2x1x8xf32> into tensor<4x1x8xf32>
// CHECK-NEXT: func.return %r : tensor<4x1x8xf32>
// CHECK-NEXT: }
func.func @unit(%t: tensor<4x1x8xf32>, %x: f32) -> tensor<4x1x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %c = tensor.expand_shape %f [[0, 1], [2]] output_shape [2, 1, 8] : tensor<2x8xf32> into tensor<2x1x8xf32>
  %r = tensor.insert_slice %c into %t[1, 0, 0] [2, 1, 8] [1, 1, 1] : tensor<2x1x8xf32> into tensor<4x1x8xf32>
  func.return %r : tensor<4x1x8xf32>
}

// The layout of an argument is not known, so that merging a part of it would be a copy.
// CHECK-LABEL: func.func @unknown_layout(
// CHECK-NEXT: %e = tensor.empty() : tensor<2x4x2xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%e : tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
// CHECK-NEXT: %c = tensor.collapse_shape %f {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<2x4x2xf32> into tensor<2x8xf32>
// CHECK-NEXT: %r = tensor.insert_slice %c into %t[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
// CHECK-NEXT: func.return %r : tensor<4x8xf32>
// CHECK-NEXT: }
func.func @unknown_layout(%t: tensor<4x8xf32>, %x: f32) -> tensor<4x8xf32> {
  %e = tensor.empty() : tensor<2x4x2xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<2x4x2xf32>) -> tensor<2x4x2xf32>
  %c = tensor.collapse_shape %f [[0], [1, 2]] : tensor<2x4x2xf32> into tensor<2x8xf32>
  %r = tensor.insert_slice %c into %t[1, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// The parts of two rows are not next to each other.
// CHECK-LABEL: func.func @merged(
// CHECK-NEXT: %d = tensor.empty() : tensor<8x8xf32>
// CHECK-NEXT: %e = tensor.empty() : tensor<8xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %c = tensor.expand_shape %f {{\[\[}}0 : i64, 1 : i64]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
// CHECK-NEXT: %r = tensor.insert_slice %c into %d[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
// CHECK-NEXT: func.return %r : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @merged(%x: f32) -> tensor<8x8xf32> {
  %d = tensor.empty() : tensor<8x8xf32>
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = tensor.expand_shape %f [[0, 1]] output_shape [2, 4] : tensor<8xf32> into tensor<2x4xf32>
  %r = tensor.insert_slice %c into %d[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<8x8xf32>
  func.return %r : tensor<8x8xf32>
}

// Several reshapes, and an op in between.
// CHECK-LABEL: func.func @several(
// CHECK-NEXT: %d = tensor.empty() : tensor<4x16xf32>
// CHECK-NEXT: %0 = tensor.extract_slice %d[0, 0] [2, 16] [1, 1] : tensor<4x16xf32> to tensor<2x16xf32>
// CHECK-NEXT: %1 = tensor.expand_shape %0 {{\[\[}}0 : i64], [1 : i64, 2 : i64]] output_shape [2, 8, 2] : tensor<2x16xf32> into tensor<2x8x2xf32>
// CHECK-NEXT: %2 = tensor.expand_shape %1 {{\[\[}}0 : i64], [1 : i64, 2 : i64], [3 : i64]] output_shape [2, 4, 2, 2] : tensor<2x8x2xf32> into tensor<2x4x2x2xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%2 : tensor<2x4x2x2xf32>) -> tensor<2x4x2x2xf32>
// CHECK-NEXT: %c = tensor.collapse_shape %f {{\[\[}}0 : i64], [1 : i64, 2 : i64], [3 : i64]] : tensor<2x4x2x2xf32> into tensor<2x8x2xf32>
// CHECK-NEXT: %g = linalg.exp ins(%c : tensor<2x8x2xf32>) outs(%c : tensor<2x8x2xf32>) -> tensor<2x8x2xf32>
// CHECK-NEXT: %k = tensor.collapse_shape %g {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<2x8x2xf32> into tensor<2x16xf32>
// CHECK-NEXT: %r = tensor.insert_slice %k into %d[0, 0] [2, 16] [1, 1] : tensor<2x16xf32> into tensor<4x16xf32>
// CHECK-NEXT: func.return %r : tensor<4x16xf32>
// CHECK-NEXT: }
func.func @several(%x: f32) -> tensor<4x16xf32> {
  %d = tensor.empty() : tensor<4x16xf32>
  %e = tensor.empty() : tensor<2x4x2x2xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<2x4x2x2xf32>) -> tensor<2x4x2x2xf32>
  %c = tensor.collapse_shape %f [[0], [1, 2], [3]] : tensor<2x4x2x2xf32> into tensor<2x8x2xf32>
  %g = linalg.exp ins(%c : tensor<2x8x2xf32>) outs(%c : tensor<2x8x2xf32>) -> tensor<2x8x2xf32>
  %k = tensor.collapse_shape %g [[0], [1, 2]] : tensor<2x8x2xf32> into tensor<2x16xf32>
  %r = tensor.insert_slice %k into %d[0, 0] [2, 16] [1, 1] : tensor<2x16xf32> into tensor<4x16xf32>
  func.return %r : tensor<4x16xf32>
}

// The sizes are those of the empty tensor.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NEXT: %d = tensor.empty() : tensor<8x32xf32>
// CHECK-NEXT: %0 = tensor.extract_slice %d[0, 0] [%n, 8] [1, 1] : tensor<8x32xf32> to tensor<?x8xf32>
// CHECK-NEXT: %1 = tensor.expand_shape %0 {{\[\[}}0 : i64], [1 : i64, 2 : i64]] output_shape [%n, 4, 2] : tensor<?x8xf32> into tensor<?x4x2xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%1 : tensor<?x4x2xf32>) -> tensor<?x4x2xf32>
// CHECK-NEXT: %c = tensor.collapse_shape %f {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<?x4x2xf32> into tensor<?x8xf32>
// CHECK-NEXT: %r = tensor.insert_slice %c into %d[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<8x32xf32>
// CHECK-NEXT: func.return %r : tensor<8x32xf32>
// CHECK-NEXT: }
func.func @dynamic(%n: index, %x: f32) -> tensor<8x32xf32> {
  %d = tensor.empty() : tensor<8x32xf32>
  %e = tensor.empty(%n) : tensor<?x4x2xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?x4x2xf32>) -> tensor<?x4x2xf32>
  %c = tensor.collapse_shape %f [[0], [1, 2]] : tensor<?x4x2xf32> into tensor<?x8xf32>
  %r = tensor.insert_slice %c into %d[0, 0] [%n, 8] [1, 1] : tensor<?x8xf32> into tensor<8x32xf32>
  func.return %r : tensor<8x32xf32>
}

// In between, a size is not known.
// CHECK-LABEL: func.func @several_dynamic(
// CHECK-NEXT: %d = tensor.empty() : tensor<8x32xf32>
// CHECK-NEXT: %e = tensor.empty(%n) : tensor<?x4x2x2xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%e : tensor<?x4x2x2xf32>) -> tensor<?x4x2x2xf32>
// CHECK-NEXT: %c = tensor.collapse_shape %f {{\[\[}}0 : i64], [1 : i64, 2 : i64], [3 : i64]] : tensor<?x4x2x2xf32> into tensor<?x8x2xf32>
// CHECK-NEXT: %k = tensor.collapse_shape %c {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<?x8x2xf32> into tensor<?x16xf32>
// CHECK-NEXT: %r = tensor.insert_slice %k into %d[0, 0] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<8x32xf32>
// CHECK-NEXT: func.return %r : tensor<8x32xf32>
// CHECK-NEXT: }
func.func @several_dynamic(%n: index, %x: f32) -> tensor<8x32xf32> {
  %d = tensor.empty() : tensor<8x32xf32>
  %e = tensor.empty(%n) : tensor<?x4x2x2xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<?x4x2x2xf32>) -> tensor<?x4x2x2xf32>
  %c = tensor.collapse_shape %f [[0], [1, 2], [3]] : tensor<?x4x2x2xf32> into tensor<?x8x2xf32>
  %k = tensor.collapse_shape %c [[0], [1, 2]] : tensor<?x8x2xf32> into tensor<?x16xf32>
  %r = tensor.insert_slice %k into %d[0, 0] [%n, 16] [1, 1] : tensor<?x16xf32> into tensor<8x32xf32>
  func.return %r : tensor<8x32xf32>
}

// What a loop starts with is known.
// CHECK-LABEL: func.func @loop(
// CHECK-NEXT: %c0 = arith.constant 0 : index
// CHECK-NEXT: %c1 = arith.constant 1 : index
// CHECK-NEXT: %d = tensor.empty() : tensor<8x8xf32>
// CHECK-NEXT: %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d) -> (tensor<8x8xf32>) {
// CHECK-NEXT: %0 = tensor.extract_slice %a[%i, 0] [1, 8] [1, 1] : tensor<8x8xf32> to tensor<1x8xf32>
// CHECK-NEXT: %1 = tensor.expand_shape %0 {{\[\[}}0 : i64], [1 : i64, 2 : i64]] output_shape [1, 4, 2] : tensor<1x8xf32> into tensor<1x4x2xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%1 : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
// CHECK-NEXT: %c = tensor.collapse_shape %f {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<1x4x2xf32> into tensor<1x8xf32>
// CHECK-NEXT: %r = tensor.insert_slice %c into %a[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
// CHECK-NEXT: scf.yield %r : tensor<8x8xf32>
// CHECK-NEXT: }
// CHECK-NEXT: func.return %l : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @loop(%x: f32, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d = tensor.empty() : tensor<8x8xf32>
  %l = scf.for %i = %c0 to %n step %c1 iter_args(%a = %d) -> (tensor<8x8xf32>) {
    %e = tensor.empty() : tensor<1x4x2xf32>
    %f = linalg.fill ins(%x : f32) outs(%e : tensor<1x4x2xf32>) -> tensor<1x4x2xf32>
    %c = tensor.collapse_shape %f [[0], [1, 2]] : tensor<1x4x2xf32> into tensor<1x8xf32>
    %r = tensor.insert_slice %c into %a[%i, 0] [1, 8] [1, 1] : tensor<1x8xf32> into tensor<8x8xf32>
    scf.yield %r : tensor<8x8xf32>
  }
  func.return %l : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @memref(
// CHECK-NEXT: %0 = bufferization.to_tensor %m restrict writable : memref<4x8xf32> to tensor<4x8xf32>
// CHECK-NEXT: %1 = tensor.expand_shape %0 {{\[\[}}0 : i64], [1 : i64, 2 : i64]] output_shape [4, 4, 2] : tensor<4x8xf32> into tensor<4x4x2xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%1 : tensor<4x4x2xf32>) -> tensor<4x4x2xf32>
// CHECK-NEXT: %c = tensor.collapse_shape %f {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<4x4x2xf32> into tensor<4x8xf32>
// CHECK-NEXT: bufferization.materialize_in_destination %c in writable %m : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
// CHECK-NEXT: func.return
// CHECK-NEXT: }
func.func @memref(%m: memref<4x8xf32>, %x: f32) {
  %e = tensor.empty() : tensor<4x4x2xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x4x2xf32>) -> tensor<4x4x2xf32>
  %c = tensor.collapse_shape %f [[0], [1, 2]] : tensor<4x4x2xf32> into tensor<4x8xf32>
  bufferization.materialize_in_destination %c in restrict writable %m : (tensor<4x8xf32>, memref<4x8xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func @memref_of_unknown_layout(
// CHECK-NEXT: %e = tensor.empty() : tensor<4x4x2xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x4x2xf32>) -> tensor<4x4x2xf32>
// CHECK-NEXT: %c = tensor.collapse_shape %f {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<4x4x2xf32> into tensor<4x8xf32>
// CHECK-NEXT: bufferization.materialize_in_destination %c in restrict writable %m : (tensor<4x8xf32>, memref<4x8xf32, strided<[?, ?]>>) -> ()
// CHECK-NEXT: func.return
// CHECK-NEXT: }
func.func @memref_of_unknown_layout(%m: memref<4x8xf32, strided<[?, ?]>>, %x: f32) {
  %e = tensor.empty() : tensor<4x4x2xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<4x4x2xf32>) -> tensor<4x4x2xf32>
  %c = tensor.collapse_shape %f [[0], [1, 2]] : tensor<4x4x2xf32> into tensor<4x8xf32>
  bufferization.materialize_in_destination %c in restrict writable %m : (tensor<4x8xf32>, memref<4x8xf32, strided<[?, ?]>>) -> ()
  func.return
}

// Inner sizes are not known, so that merging a part would be a copy.
// CHECK-LABEL: func.func @inner_dynamic(
// CHECK-NEXT: %d = tensor.empty() : tensor<8x32xf32>
// CHECK-NEXT: %e = tensor.empty(%n) : tensor<8x4x?xf32>
// CHECK-NEXT: %f = linalg.fill ins(%x : f32) outs(%e : tensor<8x4x?xf32>) -> tensor<8x4x?xf32>
// CHECK-NEXT: %c = tensor.collapse_shape %f {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<8x4x?xf32> into tensor<8x?xf32>
// CHECK-NEXT: %r = tensor.insert_slice %c into %d[0, 0] [8, %s] [1, 1] : tensor<8x?xf32> into tensor<8x32xf32>
// CHECK-NEXT: func.return %r : tensor<8x32xf32>
// CHECK-NEXT: }
func.func @inner_dynamic(%n: index, %s: index, %x: f32) -> tensor<8x32xf32> {
  %d = tensor.empty() : tensor<8x32xf32>
  %e = tensor.empty(%n) : tensor<8x4x?xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8x4x?xf32>) -> tensor<8x4x?xf32>
  %c = tensor.collapse_shape %f [[0], [1, 2]] : tensor<8x4x?xf32> into tensor<8x?xf32>
  %r = tensor.insert_slice %c into %d[0, 0] [8, %s] [1, 1] : tensor<8x?xf32> into tensor<8x32xf32>
  func.return %r : tensor<8x32xf32>
}
