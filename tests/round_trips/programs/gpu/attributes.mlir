func.func private @f(memref<4xf32, #gpu.address_space<workgroup>>, memref<*xf32, #gpu.address_space<global>>, memref<4xf32, strided<[1], offset: ?>, #gpu.address_space<private>>)
// -----
func.func @f() {
  scf.forall (%i, %j, %k) in (4, 4, 4) {
  } {mapping = [#gpu.thread<x>, #gpu.thread<linear_dim_0>, #gpu.thread<linear_dim_9>]}
  scf.forall (%i, %j, %k) in (4, 4, 4) {
  } {mapping = [#gpu.block<x>, #gpu.block<y>, #gpu.block<z>]}
  scf.forall (%i) in (4) {
  } {mapping = [#gpu.warp<linear_dim_1>]}
  scf.forall (%i) in (4) {
  } {mapping = [#gpu.warpgroup<x>]}
  scf.forall (%i, %j) in (4, 4) {
  } {mapping = [#gpu.lane<linear_dim_2>, #gpu.lane<linear_dim_1>]}
  return
}
// -----
func.func @f(%n: index) {
  scf.parallel (%i) = (%n) to (%n) step (%n) {
  } {mapping = [#gpu.loop_dim_map<processor = thread_x, map = (d0) -> (d0 + 1), bound = (d0) -> (d0)>]}
  return
}
// -----
"test.op"() {a = #gpu.mask<0xff>, b = #gpu.mask<-1>, c = #gpu.memory_space<workgroup>, d = #gpu<dim x>, e = #gpu<all_reduce_op add>} : () -> ()
// -----
"test.op"() {a = #gpu<shuffle_mode xor>, b = #gpu<mma_element_wise addf>, c = #gpu<broadcast first_active_lane>, d = #gpu<prune_2to4_spmat_flag NONE>, e = #gpu<mat_transpose_mode NON_TRANSPOSE>} : () -> ()
// -----
"test.op"() {a = #gpu.kernel_metadata<"k", (i32) -> (), metadata = {a = 1 : i64}>, b = #gpu.select_object<#nvvm.target>, c = #gpu.object<#nvvm.target, "\00>">} : () -> ()
// -----
func.func private @f(!gpu.mma_matrix<16x16xf16, "AOp">, !gpu.async.token, !gpu.sparse.dntensor_handle, !gpu.sparse.spmat_handle)
