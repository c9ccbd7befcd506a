// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Each iteration reads its tile of %t before it writes it: in place. Nine elements are one more than
// the step, so that the next iteration would read what this one has written.
// CHECK-LABEL: func.func @tiles(%t: memref<72xf32>) -> memref<72xf32> {
// CHECK-NEXT:       %r = affine.for %i = 0 to 64 step 8 iter_args(%a = %t) -> (memref<72xf32>) {
// CHECK-NEXT:         %x = memref.subview %t[%i] [8] [1] : memref<72xf32> to memref<8xf32, strided<[1], offset: ?>>
// CHECK-NEXT:         %d = memref.subview %a[%i] [8] [1] : memref<72xf32> to memref<8xf32, strided<[1], offset: ?>>
// CHECK-NEXT:         linalg.exp ins(%x : memref<8xf32, strided<[1], offset: ?>>) outs(%d : memref<8xf32, strided<[1], offset: ?>>)
// CHECK-NEXT:         affine.yield %a : memref<72xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       func.return %r : memref<72xf32>
func.func @tiles(%t: tensor<72xf32>) -> tensor<72xf32> {
  %r = "affine.for"(%t) <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (64)>, step = 8 : index, operandSegmentSizes = array<i32: 0, 0, 1>}> ({
  ^bb0(%i: index, %a: tensor<72xf32>):
    %x = tensor.extract_slice %t[%i] [8] [1] : tensor<72xf32> to tensor<8xf32>
    %d = tensor.extract_slice %a[%i] [8] [1] : tensor<72xf32> to tensor<8xf32>
    %s = linalg.exp ins(%x : tensor<8xf32>) outs(%d : tensor<8xf32>) -> tensor<8xf32>
    %y = tensor.insert_slice %s into %a[%i] [8] [1] : tensor<8xf32> into tensor<72xf32>
    "affine.yield"(%y) : (tensor<72xf32>) -> ()
  }) : (tensor<72xf32>) -> tensor<72xf32>
  func.return %r : tensor<72xf32>
}

// CHECK-LABEL: func.func @overlapping(%t: memref<72xf32>) -> memref<72xf32> {
// CHECK-NEXT:       %0 = memref.alloc() {alignment = 64 : i64} : memref<72xf32>
// CHECK-NEXT:       "memref.copy"(%t, %0) : (memref<72xf32>, memref<72xf32>) -> ()
// CHECK-NEXT:       %r = affine.for %i = 0 to 64 step 8 iter_args(%a = %0) -> (memref<72xf32>) {
// CHECK-NEXT:         %x = memref.subview %t[%i] [9] [1] : memref<72xf32> to memref<9xf32, strided<[1], offset: ?>>
// CHECK-NEXT:         %d = memref.subview %a[%i] [9] [1] : memref<72xf32> to memref<9xf32, strided<[1], offset: ?>>
// CHECK-NEXT:         linalg.exp ins(%x : memref<9xf32, strided<[1], offset: ?>>) outs(%d : memref<9xf32, strided<[1], offset: ?>>)
// CHECK-NEXT:         affine.yield %a : memref<72xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       func.return %r : memref<72xf32>
func.func @overlapping(%t: tensor<72xf32>) -> tensor<72xf32> {
  %r = "affine.for"(%t) <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (64)>, step = 8 : index, operandSegmentSizes = array<i32: 0, 0, 1>}> ({
  ^bb0(%i: index, %a: tensor<72xf32>):
    %x = tensor.extract_slice %t[%i] [9] [1] : tensor<72xf32> to tensor<9xf32>
    %d = tensor.extract_slice %a[%i] [9] [1] : tensor<72xf32> to tensor<9xf32>
    %s = linalg.exp ins(%x : tensor<9xf32>) outs(%d : tensor<9xf32>) -> tensor<9xf32>
    %y = tensor.insert_slice %s into %a[%i] [9] [1] : tensor<9xf32> into tensor<72xf32>
    "affine.yield"(%y) : (tensor<72xf32>) -> ()
  }) : (tensor<72xf32>) -> tensor<72xf32>
  func.return %r : tensor<72xf32>
}

// The result is what the last iteration yields, as there is one: the init is not read.
// CHECK-LABEL: func.func @runs(%t: memref<8xf32>, %f: f32) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:       %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:       %r = affine.for %i = 0 to 64 step 8 iter_args(%a = %0) -> (memref<8xf32>) {
// CHECK-NEXT:         linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
// CHECK-NEXT:         affine.yield %a : memref<8xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       func.return %t, %r : memref<8xf32>, memref<8xf32>
func.func @runs(%t: tensor<8xf32>, %f: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = "affine.for"(%t) <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<() -> (64)>, step = 8 : index, operandSegmentSizes = array<i32: 0, 0, 1>}> ({
  ^bb0(%i: index, %a: tensor<8xf32>):
    %y = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    "affine.yield"(%y) : (tensor<8xf32>) -> ()
  }) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %t, %r : tensor<8xf32>, tensor<8xf32>
}

// The number of iterations is not known, so that the result may be the init.
// CHECK-LABEL: func.func @may_not_run(%t: memref<8xf32>, %n: index, %f: f32) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:       %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:       "memref.copy"(%t, %0) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:       %r = affine.for %i = 0 to affine_map<(d0) -> (d0)>(%n) step 8 iter_args(%a = %0) -> (memref<8xf32>) {
// CHECK-NEXT:         linalg.fill ins(%f : f32) outs(%a : memref<8xf32>)
// CHECK-NEXT:         affine.yield %a : memref<8xf32>
// CHECK-NEXT:       }
// CHECK-NEXT:       func.return %t, %r : memref<8xf32>, memref<8xf32>
func.func @may_not_run(%t: tensor<8xf32>, %n: index, %f: f32) -> (tensor<8xf32>, tensor<8xf32>) {
  %r = "affine.for"(%n, %t) <{lowerBoundMap = affine_map<() -> (0)>, upperBoundMap = affine_map<(d0) -> (d0)>, step = 8 : index, operandSegmentSizes = array<i32: 0, 1, 1>}> ({
  ^bb0(%i: index, %a: tensor<8xf32>):
    %y = linalg.fill ins(%f : f32) outs(%a : tensor<8xf32>) -> tensor<8xf32>
    "affine.yield"(%y) : (tensor<8xf32>) -> ()
  }) : (index, tensor<8xf32>) -> tensor<8xf32>
  func.return %t, %r : tensor<8xf32>, tensor<8xf32>
}
