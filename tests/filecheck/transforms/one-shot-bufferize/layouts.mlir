// RUN: xdsl-opt %s -p 'one-shot-bufferize' | filecheck %s

// Elements of a memref with any layout are read and written where they are.
// CHECK-LABEL: func.func @elements(%m: memref<4x4xf32, affine_map<(d0, d1) -> ((d0 floordiv 2), d1, (d0 mod 2))>>, %i: index, %f: f32) -> f32 {
// CHECK-NEXT:    memref.store %f, %m[%i, %i] : memref<4x4xf32, affine_map<(d0, d1) -> ((d0 floordiv 2), d1, (d0 mod 2))>>
// CHECK-NEXT:    %x = memref.load %m[%i, %i] : memref<4x4xf32, affine_map<(d0, d1) -> ((d0 floordiv 2), d1, (d0 mod 2))>>
// CHECK-NEXT:    func.return %x : f32
func.func @elements(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>>, %i: index, %f: f32) -> f32 {
  %t = bufferization.to_tensor %m restrict writable : memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>> to tensor<4x4xf32>
  %a = tensor.insert %f into %t[%i, %i] : tensor<4x4xf32>
  %x = tensor.extract %a[%i, %i] : tensor<4x4xf32>
  func.return %x : f32
}

// For another layout there is a copy, as no cast goes from or to a layout that is not
// strided.
// CHECK-LABEL: func.func @from_tiled(%m: memref<4x4xf32, affine_map<(d0, d1) -> ((d0 floordiv 2), d1, (d0 mod 2))>>) -> memref<4x4xf32, strided<[?, ?], offset: ?>> {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4x4xf32, affine_map<(d0, d1) -> ((d0 floordiv 2), d1, (d0 mod 2))>>, memref<4x4xf32>) -> ()
// CHECK-NEXT:    %n = "memref.cast"(%0) : (memref<4x4xf32>) -> memref<4x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    func.return %n : memref<4x4xf32, strided<[?, ?], offset: ?>>
func.func @from_tiled(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>>) -> memref<4x4xf32, strided<[?, ?], offset: ?>> {
  %t = bufferization.to_tensor %m restrict : memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>> to tensor<4x4xf32>
  %n = bufferization.to_buffer %t read_only : tensor<4x4xf32> to memref<4x4xf32, strided<[?, ?], offset: ?>>
  func.return %n : memref<4x4xf32, strided<[?, ?], offset: ?>>
}

// CHECK-LABEL: func.func @to_tiled(%m: memref<4x4xf32>) -> memref<4x4xf32, affine_map<(d0, d1) -> ((d0 floordiv 2), d1, (d0 mod 2))>> {
// CHECK-NEXT:    %n = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32, affine_map<(d0, d1) -> ((d0 floordiv 2), d1, (d0 mod 2))>>
// CHECK-NEXT:    "memref.copy"(%m, %n) : (memref<4x4xf32>, memref<4x4xf32, affine_map<(d0, d1) -> ((d0 floordiv 2), d1, (d0 mod 2))>>) -> ()
// CHECK-NEXT:    func.return %n : memref<4x4xf32, affine_map<(d0, d1) -> ((d0 floordiv 2), d1, (d0 mod 2))>>
func.func @to_tiled(%m: memref<4x4xf32>) -> memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>> {
  %t = bufferization.to_tensor %m restrict : memref<4x4xf32> to tensor<4x4xf32>
  %n = bufferization.to_buffer %t read_only : tensor<4x4xf32> to memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>>
  func.return %n : memref<4x4xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>>
}

// CHECK-LABEL: func.func @either(%c: i1, %m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %i: index) -> f32 {
// CHECK-NEXT:    %e = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, memref<4x4xf32>) -> ()
// CHECK-NEXT:    %1 = "memref.cast"(%0) : (memref<4x4xf32>) -> memref<4x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    %2 = "memref.cast"(%e) : (memref<4x4xf32>) -> memref<4x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    %s = arith.select %c, %1, %2 : memref<4x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    %x = memref.load %s[%i, %i] : memref<4x4xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @either(%c: i1, %m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> to tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  %s = arith.select %c, %t, %e : tensor<4x4xf32>
  %x = tensor.extract %s[%i, %i] : tensor<4x4xf32>
  func.return %x : f32
}

// A merged dimension is of a contiguous copy.
// CHECK-LABEL: func.func @collapsed(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %i: index) -> f32 {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, memref<4x4xf32>) -> ()
// CHECK-NEXT:    %s = memref.collapse_shape %0 [[0 : i64, 1 : i64]] : memref<4x4xf32> into memref<16xf32>
// CHECK-NEXT:    %x = memref.load %s[%i] : memref<16xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @collapsed(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>> to tensor<4x4xf32>
  %s = tensor.collapse_shape %t [[0 : i64, 1 : i64]] : tensor<4x4xf32> into tensor<16xf32>
  %x = tensor.extract %s[%i] : tensor<16xf32>
  func.return %x : f32
}

// A linear map is as good as strides,
// CHECK-LABEL: func.func @linear(%m: memref<4x4xf32, affine_map<(d0, d1) -> ((((d0 * 8) + (d1 * 2)) + 3))>>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.subview %m[1, 2] [2, 2] [1, 1] : memref<4x4xf32, affine_map<(d0, d1) -> ((((d0 * 8) + (d1 * 2)) + 3))>> to memref<2x2xf32, strided<[8, 2], offset: 15>>
// CHECK-NEXT:    %x = memref.load %s[%i, %i] : memref<2x2xf32, strided<[8, 2], offset: 15>>
// CHECK-NEXT:    func.return %x : f32
func.func @linear(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 8 + d1 * 2 + 3)>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4x4xf32, affine_map<(d0, d1) -> (d0 * 8 + d1 * 2 + 3)>> to tensor<4x4xf32>
  %s = tensor.extract_slice %t[1, 2] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  %x = tensor.extract %s[%i, %i] : tensor<2x2xf32>
  func.return %x : f32
}

// unknown ones for what depends on a symbol,
// CHECK-LABEL: func.func @symbol(%m: memref<4x4xf32, affine_map<(d0, d1)[s0] -> ((((d0 * 8) + (d1 * 2)) + s0))>>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.subview %m[1, 2] [2, 2] [1, 1] : memref<4x4xf32, affine_map<(d0, d1)[s0] -> ((((d0 * 8) + (d1 * 2)) + s0))>> to memref<2x2xf32, strided<[8, 2], offset: ?>>
// CHECK-NEXT:    %x = memref.load %s[%i, %i] : memref<2x2xf32, strided<[8, 2], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @symbol(%m: memref<4x4xf32, affine_map<(d0, d1)[s0] -> (d0 * 8 + d1 * 2 + s0)>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4x4xf32, affine_map<(d0, d1)[s0] -> (d0 * 8 + d1 * 2 + s0)>> to tensor<4x4xf32>
  %s = tensor.extract_slice %t[1, 2] [2, 2] [1, 1] : tensor<4x4xf32> to tensor<2x2xf32>
  %x = tensor.extract %s[%i, %i] : tensor<2x2xf32>
  func.return %x : f32
}

// and the identity as no layout.
// CHECK-LABEL: func.func @identity(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>>, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.collapse_shape %m [[0 : i64, 1 : i64]] : memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>> into memref<16xf32>
// CHECK-NEXT:    %x = memref.load %s[%i] : memref<16xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @identity(%m: memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>>, %i: index) -> f32 {
  %t = bufferization.to_tensor %m restrict : memref<4x4xf32, affine_map<(d0, d1) -> (d0, d1)>> to tensor<4x4xf32>
  %s = tensor.collapse_shape %t [[0 : i64, 1 : i64]] : tensor<4x4xf32> into tensor<16xf32>
  %x = tensor.extract %s[%i] : tensor<16xf32>
  func.return %x : f32
}
