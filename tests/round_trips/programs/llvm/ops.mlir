"llvm.mlir.global"() <{addr_space = 0 : i32, global_type = i32, linkage = #llvm.linkage<external>, sym_name = "default", visibility_ = 0 : i64}> ({
}) : () -> ()
// -----
"llvm.mlir.global"() <{addr_space = 1 : i32, constant, dso_local, global_type = i32, linkage = #llvm.linkage<private>, section = "s", sym_name = "hidden", thread_local_, unnamed_addr = 2 : i64, value = 1 : i32, visibility_ = 1 : i64}> ({
}) {mark} : () -> ()
// -----
llvm.mlir.global internal unnamed_addr constant @no_visibility("abc") {addr_space = 0 : i32} : !llvm.array<3 x i8>
// -----
"llvm.func"() <{CConv = #llvm.cconv<ccc>, arg_attrs = [{llvm.nocapture}], function_type = !llvm.func<void (ptr)>, linkage = #llvm.linkage<external>, sym_name = "declaration", visibility_ = 0 : i64}> ({
}) : () -> ()
// -----
llvm.func @flags(%x: f32, %y: f32) {
  %0 = llvm.fcmp "olt" %x, %y : f32
  %1 = "llvm.fcmp"(%x, %y) <{fastmathFlags = #llvm.fastmath<fast>, predicate = 4 : i64}> : (f32, f32) -> i1
  llvm.return
}
// -----
llvm.func @offsets(%p: !llvm.ptr) {
  %0 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, i32
  %1 = "llvm.getelementptr"(%p) <{elem_type = i32, noWrapFlags = 3 : i32, rawConstantIndices = array<i32: 1>}> : (!llvm.ptr) -> !llvm.ptr
  %2 = "llvm.getelementptr"(%p) <{elem_type = i32, noWrapFlags = 4 : i32, rawConstantIndices = array<i32: 1>}> : (!llvm.ptr) -> !llvm.ptr
  llvm.return
}
