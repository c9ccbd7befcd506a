// RUN: xdsl-opt %s -p eliminate-empty-tensors --verify-diagnostics | filecheck %s

func.func @no_restrict(%m: memref<16xf32>, %x: f32) -> tensor<16xf32> {
  %t = bufferization.to_tensor %m : memref<16xf32> to tensor<16xf32>
  %e = tensor.empty() : tensor<16xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %r = bufferization.materialize_in_destination %f in %t : (tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>
  func.return %r : tensor<16xf32>
}

// CHECK: 'bufferization.to_tensor' without `restrict` is not supported
// CHECK-NEXT: at: {{.*}}: in @no_restrict{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
