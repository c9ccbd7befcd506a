// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// The result is in the memory of the argument already.
// CHECK-LABEL: func.func @in_place(%new: memref<1x4xf32>, %cache: memref<8x4xf32> {bufferize.aliasing_result = 0 : i64}, %p: index) -> memref<8x4xf32> {
// CHECK-NEXT:      %0 = memref.subview %cache[%p, 0] [1, 4] [1, 1] : memref<8x4xf32> to memref<1x4xf32, strided<[4, 1], offset: ?>>
// CHECK-NEXT:      "memref.copy"(%new, %0) : (memref<1x4xf32>, memref<1x4xf32, strided<[4, 1], offset: ?>>) -> ()
// CHECK-NEXT:      func.return %cache : memref<8x4xf32>
// CHECK-NEXT:    }
func.func @in_place(%new: tensor<1x4xf32>, %cache: tensor<8x4xf32> {bufferize.aliasing_result = 0 : i64}, %p: index) -> tensor<8x4xf32> {
  %r = tensor.insert_slice %new into %cache[%p, 0] [1, 4] [1, 1] : tensor<1x4xf32> into tensor<8x4xf32>
  func.return %r : tensor<8x4xf32>
}

// It is copied there.
// CHECK-LABEL: func.func @other_memory(%t: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %u: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:      "memref.copy"(%u, %t) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %t : memref<8xf32>
// CHECK-NEXT:    }
func.func @other_memory(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %u: tensor<8xf32>) -> tensor<8xf32> {
  func.return %u : tensor<8xf32>
}

// On one of two ways through the function.
// CHECK-LABEL: func.func @sometimes(%c: i1, %t: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %u: memref<8xf32>, %f: f32, %i: index) -> memref<8xf32> {
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      memref.store %f, %t[%i] : memref<8xf32>
// CHECK-NEXT:      func.return %t : memref<8xf32>
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      "memref.copy"(%u, %t) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %t : memref<8xf32>
// CHECK-NEXT:    }
func.func @sometimes(%c: i1, %t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %u: tensor<8xf32>, %f: f32, %i: index) -> tensor<8xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  %r = tensor.insert %f into %t[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
^bb2:
  func.return %u : tensor<8xf32>
}

// Two donated arguments are exchanged, for which one of them is saved before.
// CHECK-LABEL: func.func @exchanged(%t: memref<8xf32> {bufferize.aliasing_result = 1 : i64}, %u: memref<8xf32> {bufferize.aliasing_result = 0 : i64}) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:      %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%u, %0) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      "memref.copy"(%t, %u) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      "memref.copy"(%0, %t) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %u, %t : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:    }
func.func @exchanged(%t: tensor<8xf32> {bufferize.aliasing_result = 1 : i64}, %u: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}) -> (tensor<8xf32>, tensor<8xf32>) {
  func.return %t, %u : tensor<8xf32>, tensor<8xf32>
}

// What was in the donated argument is another result, for which nothing is donated.
// CHECK-LABEL: func.func @moved(%t: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %u: memref<8xf32>) -> (memref<8xf32>, memref<8xf32>) {
// CHECK-NEXT:      %0 = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%t, %0) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      "memref.copy"(%u, %t) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %t, %0 : memref<8xf32>, memref<8xf32>
// CHECK-NEXT:    }
func.func @moved(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %u: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  func.return %u, %t : tensor<8xf32>, tensor<8xf32>
}

// The contents of before are read after the update.
// CHECK-LABEL: func.func @read_later(%t: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> (memref<8xf32>, f32) {
// CHECK-NEXT:      %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %r[%i] : memref<8xf32>
// CHECK-NEXT:      %old = memref.load %t[%i] : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%r, %t) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %t, %old : memref<8xf32>, f32
// CHECK-NEXT:    }
func.func @read_later(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> (tensor<8xf32>, f32) {
  %r = tensor.insert %f into %t[%i] : tensor<8xf32>
  %old = tensor.extract %t[%i] : tensor<8xf32>
  func.return %r, %old : tensor<8xf32>, f32
}

// One branch updates the argument, the other one leaves it as it is.
// CHECK-LABEL: func.func @conditional(%c: i1, %t: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> memref<8xf32> {
// CHECK-NEXT:      %r = scf.if %c -> (memref<8xf32>) {
// CHECK-NEXT:        memref.store %f, %t[%i] : memref<8xf32>
// CHECK-NEXT:        scf.yield %t : memref<8xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %t : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %t : memref<8xf32>
// CHECK-NEXT:    }
func.func @conditional(%c: i1, %t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> tensor<8xf32> {
  %r = scf.if %c -> (tensor<8xf32>) {
    %s = tensor.insert %f into %t[%i] : tensor<8xf32>
    scf.yield %s : tensor<8xf32>
  } else {
    scf.yield %t : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @recursive(%n: index, %t: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32) -> memref<8xf32> {
// CHECK-NEXT:      %c0 = arith.constant 0 : index
// CHECK-NEXT:      %c1 = arith.constant 1 : index
// CHECK-NEXT:      %last = arith.cmpi eq, %n, %c0 : index
// CHECK-NEXT:      %r = scf.if %last -> (memref<8xf32>) {
// CHECK-NEXT:        scf.yield %t : memref<8xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %m = arith.subi %n, %c1 : index
// CHECK-NEXT:        memref.store %f, %t[%m] : memref<8xf32>
// CHECK-NEXT:        %0 = func.call @recursive(%m, %t, %f) : (index, memref<8xf32>, f32) -> memref<8xf32>
// CHECK-NEXT:        scf.yield %t : memref<8xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %t : memref<8xf32>
// CHECK-NEXT:    }
func.func @recursive(%n: index, %t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32) -> tensor<8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %last -> (tensor<8xf32>) {
    scf.yield %t : tensor<8xf32>
  } else {
    %m = arith.subi %n, %c1 : index
    %s = tensor.insert %f into %t[%m] : tensor<8xf32>
    %v = func.call @recursive(%m, %s, %f) : (index, tensor<8xf32>, f32) -> tensor<8xf32>
    scf.yield %v : tensor<8xf32>
  }
  func.return %r : tensor<8xf32>
}

// The caller does not need what it donates, and what it gets is that memory.
// CHECK-LABEL: func.func @donates(%f: f32, %i: index) -> f32 {
// CHECK-NEXT:      %e = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%e : memref<8xf32>)
// CHECK-NEXT:      %0 = func.call @recursive(%i, %e, %f) : (index, memref<8xf32>, f32) -> memref<8xf32>
// CHECK-NEXT:      %x = memref.load %e[%i] : memref<8xf32>
// CHECK-NEXT:      func.return %x : f32
// CHECK-NEXT:    }
func.func @donates(%f: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<8xf32>
  %t = linalg.fill ins(%f : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %r = func.call @recursive(%i, %t, %f) : (index, tensor<8xf32>, f32) -> tensor<8xf32>
  %x = tensor.extract %r[%i] : tensor<8xf32>
  func.return %x : f32
}

// The caller needs it, and so donates a copy.
// CHECK-LABEL: func.func @keeps(%t: memref<8xf32>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:      %r = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%t, %r) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      %0 = func.call @recursive(%i, %r, %f) : (index, memref<8xf32>, f32) -> memref<8xf32>
// CHECK-NEXT:      %x = memref.load %r[%i] : memref<8xf32>
// CHECK-NEXT:      %y = memref.load %t[%i] : memref<8xf32>
// CHECK-NEXT:      %z = arith.addf %x, %y : f32
// CHECK-NEXT:      func.return %z : f32
// CHECK-NEXT:    }
func.func @keeps(%t: tensor<8xf32>, %f: f32, %i: index) -> f32 {
  %r = func.call @recursive(%i, %t, %f) : (index, tensor<8xf32>, f32) -> tensor<8xf32>
  %x = tensor.extract %r[%i] : tensor<8xf32>
  %y = tensor.extract %t[%i] : tensor<8xf32>
  %z = arith.addf %x, %y : f32
  func.return %z : f32
}

// The layout of the result is that of the argument.
// CHECK-LABEL: func.func @layout(%t: memref<8xf32, strided<[2], offset: 1>> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> memref<8xf32, strided<[2], offset: 1>> {
// CHECK-NEXT:      memref.store %f, %t[%i] : memref<8xf32, strided<[2], offset: 1>>
// CHECK-NEXT:      func.return %t : memref<8xf32, strided<[2], offset: 1>>
// CHECK-NEXT:    }
func.func @layout(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64, bufferization.buffer_layout = strided<[2], offset: 1>}, %f: f32, %i: index) -> tensor<8xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @calls_layout(%t: memref<8xf32, strided<[2], offset: 1>> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> memref<8xf32, strided<[2], offset: 1>> {
// CHECK-NEXT:      %0 = func.call @layout(%t, %f, %i) : (memref<8xf32, strided<[2], offset: 1>>, f32, index) -> memref<8xf32, strided<[2], offset: 1>>
// CHECK-NEXT:      func.return %t : memref<8xf32, strided<[2], offset: 1>>
// CHECK-NEXT:    }
func.func @calls_layout(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64, bufferization.buffer_layout = strided<[2], offset: 1>}, %f: f32, %i: index) -> tensor<8xf32> {
  %r = func.call @layout(%t, %f, %i) : (tensor<8xf32>, f32, index) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// A function that is not private returns its argument. If the memory is freed later, it returns
// a copy, as nothing is donated to it, so that what it returns has to be copied.
// CHECK-LABEL: func.func @identity(%t: memref<8xf32>) -> memref<8xf32> {
// CHECK-NEXT:      func.return %t : memref<8xf32>
// CHECK-NEXT:    }
func.func @identity(%t: tensor<8xf32>) -> tensor<8xf32> {
  func.return %t : tensor<8xf32>
}

// CHECK-LABEL: func.func @through_call(%t: memref<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> memref<8xf32> {
// CHECK-NEXT:      %s = func.call @identity(%t) : (memref<8xf32>) -> memref<8xf32>
// CHECK-NEXT:      memref.store %f, %s[%i] : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%s, %t) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %t : memref<8xf32>
// CHECK-NEXT:    }
func.func @through_call(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> tensor<8xf32> {
  %s = func.call @identity(%t) : (tensor<8xf32>) -> tensor<8xf32>
  %r = tensor.insert %f into %s[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}
