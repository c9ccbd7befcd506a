// RUN: xdsl-opt %s -p 'buffer-results-to-out-params{modify-public-functions only-where-possible}' 2>/dev/null | filecheck %s
// RUN: xdsl-opt %s -p 'buffer-results-to-out-params{modify-public-functions only-where-possible}' 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

// Results that callers cannot allocate stay, each with a remark; others become arguments.

// CHECK-LABEL: func.func @layout(%{{.*}}: memref<8xf32>) -> memref<4xf32, strided<[1], offset: 2>>
// REMARK:      remark: 'func.func' still returns memref<4xf32, strided<[1], offset: 2>> as result #0: no caller can allocate that layout
// REMARK:      hint: return a memref without a layout
func.func @layout() -> (memref<4xf32, strided<[1], offset: 2>>, memref<8xf32>) {
  %m = memref.alloc() : memref<8xf32>
  %s = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  func.return %s, %m : memref<4xf32, strided<[1], offset: 2>>, memref<8xf32>
}

// CHECK-LABEL: func.func @rank() -> memref<*xf32>
// REMARK:      remark: 'func.func' still returns memref<*xf32> as result #0: its rank is not known
func.func @rank() -> memref<*xf32> {
  %m = memref.alloc() : memref<8xf32>
  %u = "memref.cast"(%m) : (memref<8xf32>) -> memref<*xf32>
  func.return %u : memref<*xf32>
}

// CHECK-LABEL: func.func @shared(%x: memref<8xf32>, %c: i1) -> memref<8xf32>
// REMARK:      remark: 'func.func' still returns memref<8xf32> as result #0: it may share memory with something that a caller sees
func.func @shared(%x: memref<8xf32>, %c: i1) -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  %r = arith.select %c, %x, %m : memref<8xf32>
  func.return %r : memref<8xf32>
}

func.func @calls(%x: memref<8xf32>, %c: i1) {
  %r = func.call @shared(%x, %c) : (memref<8xf32>, i1) -> memref<8xf32>
  func.return
}

// CHECK-LABEL: func.func @named() -> memref<8xf32>
// REMARK:      remark: 'func.func' still returns memref<8xf32> as result #0: ops other than func.call use the function
func.func @named() -> memref<8xf32> {
  %m = memref.alloc() : memref<8xf32>
  func.return %m : memref<8xf32>
}

func.func @names() {
  "test.op"() {callee = @named} : () -> ()
  func.return
}
