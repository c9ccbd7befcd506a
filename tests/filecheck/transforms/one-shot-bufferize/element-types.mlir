// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' --allow-unregistered-dialect --verify-diagnostics --split-input-file | filecheck %s

func.func @quantized(%t: tensor<2x!quant.uniform<i8:f32, 0.5>>) {
  func.return
}

// CHECK: 'func.func' has a tensor that no memref can hold: !quant.uniform<i8:f32, 0.5> cannot be the element type of a memref
// CHECK-NEXT: at: {{.*}}: in @quantized{{$}}
// CHECK-NEXT: {{[0-9]+}} | {{.*}}
// CHECK-NEXT: | {{ *\^+$}}
// CHECK-NEXT: hint: lower it to an integer or float type before

// -----

func.func @pointers() {
  %e = tensor.empty() : tensor<2x!llvm.ptr>
  func.return
}

// CHECK: 'tensor.empty' has a tensor that no memref can hold: !llvm.ptr cannot be the element type of a memref

// -----

func.func @unranked(%t: tensor<*x!shape.size>) {
  func.return
}

// CHECK: 'func.func' has a tensor that no memref can hold: !shape.size cannot be

// -----

func.func @nested(%t: tensor<2xtensor<2xf32>>) {
  func.return
}

// CHECK: 'func.func' has a tensor that no memref can hold: tensor<2xf32> cannot be

// -----

func.func @fine(%b: tensor<2xcomplex<f32>>, %c: tensor<2xindex>, %d: tensor<2xvector<4xi1>>, %e: tensor<2xmemref<2xf32>>, %f: tensor<2x!mine.type>, %g: tensor<2x!test.type<"t">>) {
  func.return
}

// CHECK-LABEL: func.func @fine(
// CHECK-SAME: memref<2xcomplex<f32>, {{.*}}memref<2xindex, {{.*}}memref<2xvector<4xi1>, {{.*}}memref<2xmemref<2xf32>, {{.*}}memref<2x!mine.type, {{.*}}memref<2x!test.type<"t">,
