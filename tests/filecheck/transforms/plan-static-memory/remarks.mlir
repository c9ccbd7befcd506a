// RUN: xdsl-opt %s -p 'plan-static-memory' -o /dev/null 2>&1 | filecheck %s --check-prefixes=CHECK,ONCE
// RUN: xdsl-opt %s -p 'bufferize,plan-static-memory{arena-as-argument}' -o /dev/null 2>&1 | filecheck %s
// RUN: xdsl-opt %s -p 'plan-static-memory{remarks=false}' -o /dev/null 2>&1 | not grep remark
// RUN: xdsl-opt %s -p 'plan-static-memory{report}' -o /dev/null 2>&1 | filecheck %s --check-prefix=REPORT

// Each buffer that stays is named, with the reason; what helps against frees is said once.
func.func @freed(%x: f32, %i: index) -> (f32, f32) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %x, %a[%i] : memref<4xf32>
  %y = memref.load %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  %b = memref.alloc() : memref<8xf32>
  memref.store %x, %b[%i] : memref<8xf32>
  %z = memref.load %b[%i] : memref<8xf32>
  memref.dealloc %b : memref<8xf32>
  func.return %y, %z : f32, f32
}

// CHECK:      remark: 'memref.alloc' stays an allocation of its own: the program frees it
// CHECK-NEXT:   at: {{.*}}remarks.mlir:8:8: in @freed
// CHECK-NEXT:   8 |   %a = memref.alloc()
// CHECK-NEXT:     |        ^
// CHECK-NEXT: hint: plan before memory is freed: bufferize{free=false},plan-static-memory,buffer-deallocation-pipeline
// CHECK-NEXT: remark: 'memref.alloc' stays an allocation of its own: the program frees it
// CHECK-NEXT:   at: {{.*}}remarks.mlir:12:8: in @freed
// CHECK-NEXT:  12 |   %b = memref.alloc()
// CHECK-NEXT:     |        ^
// ONCE-NOT:   hint

// REPORT-NOT: remark
// REPORT:     @freed: 2 buffers left as allocated
