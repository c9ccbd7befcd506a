// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=IDENTITY

// YOLOv8's C2f: all parts of a tensor are concatenated, with more after them. mlir-opt copies both.
// CHECK-LABEL: func.func @split_and_concatenated(
// CHECK-NEXT: %[[R:.*]] = tensor.empty() : tensor<1x8x8xf32>
// CHECK-NEXT: %[[Y:.*]] = tensor.extract_slice %[[R]][0, 0, 0] [1, 4, 8] [1, 1, 1]
// CHECK-NEXT: %y = linalg.exp {{.*}} outs(%[[Y]]
// CHECK-NOT: tensor.empty
// CHECK: func.return
func.func @split_and_concatenated(%x: tensor<1x4x8xf32>) -> tensor<1x8x8xf32> {
  %e = tensor.empty() : tensor<1x4x8xf32>
  %y = linalg.exp ins(%x : tensor<1x4x8xf32>) outs(%e : tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %a = tensor.extract_slice %y[0, 0, 0] [1, 2, 8] [1, 1, 1] : tensor<1x4x8xf32> to tensor<1x2x8xf32>
  %b = tensor.extract_slice %y[0, 2, 0] [1, 2, 8] [1, 1, 1] : tensor<1x4x8xf32> to tensor<1x2x8xf32>
  %e2 = tensor.empty() : tensor<1x2x8xf32>
  %c = linalg.mul ins(%b, %b : tensor<1x2x8xf32>, tensor<1x2x8xf32>) outs(%e2 : tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %d = linalg.mul ins(%c, %b : tensor<1x2x8xf32>, tensor<1x2x8xf32>) outs(%e2 : tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  %r = tensor.concat dim(1) %a, %b, %c, %d : (tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x8x8xf32>
  func.return %r : tensor<1x8x8xf32>
}

// In the middle of the concatenation, of a size known at run time.
// CHECK-LABEL: func.func @batch_of_unknown_size(
// CHECK: %[[Y:.*]] = tensor.extract_slice %{{.*}}[0, 2, 0] [%{{.*}}, 6, 8] [1, 1, 1]
// CHECK-NEXT: %y = linalg.exp {{.*}} outs(%[[Y]]
// CHECK-NOT: tensor.empty
// CHECK: func.return
func.func @batch_of_unknown_size(%x: tensor<?x6x8xf32>, %w: tensor<?x2x8xf32>) -> tensor<?x10x8xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x6x8xf32>
  %e = tensor.empty(%n) : tensor<?x6x8xf32>
  %y = linalg.exp ins(%x : tensor<?x6x8xf32>) outs(%e : tensor<?x6x8xf32>) -> tensor<?x6x8xf32>
  %a = tensor.extract_slice %y[0, 0, 0] [%n, 2, 8] [1, 1, 1] : tensor<?x6x8xf32> to tensor<?x2x8xf32>
  %b = tensor.extract_slice %y[0, 2, 0] [%n, 2, 8] [1, 1, 1] : tensor<?x6x8xf32> to tensor<?x2x8xf32>
  %c = tensor.extract_slice %y[0, 4, 0] [%n, 2, 8] [1, 1, 1] : tensor<?x6x8xf32> to tensor<?x2x8xf32>
  %e2 = tensor.empty(%n) : tensor<?x2x8xf32>
  %d = linalg.mul ins(%b, %c : tensor<?x2x8xf32>, tensor<?x2x8xf32>) outs(%e2 : tensor<?x2x8xf32>) -> tensor<?x2x8xf32>
  %e3 = tensor.empty(%n) : tensor<?x2x8xf32>
  %f = linalg.log ins(%a : tensor<?x2x8xf32>) outs(%e3 : tensor<?x2x8xf32>) -> tensor<?x2x8xf32>
  %r = tensor.concat dim(1) %f, %a, %b, %c, %d : (tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x8xf32>, tensor<?x2x8xf32>) -> tensor<?x10x8xf32>
  func.return %r : tensor<?x10x8xf32>
}

// CHECK-LABEL: func.func @inserted(
// CHECK: %y = linalg.exp
// CHECK-NOT: tensor.empty
// CHECK: func.return
func.func @inserted(%x: tensor<4x8xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<4x8xf32>
  %y = linalg.exp ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = tensor.extract_slice %y[0, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %b = tensor.extract_slice %y[2, 0] [2, 8] [1, 1] : tensor<4x8xf32> to tensor<2x8xf32>
  %e2 = tensor.empty() : tensor<2x8xf32>
  %c = linalg.mul ins(%b, %b : tensor<2x8xf32>, tensor<2x8xf32>) outs(%e2 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %d = tensor.empty() : tensor<6x8xf32>
  %r0 = tensor.insert_slice %a into %d[0, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<6x8xf32>
  %r1 = tensor.insert_slice %b into %r0[2, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<6x8xf32>
  %r2 = tensor.insert_slice %c into %r1[4, 0] [2, 8] [1, 1] : tensor<2x8xf32> into tensor<6x8xf32>
  func.return %r2 : tensor<6x8xf32>
}

// Rows, without the dimension of size 1.
// CHECK-LABEL: func.func @rows(
// CHECK: %y = linalg.exp
// CHECK-NOT: tensor.empty
// CHECK: func.return
func.func @rows(%x: tensor<2x8xf32>) -> tensor<3x8xf32> {
  %e = tensor.empty() : tensor<2x8xf32>
  %y = linalg.exp ins(%x : tensor<2x8xf32>) outs(%e : tensor<2x8xf32>) -> tensor<2x8xf32>
  %a = tensor.extract_slice %y[0, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<8xf32>
  %b = tensor.extract_slice %y[1, 0] [1, 8] [1, 1] : tensor<2x8xf32> to tensor<8xf32>
  %e2 = tensor.empty() : tensor<8xf32>
  %c = linalg.mul ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
  %d = tensor.empty() : tensor<3x8xf32>
  %r0 = tensor.insert_slice %a into %d[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
  %r1 = tensor.insert_slice %b into %r0[1, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
  %r2 = tensor.insert_slice %c into %r1[2, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<3x8xf32>
  func.return %r2 : tensor<3x8xf32>
}

// Not all of the tensor: one copy.
// IDENTITY-LABEL: func.func @most_of_it(
// IDENTITY: memref.copy
// IDENTITY-NOT: memref.copy
// IDENTITY: func.return
// CHECK-LABEL: func.func @most_of_it(
// CHECK: %[[S:.*]] = tensor.extract_slice %y[0, 0] [4, 8] [1, 1]
// CHECK-NEXT: tensor.insert_slice %c
// CHECK-NEXT: tensor.insert_slice %[[S]] into %{{.*}}[2, 0] [4, 8] [1, 1]
// CHECK-NEXT: func.return
func.func @most_of_it(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %e = tensor.empty() : tensor<6x8xf32>
  %y = linalg.exp ins(%x : tensor<6x8xf32>) outs(%e : tensor<6x8xf32>) -> tensor<6x8xf32>
  %a = tensor.extract_slice %y[0, 0] [2, 8] [1, 1] : tensor<6x8xf32> to tensor<2x8xf32>
  %b = tensor.extract_slice %y[2, 0] [2, 8] [1, 1] : tensor<6x8xf32> to tensor<2x8xf32>
  %b2 = tensor.extract_slice %y[4, 0] [2, 8] [1, 1] : tensor<6x8xf32> to tensor<2x8xf32>
  %e2 = tensor.empty() : tensor<2x8xf32>
  %c = linalg.mul ins(%b, %b2 : tensor<2x8xf32>, tensor<2x8xf32>) outs(%e2 : tensor<2x8xf32>) -> tensor<2x8xf32>
  %r = tensor.concat dim(0) %c, %a, %b : (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<6x8xf32>
  func.return %r : tensor<6x8xf32>
}

// In the other order they are two pieces, and so are slices with something in between.
// CHECK-LABEL: func.func @swapped(
// CHECK: tensor.concat dim(0) %b, %a, %x
func.func @swapped(%y: tensor<6xf32>, %x: tensor<2xf32>) -> tensor<6xf32> {
  %a = tensor.extract_slice %y[0] [2] [1] : tensor<6xf32> to tensor<2xf32>
  %b = tensor.extract_slice %y[2] [2] [1] : tensor<6xf32> to tensor<2xf32>
  %r = tensor.concat dim(0) %b, %a, %x : (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<6xf32>
  func.return %r : tensor<6xf32>
}

// Every second row, and columns that are no rows.
// CHECK-LABEL: func.func @strided(
// CHECK-COUNT-3: tensor.insert_slice
func.func @strided(%x: tensor<8x2xf32>) -> tensor<4x4xf32> {
  %e = tensor.empty() : tensor<8x2xf32>
  %y = linalg.exp ins(%x : tensor<8x2xf32>) outs(%e : tensor<8x2xf32>) -> tensor<8x2xf32>
  %a = tensor.extract_slice %y[0, 0] [2, 2] [2, 1] : tensor<8x2xf32> to tensor<2x2xf32>
  %b = tensor.extract_slice %y[2, 0] [2, 2] [1, 1] : tensor<8x2xf32> to tensor<2x2xf32>
  %c = tensor.extract_slice %y[4, 0] [2, 2] [1, 1] : tensor<8x2xf32> to tensor<2x2xf32>
  %d = tensor.empty() : tensor<4x4xf32>
  %r0 = tensor.insert_slice %a into %d[0, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  %r1 = tensor.insert_slice %b into %r0[2, 0] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  %r2 = tensor.insert_slice %c into %r1[2, 2] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<4x4xf32>
  func.return %r2 : tensor<4x4xf32>
}
