func.func private @f(memref<4xf32, #spirv.storage_class<Workgroup>>, memref<4xf32, #amdgpu.address_space<fat_raw_buffer>>, memref<4xf32, #llvm.address_space<3>>, memref<4xf32, #ptr.generic_space>)
// -----
module attributes {spirv.target_env = #spirv.target_env<#spirv.vce<v1.0, [Shader], []>, #spirv.resource_limits<>>} {
}
// -----
#vce = #spirv.vce<v1.0, [Shader], []>
#limits = #spirv.resource_limits<>
module attributes {spirv.target_env = #spirv.target_env<#vce,
                                                         #limits>} {
}
// -----
#csr = #sparse_tensor.encoding<{ map = (d0, d1) -> (d0 : dense, d1 : compressed), posWidth = 32 }>
func.func private @f(tensor<4x4xf32, #csr>)
// -----
#flags = {fast}
"test.op"() {a = #nvvm.target, b = #nvvm.target<chip = "sm_90", flags = #flags>, c = #rocdl.target<O = 3>, d = #xevm.target} : () -> ()
// -----
"test.op"() {a = #index<cmp_predicate eq>, b = #llvm.loop_annotation<disableNonforced = true>, c = #xegpu.layout<lane_layout = [1, 16], lane_data = [1, 1]>} : () -> ()
// -----
!element = f32
func.func private @f(!shape.shape, !shape.size, !shape.witness, tensor<4x!quant.uniform<i8:!element, 2.000000e+00>>, !async.token, !async.value<f32>)
// -----
func.func private @f(!nvgpu.tensormap.descriptor<tensor = memref<64x16xf32, 3>, swizzle = swizzle_64b, l2promo = none, oob = zero, interleave = none>, !spirv.ptr<f32, StorageBuffer>)
