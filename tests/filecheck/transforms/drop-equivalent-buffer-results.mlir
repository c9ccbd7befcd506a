// RUN: xdsl-opt %s --allow-unregistered-dialect -p drop-equivalent-buffer-results | filecheck %s

// The caller comes first in the file.
// CHECK-LABEL: func.func private @chain(%m: memref<4xf32>) {
// CHECK-NEXT:      %f = func.call @argument(%m) : (memref<4xf32>) -> f32
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @chain(%m: memref<4xf32>) -> memref<4xf32> {
  %r, %f = func.call @argument(%m) : (memref<4xf32>) -> (memref<4xf32>, f32)
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func private @argument(%m: memref<4xf32> {test.m}) -> (f32 {test.f}) {
// CHECK-NEXT:      %f = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:      func.return %f : f32
// CHECK-NEXT:    }
func.func private @argument(%m: memref<4xf32> {test.m}) -> (memref<4xf32> {test.r}, f32 {test.f}) {
  %f = arith.constant 0.0 : f32
  func.return %m, %f : memref<4xf32>, f32
}

// CHECK-LABEL: func.func @public(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:        func.call @chain(%m) : (memref<4xf32>) -> ()
// CHECK-NEXT:        scf.yield %m : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %m : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
// CHECK-NEXT:    }
func.func @public(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %s = func.call @chain(%m) : (memref<4xf32>) -> memref<4xf32>
    scf.yield %s : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func private @cast(%m: memref<4xf32>) {
// CHECK-NEXT:      %c = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @cast(%m: memref<4xf32>) -> memref<?xf32> {
  %c = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
  func.return %c : memref<?xf32>
}

// CHECK-LABEL: func.func @calls_cast(%m: memref<4xf32>) -> memref<?xf32> {
// CHECK-NEXT:      func.call @cast(%m) : (memref<4xf32>) -> ()
// CHECK-NEXT:      %r = "memref.cast"(%m) : (memref<4xf32>) -> memref<?xf32>
// CHECK-NEXT:      func.return %r : memref<?xf32>
// CHECK-NEXT:    }
func.func @calls_cast(%m: memref<4xf32>) -> memref<?xf32> {
  %r = func.call @cast(%m) : (memref<4xf32>) -> memref<?xf32>
  func.return %r : memref<?xf32>
}

// CHECK-LABEL: func.func private @loop(%m: memref<4xf32>, %n: index) {
// CHECK-NEXT:      %zero = arith.constant 0 : index
// CHECK-NEXT:      %one = arith.constant 1 : index
// CHECK-NEXT:      %r = scf.for %i = %zero to %n step %one iter_args(%s = %m) -> (memref<4xf32>) {
// CHECK-NEXT:        "test.write"(%s) : (memref<4xf32>) -> ()
// CHECK-NEXT:        scf.yield %s : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @loop(%m: memref<4xf32>, %n: index) -> memref<4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %r = scf.for %i = %zero to %n step %one iter_args(%s = %m) -> (memref<4xf32>) {
    "test.write"(%s) : (memref<4xf32>) -> ()
    scf.yield %s : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func private @block_argument(%m: memref<4xf32>, %c: i1) {
// CHECK-NEXT:      cf.br ^bb1(%m : memref<4xf32>)
// CHECK-NEXT:    ^bb1(%s: memref<4xf32>):
// CHECK-NEXT:      cf.cond_br %c, ^bb1(%s : memref<4xf32>), ^bb2
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @block_argument(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  "cf.br"(%m) [^bb1] : (memref<4xf32>) -> ()
^bb1(%s: memref<4xf32>):
  "cf.cond_br"(%c, %s) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, memref<4xf32>) -> ()
^bb2:
  func.return %s : memref<4xf32>
}

// One calls the other, and is called by it.
// CHECK-LABEL: func.func private @even(%m: memref<4xf32>, %c: i1) {
// CHECK-NEXT:      %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:        func.call @odd(%m, %c) : (memref<4xf32>, i1) -> ()
// CHECK-NEXT:        scf.yield %m : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %m : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @even(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %s = func.call @odd(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
    scf.yield %s : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func private @odd(%m: memref<4xf32>, %c: i1) {
// CHECK-NEXT:      func.call @even(%m, %c) : (memref<4xf32>, i1) -> ()
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @odd(%m: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %s = func.call @even(%m, %c) : (memref<4xf32>, i1) -> memref<4xf32>
  func.return %s : memref<4xf32>
}

// It never returns.
// CHECK-LABEL: func.func private @for_ever(%m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %s = func.call @for_ever(%m) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:      func.return %s : memref<4xf32>
// CHECK-NEXT:    }
func.func private @for_ever(%m: memref<4xf32>) -> memref<4xf32> {
  %s = func.call @for_ever(%m) : (memref<4xf32>) -> memref<4xf32>
  func.return %s : memref<4xf32>
}

// CHECK-LABEL: func.func private @either(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      func.return %m : memref<4xf32>
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      func.return %n : memref<4xf32>
// CHECK-NEXT:    }
func.func private @either(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1) -> memref<4xf32> {
  "cf.cond_br"(%c) [^bb1, ^bb2] <{operandSegmentSizes = array<i32: 1, 0, 0>}> : (i1) -> ()
^bb1:
  func.return %m : memref<4xf32>
^bb2:
  func.return %n : memref<4xf32>
}

// The arguments change places in each call.
// CHECK-LABEL: func.func private @exchanged(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:        %s = func.call @exchanged(%n, %m, %c) : (memref<4xf32>, memref<4xf32>, i1) -> memref<4xf32>
// CHECK-NEXT:        scf.yield %s : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %m : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
// CHECK-NEXT:    }
func.func private @exchanged(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %r = scf.if %c -> (memref<4xf32>) {
    %s = func.call @exchanged(%n, %m, %c) : (memref<4xf32>, memref<4xf32>, i1) -> memref<4xf32>
    scf.yield %s : memref<4xf32>
  } else {
    scf.yield %m : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// CHECK-LABEL: func.func private @part(%m: memref<4xf32>) -> memref<2xf32, strided<[1]>> {
// CHECK-NEXT:      %v = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
// CHECK-NEXT:      func.return %v : memref<2xf32, strided<[1]>>
// CHECK-NEXT:    }
func.func private @part(%m: memref<4xf32>) -> memref<2xf32, strided<[1]>> {
  %v = memref.subview %m[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  func.return %v : memref<2xf32, strided<[1]>>
}

// What cannot be reached does not count.
// CHECK-LABEL: func.func private @unreachable(%m: memref<4xf32>, %n: memref<4xf32>) {
// CHECK-NEXT:      func.return
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      func.return
// CHECK-NEXT:    }
func.func private @unreachable(%m: memref<4xf32>, %n: memref<4xf32>) -> memref<4xf32> {
  func.return %m : memref<4xf32>
^bb1:
  func.return %n : memref<4xf32>
}

// CHECK-LABEL: func.func private @declared(memref<4xf32>) -> memref<4xf32>
func.func private @declared(memref<4xf32>) -> memref<4xf32>

// CHECK-LABEL: func.func private @address_taken(%m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      func.return %m : memref<4xf32>
// CHECK-NEXT:    }
func.func private @address_taken(%m: memref<4xf32>) -> memref<4xf32> {
  func.return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @takes_address(%m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %f = "func.constant"() <{value = @address_taken}> : () -> ((memref<4xf32>) -> memref<4xf32>)
// CHECK-NEXT:      %r = "func.call_indirect"(%f, %m) : ((memref<4xf32>) -> memref<4xf32>, memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:      func.return %r : memref<4xf32>
// CHECK-NEXT:    }
func.func @takes_address(%m: memref<4xf32>) -> memref<4xf32> {
  %f = "func.constant"() <{value = @address_taken}> : () -> ((memref<4xf32>) -> memref<4xf32>)
  %r = "func.call_indirect"(%f, %m) : ((memref<4xf32>) -> memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  func.return %r : memref<4xf32>
}

// Nothing is known of what this branches with.
// CHECK-LABEL: func.func private @unknown_branch(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:      cf.cond_br %c, ^bb2(%m : memref<4xf32>), ^bb1
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      "test.branch"(%n) [^bb2] : (memref<4xf32>) -> ()
// CHECK-NEXT:    ^bb2(%s: memref<4xf32>):
// CHECK-NEXT:      func.return %s : memref<4xf32>
// CHECK-NEXT:    }
func.func private @unknown_branch(%m: memref<4xf32>, %n: memref<4xf32>, %c: i1) -> memref<4xf32> {
  "cf.cond_br"(%c, %m) [^bb2, ^bb1] <{operandSegmentSizes = array<i32: 1, 1, 0>}> : (i1, memref<4xf32>) -> ()
^bb1:
  "test.branch"(%n) [^bb2] : (memref<4xf32>) -> ()
^bb2(%s: memref<4xf32>):
  func.return %s : memref<4xf32>
}

// Where a result is dropped, nothing is donated for it any more.
// CHECK-LABEL: func.func private @donated(%m: memref<4xf32>, %n: memref<4xf32>, %u: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:      %r = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.return %r : memref<4xf32>
// CHECK-NEXT:    }
func.func private @donated(%m: memref<4xf32>, %n: memref<4xf32> {bufferize.aliasing_result = 2 : i64}, %u: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>) {
  %r = memref.alloc() : memref<4xf32>
  func.return %r, %m, %n : memref<4xf32>, memref<4xf32>, memref<4xf32>
}

// A function that is not private keeps what it returns, and what is donated to it.
// CHECK-LABEL: func.func @calls_donated(%m: memref<4xf32>, %n: memref<4xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<4xf32> {
// CHECK-NEXT:      %r = func.call @donated(%m, %n, %m) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:      func.return %n : memref<4xf32>
// CHECK-NEXT:    }
func.func @calls_donated(%m: memref<4xf32>, %n: memref<4xf32> {bufferize.aliasing_result = 0 : i64}) -> memref<4xf32> {
  %r, %s, %t = func.call @donated(%m, %n, %m) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> (memref<4xf32>, memref<4xf32>, memref<4xf32>)
  func.return %t : memref<4xf32>
}
