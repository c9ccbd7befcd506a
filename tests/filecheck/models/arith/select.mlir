// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%c: i1, %a: memref<?xf32>, %b: memref<?xf32>, %f: f32, %i: index) -> memref<?xf32> {
// CHECK-NEXT:    %s = arith.select %c, %a, %b : memref<?xf32>
// CHECK-NEXT:    memref.store %f, %s[%i] : memref<?xf32>
// CHECK-NEXT:    func.return %s : memref<?xf32>
func.func @in_place(%c: i1, %a: tensor<?xf32>, %b: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %s = arith.select %c, %a, %b : tensor<?xf32>
  %r = tensor.insert %f into %s[%i] : tensor<?xf32>
  func.return %r : tensor<?xf32>
}

// Writing the result would destroy %a, which is read later.
// CHECK-LABEL: func.func @out_of_place(%c: i1, %a: memref<4xf32>, %b: memref<4xf32>, %f: f32, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%a, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %s = arith.select %c, %0, %b : memref<4xf32>
// CHECK-NEXT:    memref.store %f, %s[%i] : memref<4xf32>
// CHECK-NEXT:    %x = memref.load %a[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %s, %x : memref<4xf32>, f32
func.func @out_of_place(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %s = arith.select %c, %a, %b : tensor<4xf32>
  %r = tensor.insert %f into %s[%i] : tensor<4xf32>
  %x = tensor.extract %a[%i] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}

// The two buffers have different layouts, so the result's is unknown.
// CHECK-LABEL: func.func @layouts(%c: i1, %a: memref<4xf32>, %t: memref<9xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %b = memref.subview %t[1] [4] [2] : memref<9xf32> to memref<4xf32, strided<[2], offset: 1>>
// CHECK-NEXT:    %0 = "memref.cast"(%a) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %1 = "memref.cast"(%b) : (memref<4xf32, strided<[2], offset: 1>>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %s = arith.select %c, %0, %1 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    %x = memref.load %s[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @layouts(%c: i1, %a: tensor<4xf32>, %t: tensor<9xf32>, %i: index) -> f32 {
  %b = tensor.extract_slice %t[1] [4] [2] : tensor<9xf32> to tensor<4xf32>
  %s = arith.select %c, %a, %b : tensor<4xf32>
  %x = tensor.extract %s[%i] : tensor<4xf32>
  func.return %x : f32
}
