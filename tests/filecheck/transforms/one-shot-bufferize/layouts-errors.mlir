// RUN: xdsl-opt %s -p 'one-shot-bufferize' --verify-diagnostics --split-input-file | filecheck %s

// There are no views of a memref whose layout is not strided.

func.func @slice(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> to tensor<4x4xf32>
  %s = tensor.extract_slice %t[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  %x = tensor.extract %s[%i, %i] : tensor<2x2xf32>
  func.return %x : f32
}

// CHECK: 'tensor.extract_slice' cannot be a view: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> has a layout that is not strided
// CHECK-NEXT: at: {{.*}}: in @slice{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: copy the tensor with bufferization.alloc_tensor before

// -----

func.func @expanded(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> to tensor<4x4xf32>
  %s = tensor.expand_shape %t [[0 : i64, 1 : i64], [2 : i64]] output_shape [2, 2, 4] : tensor<4x4xf32> into tensor<2x2x4xf32>
  %x = tensor.extract %s[%i, %i, %i] : tensor<2x2x4xf32>
  func.return %x : f32
}

// CHECK: 'tensor.expand_shape' cannot be a view:

// -----

func.func @inserted(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %u: tensor<2x2xf32>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> to tensor<4x4xf32>
  %s = tensor.insert_slice %u into %t[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  %x = tensor.extract %s[%i, %i] : tensor<4x4xf32>
  func.return %x : f32
}

// CHECK: 'tensor.insert_slice' cannot be a view:

// -----

// As the hint says:

func.func @copied(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> to tensor<4x4xf32>
  %c = bufferization.alloc_tensor() copy(%t) : tensor<4x4xf32>
  %s = tensor.extract_slice %c[0, 0] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  %x = tensor.extract %s[%i, %i] : tensor<2x2xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @copied(
// CHECK: memref.subview
