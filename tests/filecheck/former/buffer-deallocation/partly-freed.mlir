// RUN: xdsl-opt %s -p buffer-deallocation | filecheck %s
// RUN: xdsl-opt %s -p buffer-deallocation 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Memory that the program frees on some paths only is freed as if the program did not.
// CHECK-LABEL: func.func @freed_on_one_path(
// CHECK-NOT:     memref.dealloc %0
// CHECK:           "memref.copy"(%0,
// CHECK:         }
// CHECK-NEXT:    memref.dealloc %1
// CHECK-NEXT:    memref.dealloc %0
// CHECK-NEXT:    func.return
func.func @freed_on_one_path(%c: i1) {
  %0 = memref.alloc() : memref<4xf32>
  %1 = scf.if %c -> (memref<4xf32>) {
    memref.dealloc %0 : memref<4xf32>
    %2 = memref.alloc() : memref<4xf32>
    scf.yield %2 : memref<4xf32>
  } else {
    scf.yield %0 : memref<4xf32>
  }
  func.return
}

// Memory that something else than `memref.dealloc` frees is left to the program.
// CHECK-LABEL: func.func @by_call(
// CHECK-NOT:     memref.dealloc
// CHECK:         func.return
// REMARK:      remark: 'memref.alloc' is left to the program: nothing frees it here, because func.call frees it on some paths only
// REMARK-NEXT:   at: {{.*}}: in @by_call{{$}}
func.func @by_call(%c: i1) {
  %0 = memref.alloc() : memref<4xf32>
  scf.if %c {
    func.call @frees(%0) : (memref<4xf32>) -> ()
  }
  func.return
}
func.func private @frees(%0: memref<4xf32>) {
  memref.dealloc %0 {bufferization.manual_deallocation} : memref<4xf32>
  func.return
}
