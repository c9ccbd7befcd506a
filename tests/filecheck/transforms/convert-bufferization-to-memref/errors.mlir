// RUN: xdsl-opt %s -p convert-bufferization-to-memref --verify-diagnostics --split-input-file | filecheck %s

func.func @to_buffer(%t: tensor<4xf32>) -> memref<4xf32> {
  %m = bufferization.to_buffer %t : tensor<4xf32> to memref<4xf32>
  func.return %m : memref<4xf32>
}

// CHECK: 'bufferization.to_buffer' cannot be lowered to memref ops
// CHECK-NEXT: at: {{.*}}: in @to_buffer{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: run one-shot-bufferize with bufferize-function-boundaries first

// -----

// Even if nobody needs the tensor.
func.func @to_tensor(%m: memref<4xf32>) {
  %t = bufferization.to_tensor %m restrict : memref<4xf32> to tensor<4xf32>
  func.return
}

// CHECK: 'bufferization.to_tensor' cannot be lowered to memref ops

// -----

func.func @alloc_tensor() -> tensor<4xf32> {
  %t = bufferization.alloc_tensor() : tensor<4xf32>
  func.return %t : tensor<4xf32>
}

// CHECK: 'bufferization.alloc_tensor' cannot be lowered to memref ops

// -----

func.func @dealloc_tensor(%t: tensor<4xf32>) {
  bufferization.dealloc_tensor %t : tensor<4xf32>
  func.return
}

// CHECK: 'bufferization.dealloc_tensor' cannot be lowered to memref ops

// -----

func.func @materialize(%t: tensor<4xf32>, %m: memref<4xf32>) {
  bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  func.return
}

// CHECK: 'bufferization.materialize_in_destination' cannot be lowered to memref ops

// -----

// A new buffer has no gaps between its elements, and how large one with gaps has to be depends
// on the run.
func.func @gaps(%m: memref<?x4xf32, strided<[8, 1]>>) -> memref<?x4xf32, strided<[8, 1]>> {
  %c = bufferization.clone %m : memref<?x4xf32, strided<[8, 1]>> to memref<?x4xf32, strided<[8, 1]>>
  func.return %c : memref<?x4xf32, strided<[8, 1]>>
}

// CHECK: 'bufferization.clone' allocates memref<?x4xf32>, which cannot be cast to memref<?x4xf32, strided<[8, 1]>>
// CHECK-NEXT: at: {{.*}}: in @gaps{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: clone to a layout with unknown strides and offset
