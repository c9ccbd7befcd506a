// RUN: xdsl-opt %s -p eliminate-copies | filecheck %s

// Only the border is filled, in slabs that do not overlap.
// CHECK-LABEL: func.func @pad(
// CHECK-NEXT: %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %0 = tensor.empty() : tensor<4x6xf32>
// CHECK-NEXT: %1 = tensor.extract_slice %0[0, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
// CHECK-NEXT: %2 = linalg.fill ins(%zero : f32) outs(%1 : tensor<1x6xf32>) -> tensor<1x6xf32>
// CHECK-NEXT: %3 = tensor.insert_slice %2 into %0[0, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<4x6xf32>
// CHECK-NEXT: %4 = tensor.extract_slice %3[3, 0] [1, 6] [1, 1] : tensor<4x6xf32> to tensor<1x6xf32>
// CHECK-NEXT: %5 = linalg.fill ins(%zero : f32) outs(%4 : tensor<1x6xf32>) -> tensor<1x6xf32>
// CHECK-NEXT: %6 = tensor.insert_slice %5 into %3[3, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<4x6xf32>
// CHECK-NEXT: %7 = tensor.extract_slice %6[1, 0] [2, 1] [1, 1] : tensor<4x6xf32> to tensor<2x1xf32>
// CHECK-NEXT: %8 = linalg.fill ins(%zero : f32) outs(%7 : tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %9 = tensor.insert_slice %8 into %6[1, 0] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<4x6xf32>
// CHECK-NEXT: %10 = tensor.extract_slice %9[1, 5] [2, 1] [1, 1] : tensor<4x6xf32> to tensor<2x1xf32>
// CHECK-NEXT: %11 = linalg.fill ins(%zero : f32) outs(%10 : tensor<2x1xf32>) -> tensor<2x1xf32>
// CHECK-NEXT: %12 = tensor.insert_slice %11 into %9[1, 5] [2, 1] [1, 1] : tensor<2x1xf32> into tensor<4x6xf32>
// CHECK-NEXT: %13 = tensor.extract_slice %12[1, 1] [2, 4] [1, 1] : tensor<4x6xf32> to tensor<2x4xf32>
// CHECK-NEXT: %x = linalg.exp ins(%a : tensor<2x4xf32>) outs(%13 : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %p = tensor.insert_slice %x into %12[1, 1] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x6xf32>
// CHECK-NEXT: func.return %p : tensor<4x6xf32>
func.func @pad(%a: tensor<2x4xf32>) -> tensor<4x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4xf32>
  %x = linalg.exp ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x4xf32> to tensor<4x6xf32>
  func.return %p : tensor<4x6xf32>
}

// The argument is where it is.
// CHECK-LABEL: func.func @pad_of_argument(
// CHECK-NEXT: %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT: %p = tensor.pad %a low[1, 0] high[1, 0] {
// CHECK-NEXT: ^bb0(%i: index, %j: index):
// CHECK-NEXT: tensor.yield %zero : f32
// CHECK-NEXT: } : tensor<2x4xf32> to tensor<4x4xf32>
// CHECK-NEXT: func.return %p : tensor<4x4xf32>
func.func @pad_of_argument(%a: tensor<2x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %a low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<2x4xf32> to tensor<4x4xf32>
  func.return %p : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @concat(
// CHECK-NEXT: %0 = tensor.empty() : tensor<5x4xf32>
// CHECK-NEXT: %1 = tensor.extract_slice %0[0, 0] [2, 4] [1, 1] : tensor<5x4xf32> to tensor<2x4xf32>
// CHECK-NEXT: %x = linalg.exp ins(%a : tensor<2x4xf32>) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %2 = tensor.insert_slice %x into %0[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<5x4xf32>
// CHECK-NEXT: %3 = tensor.extract_slice %2[2, 0] [3, 4] [1, 1] : tensor<5x4xf32> to tensor<3x4xf32>
// CHECK-NEXT: %y = linalg.exp ins(%b : tensor<3x4xf32>) outs(%3 : tensor<3x4xf32>) -> tensor<3x4xf32>
// CHECK-NEXT: %c = tensor.insert_slice %y into %2[2, 0] [3, 4] [1, 1] : tensor<3x4xf32> into tensor<5x4xf32>
// CHECK-NEXT: func.return %c : tensor<5x4xf32>
func.func @concat(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> tensor<5x4xf32> {
  %e = tensor.empty() : tensor<2x4xf32>
  %x = linalg.exp ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %f = tensor.empty() : tensor<3x4xf32>
  %y = linalg.exp ins(%b : tensor<3x4xf32>) outs(%f : tensor<3x4xf32>) -> tensor<3x4xf32>
  %c = tensor.concat dim(0) %x, %y : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
  func.return %c : tensor<5x4xf32>
}

// One of the two copies of %x is forced, and both of %a.
// CHECK-LABEL: func.func @twice(
// CHECK-NEXT: %0 = tensor.empty() : tensor<4x4xf32>
// CHECK-NEXT: %1 = tensor.extract_slice %0[0, 0] [2, 4] [1, 1] : tensor<4x4xf32> to tensor<2x4xf32>
// CHECK-NEXT: %x = linalg.exp ins(%a : tensor<2x4xf32>) outs(%1 : tensor<2x4xf32>) -> tensor<2x4xf32>
// CHECK-NEXT: %2 = tensor.insert_slice %x into %0[0, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
// CHECK-NEXT: %c = tensor.insert_slice %x into %2[2, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<4x4xf32>
// CHECK-NEXT: %d = tensor.concat dim(0) %a, %a : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT: func.return %c, %d : tensor<4x4xf32>, tensor<4x4xf32>
func.func @twice(%a: tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %e = tensor.empty() : tensor<2x4xf32>
  %x = linalg.exp ins(%a : tensor<2x4xf32>) outs(%e : tensor<2x4xf32>) -> tensor<2x4xf32>
  %c = tensor.concat dim(0) %x, %x : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %d = tensor.concat dim(0) %a, %a : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  func.return %c, %d : tensor<4x4xf32>, tensor<4x4xf32>
}

// Sizes that the types do not tell are those of what the operands are computed into.
// CHECK-LABEL: func.func @pad_of_dynamic_size(%a: tensor<?x4xf32>, %l: index) -> tensor<?x6xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    %d = tensor.dim %a, %c0 : tensor<?x4xf32>
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = tensor.dim %a, %0 : tensor<?x4xf32>
// CHECK-NEXT:    %2 = arith.addi %l, %1 : index
// CHECK-NEXT:    %3 = arith.constant 1 : index
// CHECK-NEXT:    %4 = arith.addi %2, %3 : index
// CHECK-NEXT:    %5 = tensor.empty(%4) : tensor<?x6xf32>
// CHECK-NEXT:    %6 = tensor.extract_slice %5[0, 0] [%l, 6] [1, 1] : tensor<?x6xf32> to tensor<?x6xf32>
// CHECK-NEXT:    %7 = linalg.fill ins(%zero : f32) outs(%6 : tensor<?x6xf32>) -> tensor<?x6xf32>
// CHECK-NEXT:    %8 = tensor.insert_slice %7 into %5[0, 0] [%l, 6] [1, 1] : tensor<?x6xf32> into tensor<?x6xf32>
// CHECK-NEXT:    %9 = tensor.extract_slice %8[%2, 0] [1, 6] [1, 1] : tensor<?x6xf32> to tensor<1x6xf32>
// CHECK-NEXT:    %10 = linalg.fill ins(%zero : f32) outs(%9 : tensor<1x6xf32>) -> tensor<1x6xf32>
// CHECK-NEXT:    %11 = tensor.insert_slice %10 into %8[%2, 0] [1, 6] [1, 1] : tensor<1x6xf32> into tensor<?x6xf32>
// CHECK-NEXT:    %12 = tensor.extract_slice %11[%l, 0] [%1, 1] [1, 1] : tensor<?x6xf32> to tensor<?x1xf32>
// CHECK-NEXT:    %13 = linalg.fill ins(%zero : f32) outs(%12 : tensor<?x1xf32>) -> tensor<?x1xf32>
// CHECK-NEXT:    %14 = tensor.insert_slice %13 into %11[%l, 0] [%1, 1] [1, 1] : tensor<?x1xf32> into tensor<?x6xf32>
// CHECK-NEXT:    %15 = tensor.extract_slice %14[%l, 5] [%1, 1] [1, 1] : tensor<?x6xf32> to tensor<?x1xf32>
// CHECK-NEXT:    %16 = linalg.fill ins(%zero : f32) outs(%15 : tensor<?x1xf32>) -> tensor<?x1xf32>
// CHECK-NEXT:    %17 = tensor.insert_slice %16 into %14[%l, 5] [%1, 1] [1, 1] : tensor<?x1xf32> into tensor<?x6xf32>
// CHECK-NEXT:    %18 = tensor.extract_slice %17[%l, 1] [%1, 4] [1, 1] : tensor<?x6xf32> to tensor<?x4xf32>
// CHECK-NEXT:    %x = linalg.exp ins(%a : tensor<?x4xf32>) outs(%18 : tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:    %p = tensor.insert_slice %x into %17[%l, 1] [%1, 4] [1, 1] : tensor<?x4xf32> into tensor<?x6xf32>
// CHECK-NEXT:    func.return %p : tensor<?x6xf32>
// CHECK-NEXT:  }
func.func @pad_of_dynamic_size(%a: tensor<?x4xf32>, %l: index) -> tensor<?x6xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %d = tensor.dim %a, %c0 : tensor<?x4xf32>
  %e = tensor.empty(%d) : tensor<?x4xf32>
  %x = linalg.exp ins(%a : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %p = tensor.pad %x low[%l, 1] high[1, 1] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x6xf32>
  func.return %p : tensor<?x6xf32>
}
// CHECK-LABEL: func.func @concat_of_dynamic_size(%a: tensor<?x4xf32>, %b: tensor<3x?xf32>) -> tensor<?x4xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %d = tensor.dim %a, %c0 : tensor<?x4xf32>
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %d2 = tensor.dim %b, %c1 : tensor<3x?xf32>
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = tensor.dim %a, %0 : tensor<?x4xf32>
// CHECK-NEXT:    %2 = arith.constant 3 : index
// CHECK-NEXT:    %3 = arith.addi %1, %2 : index
// CHECK-NEXT:    %4 = tensor.empty(%3) : tensor<?x4xf32>
// CHECK-NEXT:    %5 = tensor.extract_slice %4[0, 0] [%1, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
// CHECK-NEXT:    %x = linalg.exp ins(%a : tensor<?x4xf32>) outs(%5 : tensor<?x4xf32>) -> tensor<?x4xf32>
// CHECK-NEXT:    %6 = tensor.insert_slice %x into %4[0, 0] [%1, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
// CHECK-NEXT:    %7 = arith.constant 4 : index
// CHECK-NEXT:    %8 = tensor.extract_slice %6[%1, 0] [3, %7] [1, 1] : tensor<?x4xf32> to tensor<3x?xf32>
// CHECK-NEXT:    %y = linalg.exp ins(%b : tensor<3x?xf32>) outs(%8 : tensor<3x?xf32>) -> tensor<3x?xf32>
// CHECK-NEXT:    %c = tensor.insert_slice %y into %6[%1, 0] [3, %7] [1, 1] : tensor<3x?xf32> into tensor<?x4xf32>
// CHECK-NEXT:    func.return %c : tensor<?x4xf32>
// CHECK-NEXT:  }
func.func @concat_of_dynamic_size(%a: tensor<?x4xf32>, %b: tensor<3x?xf32>) -> tensor<?x4xf32> {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %a, %c0 : tensor<?x4xf32>
  %c1 = arith.constant 1 : index
  %d2 = tensor.dim %b, %c1 : tensor<3x?xf32>
  %e = tensor.empty(%d) : tensor<?x4xf32>
  %x = linalg.exp ins(%a : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %f = tensor.empty(%d2) : tensor<3x?xf32>
  %y = linalg.exp ins(%b : tensor<3x?xf32>) outs(%f : tensor<3x?xf32>) -> tensor<3x?xf32>
  %c = tensor.concat dim(0) %x, %y : (tensor<?x4xf32>, tensor<3x?xf32>) -> tensor<?x4xf32>
  func.return %c : tensor<?x4xf32>
}

// A pad that is concatenated: the border is filled in the concatenation. mlir-opt copies three times.
// CHECK-LABEL: func.func @concatenated_pad(
// CHECK: %[[C:.*]] = tensor.empty() : tensor<4x20xf32>
// CHECK-NOT: tensor.empty
// CHECK: func.return
func.func @concatenated_pad(%a: tensor<4x7xf32>, %b: tensor<4x10xf32>) -> tensor<4x20xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x7xf32>
  %x = linalg.exp ins(%a : tensor<4x7xf32>) outs(%e : tensor<4x7xf32>) -> tensor<4x7xf32>
  %d = tensor.empty() : tensor<4x10xf32>
  %y = linalg.log ins(%b : tensor<4x10xf32>) outs(%d : tensor<4x10xf32>) -> tensor<4x10xf32>
  %p = tensor.pad %x low[0, 0] high[0, 3] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x7xf32> to tensor<4x10xf32>
  %c = tensor.concat dim(1) %p, %y : (tensor<4x10xf32>, tensor<4x10xf32>) -> tensor<4x20xf32>
  func.return %c : tensor<4x20xf32>
}

// Of a size known at run time, and padded on all sides.
// CHECK-LABEL: func.func @inserted_pad(
// CHECK-NOT: tensor.empty
// CHECK: linalg.exp
// CHECK-NOT: tensor.empty
// CHECK: func.return
func.func @inserted_pad(%a: tensor<?x4xf32>, %c: tensor<?x20xf32>, %i: index, %n: index) -> tensor<?x20xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %m = arith.addi %n, %c2 : index
  %e = tensor.empty(%n) : tensor<?x4xf32>
  %s = tensor.extract_slice %a[0, 0] [%n, 4] [1, 1] : tensor<?x4xf32> to tensor<?x4xf32>
  %x = linalg.exp ins(%s : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>
  %p = tensor.pad %x low[1, 1] high[1, 1] {
  ^bb0(%k: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x4xf32> to tensor<?x6xf32>
  %r = tensor.insert_slice %p into %c[%i, 3] [%m, 6] [1, 1] : tensor<?x6xf32> into tensor<?x20xf32>
  func.return %r : tensor<?x20xf32>
}
