// RUN: xdsl-opt %s -p bufferize | filecheck %s

// Memory spaces and mappings are kept, without --allow-unregistered-dialect.
// CHECK-LABEL: func.func @workgroup
// CHECK:         [[tile:%.*]] = memref.alloc() {alignment = 64 : i64} : memref<4xf32, #gpu.address_space<workgroup>>
// CHECK:         linalg.fill ins(%x : f32) outs([[tile]]
// CHECK:         mapping = [#gpu.thread<x>]
// CHECK:         memref.dealloc [[tile]]
func.func @workgroup(%x: f32, %out: memref<4xf32, #spirv.storage_class<StorageBuffer>>) {
  %e = bufferization.alloc_tensor() {memory_space = #gpu.address_space<workgroup>} : tensor<4xf32>
  %t = linalg.fill ins(%x : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  scf.forall (%i) in (4) {
    %y = tensor.extract %t[%i] : tensor<4xf32>
    memref.store %y, %out[%i] : memref<4xf32, #spirv.storage_class<StorageBuffer>>
  } {mapping = [#gpu.thread<x>]}
  return
}
