// RUN: xdsl-opt %s -p 'eliminate-moves' | filecheck %s

// An image is enlarged in one step; its rows with each element twice are nowhere.
// CHECK-LABEL: func.func @enlarged(
// CHECK-NEXT: %0 = tensor.empty() : tensor<4x2x8x2xf32>
// CHECK-NEXT: %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d2)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x2x8x2xf32>) {
// CHECK-NEXT: ^bb0(%2: f32, %3: f32):
// CHECK-NEXT: linalg.yield %2 : f32
// CHECK-NEXT: } -> tensor<4x2x8x2xf32>
// CHECK-NEXT: %u = tensor.collapse_shape %1 {{\[\[}}0 : i64, 1 : i64], [2 : i64], [3 : i64]] : tensor<4x2x8x2xf32> into tensor<8x8x2xf32>
// CHECK-NEXT: %d = tensor.collapse_shape %u {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<8x8x2xf32> into tensor<8x16xf32>
// CHECK-NEXT: func.return %d : tensor<8x16xf32>
// CHECK-NEXT: }
func.func @enlarged(%x: tensor<4x8xf32>) -> tensor<8x16xf32> {
  %e = tensor.empty() : tensor<4x2x8xf32>
  %t = linalg.broadcast ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x2x8xf32>) dimensions = [1]
  %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<4x2x8xf32> into tensor<8x8xf32>
  %f = tensor.empty() : tensor<8x8x2xf32>
  %u = linalg.broadcast ins(%c : tensor<8x8xf32>) outs(%f : tensor<8x8x2xf32>) dimensions = [2]
  %d = tensor.collapse_shape %u [[0], [1, 2]] : tensor<8x8x2xf32> into tensor<8x16xf32>
  func.return %d : tensor<8x16xf32>
}

// Transposed as well.
// CHECK-LABEL: func.func @transposed(
// CHECK-NEXT: %0 = tensor.empty() : tensor<8x4x2xf32>
// CHECK-NEXT: %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x8xf32>) outs(%0 : tensor<8x4x2xf32>) {
// CHECK-NEXT: ^bb0(%2: f32, %3: f32):
// CHECK-NEXT: linalg.yield %2 : f32
// CHECK-NEXT: } -> tensor<8x4x2xf32>
// CHECK-NEXT: %u = tensor.collapse_shape %1 {{\[\[}}0 : i64], [1 : i64, 2 : i64]] : tensor<8x4x2xf32> into tensor<8x8xf32>
// CHECK-NEXT: func.return %u : tensor<8x8xf32>
// CHECK-NEXT: }
func.func @transposed(%x: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<4x2x8xf32>
  %t = linalg.broadcast ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x2x8xf32>) dimensions = [1]
  %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<4x2x8xf32> into tensor<8x8xf32>
  %f = tensor.empty() : tensor<8x8xf32>
  %u = linalg.transpose ins(%c : tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) permutation = [1, 0]
  func.return %u : tensor<8x8xf32>
}

// Something else needs what is moved first.
// CHECK-LABEL: func.func @used(
// CHECK-NEXT: %e = tensor.empty() : tensor<4x2x8xf32>
// CHECK-NEXT: %t = linalg.broadcast ins(%x:tensor<4x8xf32>) outs(%e:tensor<4x2x8xf32>) dimensions = [1]
// CHECK-NEXT: %c = tensor.collapse_shape %t {{\[\[}}0 : i64, 1 : i64], [2 : i64]] : tensor<4x2x8xf32> into tensor<8x8xf32>
// CHECK-NEXT: %f = tensor.empty() : tensor<8x8x2xf32>
// CHECK-NEXT: %u = linalg.broadcast ins(%c:tensor<8x8xf32>) outs(%f:tensor<8x8x2xf32>) dimensions = [2]
// CHECK-NEXT: func.return %c, %u : tensor<8x8xf32>, tensor<8x8x2xf32>
// CHECK-NEXT: }
func.func @used(%x: tensor<4x8xf32>) -> (tensor<8x8xf32>, tensor<8x8x2xf32>) {
  %e = tensor.empty() : tensor<4x2x8xf32>
  %t = linalg.broadcast ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x2x8xf32>) dimensions = [1]
  %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<4x2x8xf32> into tensor<8x8xf32>
  %f = tensor.empty() : tensor<8x8x2xf32>
  %u = linalg.broadcast ins(%c : tensor<8x8xf32>) outs(%f : tensor<8x8x2xf32>) dimensions = [2]
  func.return %c, %u : tensor<8x8xf32>, tensor<8x8x2xf32>
}

// The sizes are not known.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NEXT: %e = tensor.empty(%n) : tensor<?x2x8xf32>
// CHECK-NEXT: %t = linalg.broadcast ins(%x:tensor<?x8xf32>) outs(%e:tensor<?x2x8xf32>) dimensions = [1]
// CHECK-NEXT: %c = tensor.collapse_shape %t {{\[\[}}0 : i64, 1 : i64], [2 : i64]] : tensor<?x2x8xf32> into tensor<?x8xf32>
// CHECK-NEXT: %f = tensor.empty(%n) : tensor<?x8x2xf32>
// CHECK-NEXT: %u = linalg.broadcast ins(%c:tensor<?x8xf32>) outs(%f:tensor<?x8x2xf32>) dimensions = [2]
// CHECK-NEXT: func.return %u : tensor<?x8x2xf32>
// CHECK-NEXT: }
func.func @dynamic(%x: tensor<?x8xf32>, %n: index) -> tensor<?x8x2xf32> {
  %e = tensor.empty(%n) : tensor<?x2x8xf32>
  %t = linalg.broadcast ins(%x : tensor<?x8xf32>) outs(%e : tensor<?x2x8xf32>) dimensions = [1]
  %c = tensor.collapse_shape %t [[0, 1], [2]] : tensor<?x2x8xf32> into tensor<?x8xf32>
  %f = tensor.empty(%n) : tensor<?x8x2xf32>
  %u = linalg.broadcast ins(%c : tensor<?x8xf32>) outs(%f : tensor<?x8x2xf32>) dimensions = [2]
  func.return %u : tensor<?x8x2xf32>
}
