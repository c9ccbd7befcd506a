// Functions that take, make and return buffers. A caller owns what it gets.

func.func private @fresh(%x: f32) -> memref<64xf32> {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  return %b : memref<64xf32>
}
func.func @call_makes(%x: f32) -> f32 {
  %i = arith.constant 1 : index
  %m = call @fresh(%x) : (f32) -> memref<64xf32>
  %r = memref.load %m[%i] : memref<64xf32>
  return %r : f32
}

// -----

// A public callee may be called from elsewhere too.
func.func @public_fresh(%x: f32) -> memref<64xf32> {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  return %b : memref<64xf32>
}
func.func @call_hands_on(%x: f32) -> memref<64xf32> {
  %m = call @public_fresh(%x) : (f32) -> memref<64xf32>
  return %m : memref<64xf32>
}

// -----

func.func private @same(%a: memref<64xf32>) -> memref<64xf32> {
  return %a : memref<64xf32>
}
func.func @call_returns_argument(%a: memref<64xf32>, %x: f32) -> (f32, memref<64xf32>) {
  %i = arith.constant 1 : index
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %m = call @same(%b) : (memref<64xf32>) -> memref<64xf32>
  %n = call @same(%a) : (memref<64xf32>) -> memref<64xf32>
  %r = memref.load %m[%i] : memref<64xf32>
  return %r, %n : f32, memref<64xf32>
}

// -----

func.func private @copy_of(%a: memref<64xf32>) -> memref<64xf32> {
  %b = bufferization.clone %a : memref<64xf32> to memref<64xf32>
  return %b : memref<64xf32>
}
func.func @call_returns_clone(%a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %i = arith.constant 1 : index
  %m = call @copy_of(%a) : (memref<64xf32>) -> memref<64xf32>
  memref.store %x, %a[%i] : memref<64xf32>
  return %m : memref<64xf32>
}

// -----

// Either its argument or a buffer of its own.
func.func private @maybe(%c: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %m = scf.if %c -> (memref<64xf32>) {
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  } else {
    scf.yield %a : memref<64xf32>
  }
  return %m : memref<64xf32>
}
func.func @call_maybe(%c: i1, %a: memref<64xf32>, %x: f32) -> f32 {
  %i = arith.constant 1 : index
  %m = call @maybe(%c, %a, %x) : (i1, memref<64xf32>, f32) -> memref<64xf32>
  %r = memref.load %m[%i] : memref<64xf32>
  return %r : f32
}

// -----

func.func private @maybe(%c: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  cf.cond_br %c, ^fresh, ^end(%a : memref<64xf32>)
^fresh:
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^end(%b : memref<64xf32>)
^end(%m: memref<64xf32>):
  return %m : memref<64xf32>
}
func.func private @twice(%c: i1, %d: i1, %a: memref<64xf32>, %x: f32) -> (memref<64xf32>, memref<64xf32>) {
  %y = arith.addf %x, %x : f32
  %m = call @maybe(%c, %a, %x) : (i1, memref<64xf32>, f32) -> memref<64xf32>
  %n = call @maybe(%d, %m, %y) : (i1, memref<64xf32>, f32) -> memref<64xf32>
  return %m, %n : memref<64xf32>, memref<64xf32>
}
func.func @calls_nested(%c: i1, %d: i1, %a: memref<64xf32>, %x: f32) -> (f32, memref<64xf32>) {
  %i = arith.constant 1 : index
  %m:2 = call @twice(%c, %d, %a, %x) : (i1, i1, memref<64xf32>, f32) -> (memref<64xf32>, memref<64xf32>)
  %r = memref.load %m#0[%i] : memref<64xf32>
  return %r, %m#1 : f32, memref<64xf32>
}

// -----

// Each call makes a buffer and hands the innermost one out.
func.func private @down(%n: index, %a: memref<64xf32>) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %zero : index
  %m = scf.if %done -> (memref<64xf32>) {
    scf.yield %a : memref<64xf32>
  } else {
    %b = memref.alloc() : memref<64xf32>
    memref.copy %a, %b : memref<64xf32> to memref<64xf32>
    %v = memref.load %a[%one] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %b[%one] : memref<64xf32>
    %less = arith.subi %n, %one : index
    %r = func.call @down(%less, %b) : (index, memref<64xf32>) -> memref<64xf32>
    scf.yield %r : memref<64xf32>
  }
  return %m : memref<64xf32>
}
func.func @calls_itself(%n: index, %a: memref<64xf32>) -> memref<64xf32> {
  %m = call @down(%n, %a) : (index, memref<64xf32>) -> memref<64xf32>
  return %m : memref<64xf32>
}

// -----

func.func private @even(%n: index, %x: f32) -> memref<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %done = arith.cmpi eq, %n, %zero : index
  cf.cond_br %done, ^leaf, ^inner
^leaf:
  %b = memref.alloc(%one) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  return %b : memref<?xf32>
^inner:
  %less = arith.subi %n, %one : index
  %r = call @odd(%less, %x) : (index, f32) -> memref<?xf32>
  return %r : memref<?xf32>
}
func.func private @odd(%n: index, %x: f32) -> memref<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = arith.addf %x, %x : f32
  %done = arith.cmpi eq, %n, %zero : index
  %m = scf.if %done -> (memref<?xf32>) {
    %b = memref.alloc(%n) : memref<?xf32>
    scf.yield %b : memref<?xf32>
  } else {
    %less = arith.subi %n, %one : index
    %r = func.call @even(%less, %y) : (index, f32) -> memref<?xf32>
    scf.yield %r : memref<?xf32>
  }
  return %m : memref<?xf32>
}
func.func @calls_in_turn(%n: index, %x: f32) -> memref<?xf32> {
  %m = call @even(%n, %x) : (index, f32) -> memref<?xf32>
  return %m : memref<?xf32>
}

// -----

// Called in a loop, what it returns is carried.
func.func private @doubled(%a: memref<64xf32>) -> memref<64xf32> {
  %one = arith.constant 1 : index
  %b = memref.alloc() : memref<64xf32>
  memref.copy %a, %b : memref<64xf32> to memref<64xf32>
  %v = memref.load %a[%one] : memref<64xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %b[%one] : memref<64xf32>
  return %b : memref<64xf32>
}
func.func @call_in_loop(%n: index, %a: memref<64xf32>) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %a) -> memref<64xf32> {
    %next = func.call @doubled(%b) : (memref<64xf32>) -> memref<64xf32>
    scf.yield %next : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

// Called in a loop, it hands its argument back in some of the iterations.
func.func private @halved(%c: i1, %a: memref<64xf32>) -> memref<64xf32> {
  %one = arith.constant 1 : index
  %m = scf.if %c -> (memref<64xf32>) {
    %b = memref.alloc() : memref<64xf32>
    %v = memref.load %a[%one] : memref<64xf32>
    %half = arith.constant 0.5 : f32
    %w = arith.mulf %v, %half : f32
    linalg.fill ins(%w : f32) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  } else {
    scf.yield %a : memref<64xf32>
  }
  return %m : memref<64xf32>
}
func.func @call_in_loop_maybe(%n: index, %x: f32) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<64xf32>)
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %init) -> memref<64xf32> {
    %c = arith.cmpi eq, %i, %one : index
    %next = func.call @halved(%c, %b) : (i1, memref<64xf32>) -> memref<64xf32>
    scf.yield %next : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

// A view of what the callee made, and the base it is a view of.
func.func private @base_and_view(%x: f32) -> (memref<64xf32>, memref<2xf32, strided<[1], offset: 1>>) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %v = memref.subview %b[1] [2] [1] : memref<64xf32> to memref<2xf32, strided<[1], offset: 1>>
  return %b, %v : memref<64xf32>, memref<2xf32, strided<[1], offset: 1>>
}
func.func @call_returns_view(%x: f32) -> f32 {
  %i = arith.constant 1 : index
  %m:2 = call @base_and_view(%x) : (f32) -> (memref<64xf32>, memref<2xf32, strided<[1], offset: 1>>)
  %r = memref.load %m#0[%i] : memref<64xf32>
  %s = memref.load %m#1[%i] : memref<2xf32, strided<[1], offset: 1>>
  %t = arith.addf %r, %s : f32
  return %t : f32
}

// -----

// The callee is given a buffer as two arguments and returns one of them.
func.func private @one_of(%c: i1, %a: memref<64xf32>, %b: memref<64xf32>) -> memref<64xf32> {
  %m = arith.select %c, %a, %b : memref<64xf32>
  return %m : memref<64xf32>
}
func.func @call_selects(%c: i1, %d: i1, %a: memref<64xf32>, %x: f32) -> (f32, f32) {
  %i = arith.constant 1 : index
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %m = call @one_of(%c, %a, %b) : (i1, memref<64xf32>, memref<64xf32>) -> memref<64xf32>
  %n = call @one_of(%d, %b, %b) : (i1, memref<64xf32>, memref<64xf32>) -> memref<64xf32>
  %r = memref.load %m[%i] : memref<64xf32>
  %s = memref.load %n[%i] : memref<64xf32>
  return %r, %s : f32, f32
}

// -----

// A result that nobody uses, and a callee that returns none.
func.func private @make(%x: f32) -> (memref<64xf32>, memref<64xf32>) {
  %b = memref.alloc() : memref<64xf32>
  %c = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%c : memref<64xf32>)
  return %b, %c : memref<64xf32>, memref<64xf32>
}
func.func private @add(%a: memref<64xf32>, %b: memref<64xf32>) {
  %i = arith.constant 1 : index
  %t = memref.alloc() : memref<64xf32>
  memref.copy %a, %t : memref<64xf32> to memref<64xf32>
  %v = memref.load %t[%i] : memref<64xf32>
  %w = memref.load %b[%i] : memref<64xf32>
  %s = arith.addf %v, %w : f32
  memref.store %s, %b[%i] : memref<64xf32>
  return
}
func.func @call_result_unused(%a: memref<64xf32>, %x: f32) {
  %m:2 = call @make(%x) : (f32) -> (memref<64xf32>, memref<64xf32>)
  call @add(%m#0, %a) : (memref<64xf32>, memref<64xf32>) -> ()
  return
}

// -----

// One buffer as two results, both of which the caller gets to own.
func.func private @both(%x: f32) -> (memref<64xf32>, memref<64xf32>) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  return %b, %b : memref<64xf32>, memref<64xf32>
}
func.func @call_returns_twice(%n: index, %x: f32) -> (f32, memref<64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %b:2 = call @both(%x) : (f32) -> (memref<64xf32>, memref<64xf32>)
  %m:2 = scf.for %i = %zero to %n step %one iter_args(%p = %b#0, %q = %b#1) -> (memref<64xf32>, memref<64xf32>) {
    %v = memref.load %p[%one] : memref<64xf32>
    %w = memref.load %q[%i] : memref<64xf32>
    %s = arith.addf %v, %w : f32
    %r:2 = func.call @both(%s) : (f32) -> (memref<64xf32>, memref<64xf32>)
    scf.yield %r#1, %q : memref<64xf32>, memref<64xf32>
  }
  %r = memref.load %m#0[%one] : memref<64xf32>
  return %r, %m#1 : f32, memref<64xf32>
}

// -----

// The caller is made of blocks; only one of them calls.
func.func private @made(%n: index) -> memref<?xindex> {
  %b = memref.alloc(%n) : memref<?xindex>
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    memref.store %i, %b[%i] : memref<?xindex>
  }
  return %b : memref<?xindex>
}
func.func @call_in_block(%c: i1, %n: index, %a: memref<?xindex>) -> memref<?xindex> {
  %one = arith.constant 1 : index
  %more = arith.addi %n, %one : index
  cf.cond_br %c, ^call, ^end(%a : memref<?xindex>)
^call:
  %m = call @made(%more) : (index) -> memref<?xindex>
  cf.br ^end(%m : memref<?xindex>)
^end(%r: memref<?xindex>):
  return %r : memref<?xindex>
}

// -----

// The memory of the argument is the result, as agreed.
func.func private @set(%a: memref<64xf32> {bufferize.aliasing_result = 0 : i64}, %x: f32, %i: index) -> memref<64xf32> {
  memref.store %x, %a[%i] : memref<64xf32>
  return %a : memref<64xf32>
}
func.func @call_donates(%a: memref<64xf32>, %x: f32, %n: index) -> (f32, memref<64xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = arith.addf %x, %x : f32
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %m = scf.for %i = %c0 to %n step %c1 iter_args(%c = %b) -> memref<64xf32> {
    %s = func.call @set(%c, %y, %i) : (memref<64xf32>, f32, index) -> memref<64xf32>
    scf.yield %s : memref<64xf32>
  }
  %d = memref.alloc() : memref<64xf32>
  %e = call @set(%d, %x, %n) : (memref<64xf32>, f32, index) -> memref<64xf32>
  %r = memref.load %e[%n] : memref<64xf32>
  return %r, %m : f32, memref<64xf32>
}
