// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true}' | filecheck %s

// Buffers with different layouts are cast to a common one where blocks join.
// CHECK-LABEL: func.func @join(%t: memref<8xf32, strided<[?], offset: ?>>, %c: i1, %f: f32) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      %s = memref.subview %t[2] [4] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      cf.br ^bb3(%s : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%e : memref<4xf32>)
// CHECK-NEXT:      %0 = "memref.cast"(%e) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      cf.br ^bb3(%0 : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:    ^bb3(%a: memref<4xf32, strided<[?], offset: ?>>):
// CHECK-NEXT:      func.return %a : memref<4xf32, strided<[?], offset: ?>>
func.func @join(%t: tensor<8xf32>, %c: i1, %f: f32) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %s = tensor.extract_slice %t[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  cf.br ^bb3(%s : tensor<4xf32>)
^bb2:
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb3(%w : tensor<4xf32>)
^bb3(%a: tensor<4xf32>):
  func.return %a : tensor<4xf32>
}

// The loop starts with a contiguous buffer, and goes on with a slice.
// CHECK-LABEL: func.func @loop(%t: memref<8xf32, strided<[?], offset: ?>>, %c: i1, %f: f32) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:      %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%e : memref<4xf32>)
// CHECK-NEXT:      %0 = "memref.cast"(%e) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      cf.br ^bb1(%0 : memref<4xf32, strided<[?], offset: ?>>)
// CHECK-NEXT:    ^bb1(%a: memref<4xf32, strided<[?], offset: ?>>):
// CHECK-NEXT:      %b = "memref.cast"(%a) : (memref<4xf32, strided<[?], offset: ?>>) -> memref<?xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      %s = memref.subview %t[2] [4] [1] : memref<8xf32, strided<[?], offset: ?>> to memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      cf.cond_br %c, ^bb1(%s : memref<4xf32, strided<[?], offset: ?>>), ^bb2
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %r = "memref.cast"(%b) : (memref<?xf32, strided<[?], offset: ?>>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      func.return %r : memref<4xf32, strided<[?], offset: ?>>
func.func @loop(%t: tensor<8xf32>, %c: i1, %f: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb1(%w : tensor<4xf32>)
^bb1(%a: tensor<4xf32>):
  %b = tensor.cast %a : tensor<4xf32> to tensor<?xf32>
  %s = tensor.extract_slice %t[2] [4] [1] : tensor<8xf32> to tensor<4xf32>
  cf.cond_br %c, ^bb1(%s : tensor<4xf32>), ^bb2
^bb2:
  %r = tensor.cast %b : tensor<?xf32> to tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// So are those of several returns.
// CHECK-LABEL: func.func @returns(%t: memref<4xf32, strided<[?], offset: ?>>, %c: i1, %f: f32) -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      func.return %t : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %e = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%e : memref<4xf32>)
// CHECK-NEXT:      %0 = "memref.cast"(%e) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      func.return %0 : memref<4xf32, strided<[?], offset: ?>>
func.func @returns(%t: tensor<4xf32>, %c: i1, %f: f32) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  func.return %t : tensor<4xf32>
^bb2:
  %e = tensor.empty() : tensor<4xf32>
  %w = linalg.fill ins(%f : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  func.return %w : tensor<4xf32>
}
