// RUN: xdsl-opt -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' %s | filecheck %s
// RUN: xdsl-opt -p 'bufferize{function-boundary-type-conversion=identity-layout-map without=save-contents}' %s | filecheck %s --check-prefix=WITHOUT

// The old contents of the cache are read after its update, at a place that depends on the new ones.
func.func @read_after(%cache: tensor<64xf32> {bufferize.aliasing_result = 0 : i64}, %x: f32, %i: index) -> (tensor<64xf32>, f32) {
  %new = tensor.insert %x into %cache[%i] : tensor<64xf32>
  %first = tensor.extract %new[%i] : tensor<64xf32>
  %number = arith.fptosi %first : f32 to i64
  %j = arith.index_cast %number : i64 to index
  %old = tensor.extract %cache[%j] : tensor<64xf32>
  return %new, %old : tensor<64xf32>, f32
}
// CHECK-LABEL: @read_after
// CHECK: %[[OLD:[a-z0-9_]+]] = memref.alloc()
// CHECK-NEXT: memref.copy"(%cache, %[[OLD]])
// CHECK-NEXT: memref.store %x, %cache[%i]
// CHECK: memref.load %[[OLD]]
// CHECK-NOT: memref.copy
// CHECK: return %cache

// WITHOUT-LABEL: @read_after
// WITHOUT: memref.copy
// WITHOUT: memref.copy

// Nothing depends on the update: the read comes first, and nothing is saved.
func.func @read_before(%cache: tensor<64xf32> {bufferize.aliasing_result = 0 : i64}, %x: f32, %i: index) -> (tensor<64xf32>, f32) {
  %new = tensor.insert %x into %cache[%i] : tensor<64xf32>
  %old = tensor.extract %cache[%i] : tensor<64xf32>
  return %new, %old : tensor<64xf32>, f32
}
// CHECK-LABEL: @read_before
// CHECK-NOT: memref.copy
// CHECK: return %cache

// An argument that is not donated is copied once as it is.
func.func @not_donated(%cache: tensor<64xf32>, %x: f32, %i: index) -> (tensor<64xf32>, f32) {
  %new = tensor.insert %x into %cache[%i] : tensor<64xf32>
  %first = tensor.extract %new[%i] : tensor<64xf32>
  %number = arith.fptosi %first : f32 to i64
  %j = arith.index_cast %number : i64 to index
  %old = tensor.extract %cache[%j] : tensor<64xf32>
  return %new, %old : tensor<64xf32>, f32
}
// CHECK-LABEL: @not_donated
// CHECK: memref.copy"(%cache, %[[NEW:[a-z0-9_]+]])
// CHECK-NEXT: memref.store %x, %[[NEW]]
// CHECK-NOT: memref.copy
