// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s
// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix=IDENTITY

// With inferred types, callers know the memory space of what is returned.
// CHECK-LABEL: func.func @returns() -> memref<4xf32, 1 : i64> {
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    func.return %a : memref<4xf32, 1 : i64>
// IDENTITY-LABEL: func.func @returns() -> memref<4xf32> {
// IDENTITY-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// IDENTITY-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// IDENTITY-NEXT:    "memref.copy"(%a, %0) : (memref<4xf32, 1 : i64>, memref<4xf32>) -> ()
// IDENTITY-NEXT:    func.return %0 : memref<4xf32>
func.func @returns() -> tensor<4xf32> {
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  func.return %a: tensor<4xf32>
}
// CHECK-LABEL: func.func @calls(%i: index, %f: f32) -> (f32, f32) {
// CHECK-NEXT:    %a = func.call @returns() : () -> memref<4xf32, 1 : i64>
// CHECK-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%b : memref<4xf32, 1 : i64>)
// CHECK-NEXT:    %x = memref.load %a[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %y = memref.load %b[%i] : memref<4xf32, 1 : i64>
// CHECK-NEXT:    func.return %x, %y : f32, f32
// IDENTITY-LABEL: func.func @calls(%i: index, %f: f32) -> (f32, f32) {
// IDENTITY-NEXT:    %a = func.call @returns() : () -> memref<4xf32>
// IDENTITY-NEXT:    %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// IDENTITY-NEXT:    linalg.fill ins(%f : f32) outs(%b : memref<4xf32>)
// IDENTITY-NEXT:    %x = memref.load %a[%i] : memref<4xf32>
// IDENTITY-NEXT:    %y = memref.load %b[%i] : memref<4xf32>
// IDENTITY-NEXT:    func.return %x, %y : f32, f32
func.func @calls(%i: index, %f: f32) -> (f32, f32) {
  %a = func.call @returns() : () -> tensor<4xf32>
  %b = linalg.fill ins(%f : f32) outs(%a: tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  %y = tensor.extract %b[%i] : tensor<4xf32>
  func.return %x, %y : f32, f32
}

// Otherwise functions expect and return memory of the default one.
// CHECK-LABEL: func.func private @external(memref<4xf32, strided<[?], offset: ?>>) -> ()
// IDENTITY-LABEL: func.func private @external(memref<4xf32>) -> ()
func.func private @external(tensor<4xf32>)
// CHECK-LABEL: func.func @calls_external() {
// CHECK-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%a, %0) : (memref<4xf32, 1 : i64>, memref<4xf32>) -> ()
// CHECK-NEXT:    %1 = "memref.cast"(%0) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.call @external(%1) : (memref<4xf32, strided<[?], offset: ?>>) -> ()
// CHECK-NEXT:    func.return
// IDENTITY-LABEL: func.func @calls_external() {
// IDENTITY-NEXT:    %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32, 1 : i64>
// IDENTITY-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// IDENTITY-NEXT:    "memref.copy"(%a, %0) : (memref<4xf32, 1 : i64>, memref<4xf32>) -> ()
// IDENTITY-NEXT:    func.call @external(%0) : (memref<4xf32>) -> ()
// IDENTITY-NEXT:    func.return
func.func @calls_external() {
  %a = bufferization.alloc_tensor() {memory_space = 1 : i64} : tensor<4xf32>
  func.call @external(%a) : (tensor<4xf32>) -> ()
  func.return
}
