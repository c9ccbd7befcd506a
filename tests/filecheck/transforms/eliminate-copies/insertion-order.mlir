// RUN: xdsl-opt %s -p 'eliminate-copies' | filecheck %s

// The skip connection %s is computed before %d, and read once more before it is inserted.
// CHECK-LABEL: func.func @skip(
// CHECK-NEXT: %0 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %1 = tensor.extract_slice %0[2, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
// CHECK-NEXT: %s = linalg.exp ins(%a : tensor<2x4xf32>) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %2 = tensor.insert_slice %s into %0[2, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
// CHECK-NEXT: %3 = tensor.extract_slice %2[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
// CHECK-NEXT: %f = linalg.fill ins(%zero : f32) outs(%3 : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %d = linalg.matmul ins(%s, %w : tensor<2x4xf32>, tensor<4x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %4 = tensor.insert_slice %d into %2[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
// CHECK-NEXT: func.return %4 : tensor<4x4xf32>
// CHECK-NEXT: }
func.func @skip(%a: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %s = linalg.exp ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %zero = arith.constant 0.0 : f32
  %g = tensor.empty() : tensor<2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%g : tensor<2x4xf32>) -> tensor<2x4xf32>
  %d = linalg.matmul ins(%s, %w : tensor<2x4xf32>, tensor<4x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = tensor.insert_slice %d into %0[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  %2 = tensor.insert_slice %s into %1[2, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  func.return %2 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @concatenated(
// CHECK-NEXT: %0 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %1 = tensor.extract_slice %0[2, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
// CHECK-NEXT: %s = linalg.exp ins(%a : tensor<2x4xf32>) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %2 = tensor.insert_slice %s into %0[2, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
// CHECK-NEXT: %3 = tensor.extract_slice %2[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
// CHECK-NEXT: %f = linalg.fill ins(%zero : f32) outs(%3 : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %d = linalg.matmul ins(%s, %w : tensor<2x4xf32>, tensor<4x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %4 = tensor.insert_slice %d into %2[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
// CHECK-NEXT: func.return %4 : tensor<4x4xf32>
// CHECK-NEXT: }
func.func @concatenated(%a: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %s = linalg.exp ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %zero = arith.constant 0.0 : f32
  %g = tensor.empty() : tensor<2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%g : tensor<2x4xf32>) -> tensor<2x4xf32>
  %d = linalg.matmul ins(%s, %w : tensor<2x4xf32>, tensor<4x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = tensor.concat dim(0) %d, %s : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  func.return %2 : tensor<4x4xf32>
}

// The parts overlap: the last one to be inserted is on top.
// CHECK-LABEL: func.func @overlapping(
// CHECK-NEXT: %e = tensor.empty() : tensor<2x4xf32>
// CHECK-NEXT: %s = linalg.exp ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %0 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %1 = tensor.extract_slice %0[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
// CHECK-NEXT: %f = linalg.fill ins(%zero : f32) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %d = linalg.matmul ins(%s, %w : tensor<2x4xf32>, tensor<4x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %2 = tensor.insert_slice %d into %0[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
// CHECK-NEXT: %3 = tensor.insert_slice %s into %2[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
// CHECK-NEXT: func.return %3 : tensor<4x4xf32>
// CHECK-NEXT: }
func.func @overlapping(%a: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %s = linalg.exp ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %zero = arith.constant 0.0 : f32
  %g = tensor.empty() : tensor<2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%g : tensor<2x4xf32>) -> tensor<2x4xf32>
  %d = linalg.matmul ins(%s, %w : tensor<2x4xf32>, tensor<4x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = tensor.insert_slice %d into %0[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  %2 = tensor.insert_slice %s into %1[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  func.return %2 : tensor<4x4xf32>
}

// The same if another op reads %s before %d is computed: inserted first, %s would be computed in its part,
// and %d on top of it.
// CHECK-LABEL: func.func @overlapping_apart(
// CHECK: %[[D:.*]] = tensor.insert_slice %d into %{{.*}}[0, 0] [2, 4] [1, 1]
// CHECK: %[[S:.*]] = tensor.insert_slice %s into %[[D]][1, 0] [2, 4] [1, 1]
// CHECK-NEXT: func.return %[[S]], %v
func.func @overlapping_apart(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>, %w: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<2x4xf32>) {
  %e = tensor.empty() : tensor<2x4xf32>
  %s = linalg.exp ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %zero = arith.constant 0.0 : f32
  %h = tensor.empty() : tensor<2x4xf32>
  %k = linalg.fill ins(%zero : f32) outs(%h : tensor<2x4xf32>) -> tensor<2x4xf32>
  %v = linalg.matmul ins(%s, %w : tensor<2x4xf32>, tensor<4x4xf32>) outs(%k : tensor<2x4xf32>) -> tensor<2x4xf32>
  %g = tensor.empty() : tensor<2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%g : tensor<2x4xf32>) -> tensor<2x4xf32>
  %d = linalg.matmul ins(%v, %w : tensor<2x4xf32>, tensor<4x4xf32>) outs(%f : tensor<2x4xf32>) -> tensor<2x4xf32>
  %0 = tensor.empty() : tensor<4x4xf32>
  %1 = tensor.insert_slice %d into %0[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  %2 = tensor.insert_slice %s into %1[1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
  func.return %2, %v : tensor<4x4xf32>, tensor<2x4xf32>
}
