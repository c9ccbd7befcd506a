// RUN: xdsl-opt %s -p 'one-shot-bufferize{use-encoding-for-memory-space bufferize-function-boundaries}' | filecheck %s --check-prefixes=CHECK,INFER
// RUN: xdsl-opt %s -p 'one-shot-bufferize{use-encoding-for-memory-space bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefixes=CHECK,IDENTITY
// RUN: xdsl-opt %s -p 'one-shot-bufferize{use-encoding-for-memory-space bufferize-function-boundaries function-boundary-type-conversion=fully-dynamic-layout-map}' | filecheck %s --check-prefixes=CHECK,DYNAMIC

// Arguments and results are in the memory space that the encoding names.
// INFER-LABEL:    func.func private @declared(memref<16xf32, strided<[?], offset: ?>, 1 : i64>) -> memref<16xf32, strided<[?], offset: ?>, 1 : i64>
// IDENTITY-LABEL: func.func private @declared(memref<16xf32, 1 : i64>) -> memref<16xf32, 1 : i64>
// DYNAMIC-LABEL:  func.func private @declared(memref<16xf32, strided<[?], offset: ?>, 1 : i64>) -> memref<16xf32, strided<[?], offset: ?>, 1 : i64>
func.func private @declared(tensor<16xf32, 1 : i64>) -> tensor<16xf32, 1 : i64>

// INFER-LABEL:    func.func @returns_argument(%a: memref<16xf32, strided<[?], offset: ?>, 1 : i64>) -> memref<16xf32, strided<[?], offset: ?>, 1 : i64> {
// IDENTITY-LABEL: func.func @returns_argument(%a: memref<16xf32, 1 : i64>) -> memref<16xf32, 1 : i64> {
// DYNAMIC-LABEL:  func.func @returns_argument(%a: memref<16xf32, strided<[?], offset: ?>, 1 : i64>) -> memref<16xf32, strided<[?], offset: ?>, 1 : i64> {
func.func @returns_argument(%a: tensor<16xf32, 1 : i64>) -> tensor<16xf32, 1 : i64> {
  func.return %a : tensor<16xf32, 1 : i64>
}

// A layout that is given changes nothing about it.
// CHECK-LABEL: func.func @given_layout(%a: memref<16xf32, strided<[1], offset: 4>, 1 : i64>, %i: index) -> f32 {
func.func @given_layout(%a: tensor<16xf32, 1 : i64> {bufferization.buffer_layout = strided<[1], offset: 4>}, %i: index) -> f32 {
  %0 = tensor.extract %a[%i] : tensor<16xf32, 1 : i64>
  func.return %0 : f32
}

// INFER-LABEL: func.func @calls(%a: memref<16xf32, strided<[?], offset: ?>, 1 : i64>) -> memref<16xf32, strided<[?], offset: ?>, 1 : i64> {
// INFER-NEXT:    %0 = func.call @returns_argument(%a) : (memref<16xf32, strided<[?], offset: ?>, 1 : i64>) -> memref<16xf32, strided<[?], offset: ?>, 1 : i64>
// INFER-NEXT:    %1 = func.call @declared(%0)
func.func @calls(%a: tensor<16xf32, 1 : i64>) -> tensor<16xf32, 1 : i64> {
  %0 = func.call @returns_argument(%a) : (tensor<16xf32, 1 : i64>) -> tensor<16xf32, 1 : i64>
  %1 = func.call @declared(%0) : (tensor<16xf32, 1 : i64>) -> tensor<16xf32, 1 : i64>
  func.return %1 : tensor<16xf32, 1 : i64>
}

// What is in another memory space is copied to be returned.
// CHECK-LABEL: func.func @elsewhere(
// CHECK:         %[[NEW:.*]] = memref.alloc() {alignment = 64 : i64} : memref<16xf32, 1 : i64>
// CHECK-NEXT:    "memref.copy"(%m, %[[NEW]]) : (memref<16xf32, 2 : i64>, memref<16xf32, 1 : i64>) -> ()
// INFER-NEXT:    func.return %[[NEW]] : memref<16xf32, 1 : i64>
func.func @elsewhere(%m: memref<16xf32, 2 : i64>) -> tensor<16xf32, 1 : i64> {
  %a = bufferization.to_tensor %m restrict : memref<16xf32, 2 : i64> to tensor<16xf32, 1 : i64>
  func.return %a : tensor<16xf32, 1 : i64>
}

// CHECK-LABEL: func.func @several_blocks(
// INFER-SAME:    -> memref<16xf32, 1 : i64> {
// CHECK:         "memref.copy"(%m, %{{.*}}) : (memref<16xf32, 2 : i64>, memref<16xf32, 1 : i64>) -> ()
func.func @several_blocks(%c: i1, %m: memref<16xf32, 2 : i64>, %n: memref<16xf32, 1 : i64>) -> tensor<16xf32, 1 : i64> {
  %a = bufferization.to_tensor %m restrict : memref<16xf32, 2 : i64> to tensor<16xf32, 1 : i64>
  %b = bufferization.to_tensor %n restrict : memref<16xf32, 1 : i64> to tensor<16xf32, 1 : i64>
  cf.cond_br %c, ^x, ^y
^x:
  func.return %a : tensor<16xf32, 1 : i64>
^y:
  func.return %b : tensor<16xf32, 1 : i64>
}
