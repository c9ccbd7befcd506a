// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries}' | filecheck %s

// The argument is in column-major order.
// CHECK-LABEL: func.func @transposed(%t: memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>, %f: f32, %i: index) -> memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>> {
// CHECK-NEXT:      memref.store %f, %t[%i, %i] : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
// CHECK-NEXT:      func.return %t : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
func.func @transposed(%t: tensor<4x8xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d1, d0)>}, %f: f32, %i: index) -> tensor<4x8xf32> {
  %r = tensor.insert %f into %t[%i, %i] : tensor<4x8xf32>
  func.return %r : tensor<4x8xf32>
}

// So is what its caller hands over, in a copy if need be.
// CHECK-LABEL: func.func @caller(%t: memref<4x8xf32, strided<[?, ?], offset: ?>>, %u: memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>, %f: f32, %i: index) -> (memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>, memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>) {
// CHECK-NEXT:      %0 = memref.alloc() {alignment = 64 : i64} : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
// CHECK-NEXT:      "memref.copy"(%t, %0) : (memref<4x8xf32, strided<[?, ?], offset: ?>>, memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>) -> ()
// CHECK-NEXT:      %r = func.call @transposed(%0, %f, %i) : (memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>, f32, index) -> memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
// CHECK-NEXT:      %s = func.call @transposed(%u, %f, %i) : (memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>, f32, index) -> memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
// CHECK-NEXT:      func.return %r, %s : memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>, memref<4x8xf32, affine_map<(d0, d1) -> (d1, d0)>>
func.func @caller(%t: tensor<4x8xf32>, %u: tensor<4x8xf32> {bufferization.buffer_layout = affine_map<(d0, d1) -> (d1, d0)>}, %f: f32, %i: index) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %r = func.call @transposed(%t, %f, %i) : (tensor<4x8xf32>, f32, index) -> tensor<4x8xf32>
  %s = func.call @transposed(%u, %f, %i) : (tensor<4x8xf32>, f32, index) -> tensor<4x8xf32>
  func.return %r, %s : tensor<4x8xf32>, tensor<4x8xf32>
}

// Strides and offset may be named, and declarations have layouts as well.
"func.func"() <{sym_name = "external", sym_visibility = "private", function_type = (tensor<4x8xf32>) -> (), arg_attrs = [{bufferization.buffer_layout = strided<[1, 4]>}]}> ({}) : () -> ()
// CHECK-LABEL: func.func @strided(%t: memref<?xf32, strided<[2], offset: 1>>, %u: memref<4x8xf32, strided<[1, 4]>>, %i: index) -> f32 {
// CHECK-NEXT:      func.call @external(%u) : (memref<4x8xf32, strided<[1, 4]>>) -> ()
// CHECK-NEXT:      %x = memref.load %t[%i] : memref<?xf32, strided<[2], offset: 1>>
// CHECK-NEXT:      func.return %x : f32
func.func @strided(%t: tensor<?xf32> {bufferization.buffer_layout = strided<[2], offset: 1>}, %u: tensor<4x8xf32> {bufferization.buffer_layout = strided<[1, 4]>}, %i: index) -> f32 {
  func.call @external(%u) : (tensor<4x8xf32>) -> ()
  %x = tensor.extract %t[%i] : tensor<?xf32>
  func.return %x : f32
}

// The layout of an argument of a function that calls itself is known in front of it.
// CHECK-LABEL: func.func @recursive(%t: memref<4x8xf32, strided<[1, 4]>>, %c: i1) {
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        func.call @recursive(%t, %c) : (memref<4x8xf32, strided<[1, 4]>>, i1) -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @recursive(%t: tensor<4x8xf32> {bufferization.buffer_layout = strided<[1, 4]>}, %c: i1) {
  scf.if %c {
    func.call @recursive(%t, %c) : (tensor<4x8xf32>, i1) -> ()
  }
  func.return
}
