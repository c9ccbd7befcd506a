// RUN: xdsl-opt %s --allow-unregistered-dialect -p buffer-results-to-out-params | filecheck %s

// CHECK-LABEL: func.func private @two(%f: f32, %0: memref<4xf32>, %1: memref<8xf32>) -> f32 {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %b = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      "memref.copy"(%a, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      "memref.copy"(%b, %1) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:      func.return %f : f32
// CHECK-NEXT:    }
func.func private @two(%f: f32) -> (memref<4xf32>, f32, memref<8xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<8xf32>
  func.return %a, %f, %b : memref<4xf32>, f32, memref<8xf32>
}

// A public function stays as it is, but for its calls.
// CHECK-LABEL: func.func @calls_two(%f: f32) -> memref<8xf32> {
// CHECK-NEXT:      %r = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = memref.alloc() : memref<8xf32>
// CHECK-NEXT:      %g = func.call @two(%f, %r, %s) : (f32, memref<4xf32>, memref<8xf32>) -> f32
// CHECK-NEXT:      "test.use"(%r) : (memref<4xf32>) -> ()
// CHECK-NEXT:      func.return %s : memref<8xf32>
// CHECK-NEXT:    }
func.func @calls_two(%f: f32) -> memref<8xf32> {
  %r, %g, %s = func.call @two(%f) : (f32) -> (memref<4xf32>, f32, memref<8xf32>)
  "test.use"(%r) : (memref<4xf32>) -> ()
  func.return %s : memref<8xf32>
}

// CHECK-LABEL: func.func @calls_in_loop(%f: f32, %n: index) {
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      scf.for %i = %zero to %n step %one {
// CHECK-NEXT:        %r = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        %s = memref.alloc() : memref<8xf32>
// CHECK-NEXT:        %g = func.call @two(%f, %r, %s) : (f32, memref<4xf32>, memref<8xf32>) -> f32
// CHECK-NEXT:        memref.store %g, %r[%zero] : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func @calls_in_loop(%f: f32, %n: index) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %r, %g, %s = func.call @two(%f) : (f32) -> (memref<4xf32>, f32, memref<8xf32>)
    memref.store %g, %r[%zero] : memref<4xf32>
  }
  func.return
}

// CHECK-LABEL: func.func private @external(memref<4xf32>) -> memref<4xf32>
func.func private @external(memref<4xf32>) -> memref<4xf32>

// The caller goes on with what it gave: a copy would not be the same memory.
// CHECK-LABEL: func.func private @argument(%m: memref<4xf32>) {
// CHECK-NEXT:      %c = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @argument(%m: memref<4xf32>) -> memref<?xf32> {
  %c = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
  func.return %c : memref<?xf32>
}

// CHECK-LABEL: func.func @calls_argument(%m: memref<4xf32>) -> memref<?xf32> {
// CHECK-NEXT:      func.call @argument(%m) : (memref<4xf32>) -> ()
// CHECK-NEXT:      %r = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
// CHECK-NEXT:      func.return %r : memref<?xf32>
// CHECK-NEXT:    }
func.func @calls_argument(%m: memref<4xf32>) -> memref<?xf32> {
  %r = func.call @argument(%m) : (memref<4xf32>) -> memref<?xf32>
  func.return %r : memref<?xf32>
}

// CHECK-LABEL: func.func private @twice(%0: memref<4xf32>) {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%a, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @twice() -> (memref<4xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  func.return %a, %a : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @calls_twice(%f: f32, %i: index) -> f32 {
// CHECK-NEXT:      %r = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.call @twice(%r) : (memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %r[%i] : memref<4xf32>
// CHECK-NEXT:      %g = memref.load %r[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %g : f32
// CHECK-NEXT:    }
func.func @calls_twice(%f: f32, %i: index) -> f32 {
  %r, %s = func.call @twice() : () -> (memref<4xf32>, memref<4xf32>)
  memref.store %f, %r[%i] : memref<4xf32>
  %g = memref.load %s[%i] : memref<4xf32>
  func.return %g : f32
}

// The caller may write through the result: it is the argument on one of the ways.
// CHECK-LABEL: func.func private @maybe_argument(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      func.return %a : memref<4xf32>
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      func.return %m : memref<4xf32>
// CHECK-NEXT:    }
func.func private @maybe_argument(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  func.return %a : memref<4xf32>
^bb2:
  func.return %m : memref<4xf32>
}

// CHECK-LABEL: func.func private @part_of_argument(%m: memref<8xf32>) -> memref<4xf32, strided<[1], offset: 2>> {
// CHECK-NEXT:      %v = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
// CHECK-NEXT:      func.return %v : memref<4xf32, strided<[1], offset: 2>>
// CHECK-NEXT:    }
func.func private @part_of_argument(%m: memref<8xf32>) -> memref<4xf32, strided<[1], offset: 2>> {
  %v = memref.subview %m[2] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 2>>
  func.return %v : memref<4xf32, strided<[1], offset: 2>>
}

// CHECK-LABEL: func.func private @returned_by_others(%m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %r = func.call @external(%m) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:      func.return %r : memref<4xf32>
// CHECK-NEXT:    }
func.func private @returned_by_others(%m: memref<4xf32>) -> memref<4xf32> {
  %r = func.call @external(%m) : (memref<4xf32>) -> memref<4xf32>
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func private @recursive(%c: i1, %m: memref<4xf32>, %0: memref<4xf32>) {
// CHECK-NEXT:      %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:        %s = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        func.call @recursive(%c, %m, %s) : (i1, memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        scf.yield %s : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:        scf.yield %a : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      "memref.copy"(%r, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @recursive(%c: i1, %m: memref<4xf32>) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %s = func.call @recursive(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
    scf.yield %s : memref<4xf32>
  } else {
    %a = memref.alloc() : memref<4xf32>
    scf.yield %a : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// The strides are unknown, so they may be those of memory without a layout.
// CHECK-LABEL: func.func private @strided(%0: memref<4xf32>) {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %c = "memref.cast"(%a) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      "memref.copy"(%c, %0) : (memref<4xf32, strided<[?], offset: ?>>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @strided() -> memref<4xf32, strided<[?], offset: ?>> {
  %a = memref.alloc() : memref<4xf32>
  %c = "memref.cast"(%a) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
  func.return %c : memref<4xf32, strided<[?], offset: ?>>
}

// CHECK-LABEL: func.func @calls_strided() -> memref<4xf32, strided<[?], offset: ?>> {
// CHECK-NEXT:      %r = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.call @strided(%r) : (memref<4xf32>) -> ()
// CHECK-NEXT:      %r_1 = "memref.cast"(%r) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      func.return %r_1 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    }
func.func @calls_strided() -> memref<4xf32, strided<[?], offset: ?>> {
  %r = func.call @strided() : () -> memref<4xf32, strided<[?], offset: ?>>
  func.return %r : memref<4xf32, strided<[?], offset: ?>>
}

// CHECK-LABEL: func.func private @of_unknown_size(%m: memref<?x?xf32>, %n: index, %0: memref<?x?xf32>) {
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %two = arith.constant 2 : index
// CHECK-NEXT:      %d = memref.dim %m, %zero : memref<?x?xf32>
// CHECK-NEXT:      %e = arith.muli %n, %two : index
// CHECK-NEXT:      %a = memref.alloc(%d, %e) : memref<?x?xf32>
// CHECK-NEXT:      "memref.copy"(%a, %0) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @of_unknown_size(%m: memref<?x?xf32>, %n: index) -> memref<?x?xf32> {
  %zero = arith.constant 0 : index
  %two = arith.constant 2 : index
  %d = "memref.dim"(%m, %zero) : (memref<?x?xf32>, index) -> index
  %e = arith.muli %n, %two : index
  %a = memref.alloc(%d, %e) : memref<?x?xf32>
  func.return %a : memref<?x?xf32>
}

// CHECK-LABEL: func.func @calls_of_unknown_size(%m: memref<?x?xf32>, %n: index) -> memref<?x?xf32> {
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = memref.dim %m, %0 : memref<?x?xf32>
// CHECK-NEXT:      %2 = arith.constant 2 : index
// CHECK-NEXT:      %3 = arith.muli %n, %2 : index
// CHECK-NEXT:      %r = memref.alloc(%1, %3) : memref<?x?xf32>
// CHECK-NEXT:      func.call @of_unknown_size(%m, %n, %r) : (memref<?x?xf32>, index, memref<?x?xf32>) -> ()
// CHECK-NEXT:      func.return %r : memref<?x?xf32>
// CHECK-NEXT:    }
func.func @calls_of_unknown_size(%m: memref<?x?xf32>, %n: index) -> memref<?x?xf32> {
  %r = func.call @of_unknown_size(%m, %n) : (memref<?x?xf32>, index) -> memref<?x?xf32>
  func.return %r : memref<?x?xf32>
}

// Somebody may call it in other ways.
// CHECK-LABEL: func.func private @address_taken() -> memref<4xf32> {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.return %a : memref<4xf32>
// CHECK-NEXT:    }
func.func private @address_taken() -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  func.return %a : memref<4xf32>
}

// CHECK-LABEL: func.func @takes_address() -> memref<4xf32> {
// CHECK-NEXT:      %f = "func.constant"() <{value = @address_taken}> : () -> (() -> memref<4xf32>)
// CHECK-NEXT:      %r = "func.call_indirect"(%f) : (() -> memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:      func.return %r : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    "memref.global"() <{sym_name = "numbers", sym_visibility = "private", type = memref<4xf32>, initial_value = dense<1.000000e+00> : tensor<4xf32>, constant}> : () -> ()
func.func @takes_address() -> memref<4xf32> {
  %f = "func.constant"() <{value = @address_taken}> : () -> (() -> memref<4xf32>)
  %r = "func.call_indirect"(%f) : (() -> memref<4xf32>) -> memref<4xf32>
  func.return %r : memref<4xf32>
}

"memref.global"() <{sym_name = "numbers", sym_visibility = "private", type = memref<4xf32>, initial_value = dense<1.0> : tensor<4xf32>, constant}> : () -> ()

// CHECK-LABEL: func.func private @constant(%0: memref<4xf32>) {
// CHECK-NEXT:      %g = memref.get_global @numbers : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%g, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @constant() -> memref<4xf32> {
  %g = memref.get_global @numbers : memref<4xf32>
  func.return %g : memref<4xf32>
}

// CHECK-LABEL: func.func private @unranked(%0: memref<4xf32>) -> memref<*xf32> {
// CHECK-NEXT:      %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %b = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %c = "memref.cast"(%a) : (memref<4xf32>) -> memref<*xf32>
// CHECK-NEXT:      "memref.copy"(%b, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return %c : memref<*xf32>
// CHECK-NEXT:    }
func.func private @unranked() -> (memref<*xf32>, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  %c = "memref.cast"(%a) : (memref<4xf32>) -> memref<*xf32>
  func.return %c, %b : memref<*xf32>, memref<4xf32>
}
