// RUN: xdsl-opt %s -p 'buffer-results-to-out-params{modify-public-functions add-result-attr hoist-static-allocs}' | filecheck %s

// CHECK-LABEL: func.func @hoisted(%n: index {test.n}, %a: memref<4xf32> {test.r, bufferize.result}) -> (index {test.i}) {
// CHECK-NEXT:      func.return %n : index
// CHECK-NEXT:    }
func.func @hoisted(%n: index {test.n}) -> (memref<4xf32> {test.r}, index {test.i}) {
  %a = memref.alloc() : memref<4xf32>
  func.return %a, %n : memref<4xf32>, index
}

// The caller goes on with the argument, wherever the result is copied to.
// CHECK-LABEL: func.func @argument(%m: memref<4xf32>, %0: memref<4xf32> {bufferize.result}) {
// CHECK-NEXT:      "memref.copy"(%m, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func @argument(%m: memref<4xf32>) -> memref<4xf32> {
  func.return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @calls_argument(%m: memref<4xf32>, %0: memref<4xf32> {bufferize.result}) {
// CHECK-NEXT:      %r = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.call @argument(%m, %r) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      "memref.copy"(%m, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func @calls_argument(%m: memref<4xf32>) -> memref<4xf32> {
  %r = func.call @argument(%m) : (memref<4xf32>) -> memref<4xf32>
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func @twice(%a: memref<4xf32> {bufferize.result}, %0: memref<4xf32> {bufferize.result}) {
// CHECK-NEXT:      "memref.copy"(%a, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func @twice() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  func.return %a, %a : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @part(%m: memref<8xf32>, %0: memref<4xf32> {bufferize.result}) {
// CHECK-NEXT:      %v = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
// CHECK-NEXT:      %c = "memref.cast"(%v) : (memref<4xf32, strided<[1], offset: 2>>) -> memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:      "memref.copy"(%c, %0) : (memref<4xf32, strided<[1], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func @part(%m: memref<8xf32>) -> memref<4xf32, strided<[1], offset: ?>> {
  %v = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  %c = "memref.cast"(%v) : (memref<4xf32, strided<[1], offset: 2>>) -> memref<4xf32, strided<[1], offset: ?>>
  func.return %c : memref<4xf32, strided<[1], offset: ?>>
}

// CHECK-LABEL: func.func private @declared(memref<4xf32>) -> memref<4xf32>
func.func private @declared(memref<4xf32>) -> memref<4xf32>
