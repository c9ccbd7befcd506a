// RUN: xdsl-opt %s -p reorder-for-memory --split-input-file | filecheck %s

// Calls may do anything: they stay in their order.
// CHECK-LABEL: func.func @calls(
// CHECK:         func.call @first
// CHECK:         func.call @second
// CHECK:         func.call @third
func.func private @first(tensor<100xf32>)
func.func private @second() -> tensor<100xf32>
func.func private @third(tensor<100xf32>)
func.func @calls(%f: f32, %i: index) -> f32 {
  %0 = tensor.empty() : tensor<100xf32>
  %a = linalg.fill ins(%f : f32) outs(%0 : tensor<100xf32>) -> tensor<100xf32>
  %1 = tensor.empty() : tensor<100xf32>
  %b = linalg.fill ins(%f : f32) outs(%1 : tensor<100xf32>) -> tensor<100xf32>
  func.call @first(%a) : (tensor<100xf32>) -> ()
  %c = func.call @second() : () -> tensor<100xf32>
  func.call @third(%c) : (tensor<100xf32>) -> ()
  %x = tensor.extract %a[%i] : tensor<100xf32>
  %y = tensor.extract %b[%i] : tensor<100xf32>
  %z = arith.addf %x, %y : f32
  func.return %z : f32
}

// -----

// Nothing moves across an assertion. Stores stay in their order, and after it.
// CHECK-LABEL: func.func @effects(
// CHECK:         %b = linalg.fill
// CHECK:         cf.assert
// CHECK:         memref.store %f, %m[%i]
// CHECK:         memref.store %x, %m[%i]
func.func @effects(%f: f32, %c: i1, %i: index, %m: memref<4xf32>) -> f32 {
  %0 = tensor.empty() : tensor<100xf32>
  %a = linalg.fill ins(%f : f32) outs(%0 : tensor<100xf32>) -> tensor<100xf32>
  %1 = tensor.empty() : tensor<100xf32>
  %b = linalg.fill ins(%f : f32) outs(%1 : tensor<100xf32>) -> tensor<100xf32>
  cf.assert %c, "in bounds"
  memref.store %f, %m[%i] : memref<4xf32>
  %x = tensor.extract %a[%i] : tensor<100xf32>
  memref.store %x, %m[%i] : memref<4xf32>
  %y = tensor.extract %b[%i] : tensor<100xf32>
  func.return %y : f32
}

// -----

// %t is in memory that a store overwrites: what is computed from it stays before the store.
// CHECK-LABEL: func.func @in_memory(
// CHECK:         %a = linalg.exp ins(%t
// CHECK:         %b = linalg.fill
// CHECK:         memref.store
// CHECK:         %x = tensor.extract %a
// CHECK:         %y = tensor.extract %b
func.func @in_memory(%f: f32, %i: index, %m: memref<100xf32>) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<100xf32> to tensor<100xf32>
  %0 = tensor.empty() : tensor<100xf32>
  %a = linalg.exp ins(%t : tensor<100xf32>) outs(%0 : tensor<100xf32>) -> tensor<100xf32>
  %1 = tensor.empty() : tensor<100xf32>
  %b = linalg.fill ins(%f : f32) outs(%1 : tensor<100xf32>) -> tensor<100xf32>
  memref.store %f, %m[%i] : memref<100xf32>
  %x = tensor.extract %a[%i] : tensor<100xf32>
  %y = tensor.extract %b[%i] : tensor<100xf32>
  %z = arith.addf %x, %y : f32
  func.return %z : f32
}

// -----

// %u is computed in the memory of %t, which %a is computed from: %a stays before it. That of %b
// is free to move.
// CHECK-LABEL: func.func @in_place(
// CHECK:         %a = linalg.exp ins(%t
// CHECK:         %x = tensor.extract %a
// CHECK:         %b = linalg.fill
// CHECK:         %y = tensor.extract %b
// CHECK:         %u = linalg.fill ins(%f : f32) outs(%t
func.func @in_place(%f: f32, %i: index, %t: tensor<100xf32> {bufferize.aliasing_result = 1 : i64}) -> (f32, tensor<100xf32>) {
  %0 = tensor.empty() : tensor<100xf32>
  %a = linalg.exp ins(%t : tensor<100xf32>) outs(%0 : tensor<100xf32>) -> tensor<100xf32>
  %1 = tensor.empty() : tensor<100xf32>
  %b = linalg.fill ins(%f : f32) outs(%1 : tensor<100xf32>) -> tensor<100xf32>
  %x = tensor.extract %a[%i] : tensor<100xf32>
  %y = tensor.extract %b[%i] : tensor<100xf32>
  %u = linalg.fill ins(%f : f32) outs(%t : tensor<100xf32>) -> tensor<100xf32>
  %z = arith.addf %x, %y : f32
  func.return %z, %u : f32, tensor<100xf32>
}

// -----

// Slices that do not overlap are written in any order.
// CHECK-LABEL: func.func @slices(
// CHECK:         %b = linalg.fill
// CHECK:         linalg.exp ins(%b
// CHECK:         %a = linalg.fill
// CHECK:         linalg.exp ins(%a
func.func @slices(%f: f32, %t: tensor<200xf32> {bufferize.aliasing_result = 0 : i64}) -> tensor<200xf32> {
  %0 = tensor.empty() : tensor<100xf32>
  %a = linalg.fill ins(%f : f32) outs(%0 : tensor<100xf32>) -> tensor<100xf32>
  %1 = tensor.empty() : tensor<100xf32>
  %b = linalg.fill ins(%f : f32) outs(%1 : tensor<100xf32>) -> tensor<100xf32>
  %p = tensor.extract_slice %t[0] [100] [1] : tensor<200xf32> to tensor<100xf32>
  %q = tensor.extract_slice %t[100] [100] [1] : tensor<200xf32> to tensor<100xf32>
  %v = linalg.exp ins(%b : tensor<100xf32>) outs(%q : tensor<100xf32>) -> tensor<100xf32>
  %u = linalg.exp ins(%a : tensor<100xf32>) outs(%p : tensor<100xf32>) -> tensor<100xf32>
  %r = tensor.insert_slice %u into %t[0] [100] [1] : tensor<100xf32> into tensor<200xf32>
  %s = tensor.insert_slice %v into %r[100] [100] [1] : tensor<100xf32> into tensor<200xf32>
  func.return %s : tensor<200xf32>
}
