// RUN: xdsl-opt %s -p 'plan-static-memory{start-addresses="1:4096" report}' 2>&1 | filecheck %s
// RUN: not xdsl-opt %s -p 'plan-static-memory{max-sizes="1:32"}' 2>&1 | filecheck %s --check-prefix=SIZE

// A memory space that is a number is named as it is written in the type.
// SIZE: 'func.func' needs an arena of 64 bytes in memory space 1, more than max-sizes=1:32
// CHECK: @f: 64 bytes in memory space 1 for 1 buffer of 64 bytes
// CHECK: 0x1000
// CHECK: func.func @f(
// CHECK: memref.alloc() {alignment = 16 : i64, bufferize.address = 4096 : i64}
func.func @f(%x: f32) {
  %a = memref.alloc() : memref<16xf32, 1>
  linalg.fill ins(%x : f32) outs(%a : memref<16xf32, 1>)
  func.return
}
