// Structured loops. The number of iterations is an argument: none, one, and more.

// The buffer that is carried is another one after each iteration.
func.func @for_replaces(%n: index, %x: f32) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<64xf32>)
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %init) -> memref<64xf32> {
    %fresh = memref.alloc() : memref<64xf32>
    %v = memref.load %b[%one] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    linalg.fill ins(%w : f32) outs(%fresh : memref<64xf32>)
    scf.yield %fresh : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

// With no iteration it is the argument.
func.func @for_replaces_argument(%n: index, %a: memref<64xf32>) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %a) -> memref<64xf32> {
    %fresh = memref.alloc() : memref<64xf32>
    memref.copy %b, %fresh : memref<64xf32> to memref<64xf32>
    %v = memref.load %b[%one] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %fresh[%one] : memref<64xf32>
    scf.yield %fresh : memref<64xf32>
  }
  %r = memref.load %m[%one] : memref<64xf32>
  return %r : f32
}

// -----

func.func @for_replaces_argument_returned(%n: index, %a: memref<64xf32>) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %a) -> memref<64xf32> {
    %fresh = memref.alloc() : memref<64xf32>
    memref.copy %b, %fresh : memref<64xf32> to memref<64xf32>
    scf.yield %fresh : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

// Replaced in each second iteration only.
func.func @for_replaces_sometimes(%n: index, %a: memref<64xf32>) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %a) -> memref<64xf32> {
    %k = arith.remui %i, %two : index
    %odd = arith.cmpi eq, %k, %one : index
    %next = scf.if %odd -> memref<64xf32> {
      %fresh = memref.alloc() : memref<64xf32>
      memref.copy %b, %fresh : memref<64xf32> to memref<64xf32>
      %v = memref.load %b[%one] : memref<64xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %fresh[%one] : memref<64xf32>
      scf.yield %fresh : memref<64xf32>
    } else {
      scf.yield %b : memref<64xf32>
    }
    scf.yield %next : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

// What is carried stays the same.
func.func @for_in_place(%n: index, %x: f32) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<64xf32>)
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %init) -> memref<64xf32> {
    %v = memref.load %b[%i] : memref<64xf32>
    %w = arith.addf %v, %x : f32
    memref.store %w, %b[%i] : memref<64xf32>
    scf.yield %b : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

// A buffer for each iteration that does not leave it.
func.func @for_temporary(%n: index, %a: memref<64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.for %i = %zero to %n step %one {
    %size = arith.addi %i, %one : index
    %t = memref.alloc(%size) : memref<?xf32>
    %v = memref.load %a[%i] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    linalg.fill ins(%w : f32) outs(%t : memref<?xf32>)
    %u = memref.load %t[%i] : memref<?xf32>
    memref.store %u, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// The buffers change places.
func.func @for_swaps(%n: index, %x: f32) -> (f32, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %y = arith.addf %x, %x : f32
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%y : f32) outs(%b : memref<64xf32>)
  %m:2 = scf.for %i = %zero to %n step %one iter_args(%p = %a, %q = %b) -> (memref<64xf32>, memref<64xf32>) {
    scf.yield %q, %p : memref<64xf32>, memref<64xf32>
  }
  %r = memref.load %m#0[%one] : memref<64xf32>
  %s = memref.load %m#1[%one] : memref<64xf32>
  return %r, %s : f32, f32
}

// -----

// The argument and an allocation change places; the first is returned.
func.func @for_swaps_argument(%n: index, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %m:2 = scf.for %i = %zero to %n step %one iter_args(%p = %a, %q = %b) -> (memref<64xf32>, memref<64xf32>) {
    scf.yield %q, %p : memref<64xf32>, memref<64xf32>
  }
  return %m#0 : memref<64xf32>
}

// -----

// As a stencil does it: read one, write the other, change places.
func.func @ping_pong(%n: index, %a: memref<64xf32>) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %c0 = arith.constant 0.0 : f32
  %in = memref.alloc() : memref<64xf32>
  %out = memref.alloc() : memref<64xf32>
  memref.copy %a, %in : memref<64xf32> to memref<64xf32>
  linalg.fill ins(%c0 : f32) outs(%out : memref<64xf32>)
  %m:2 = scf.for %i = %zero to %n step %one iter_args(%p = %in, %q = %out) -> (memref<64xf32>, memref<64xf32>) {
    scf.for %j = %zero to %four step %one {
      %k = arith.subi %four, %j : index
      %l = arith.subi %k, %one : index
      %v = memref.load %p[%j] : memref<64xf32>
      %w = memref.load %p[%l] : memref<64xf32>
      %s = arith.subf %v, %w : f32
      %t = arith.addf %s, %v : f32
      memref.store %t, %q[%j] : memref<64xf32>
    }
    scf.yield %q, %p : memref<64xf32>, memref<64xf32>
  }
  return %m#0 : memref<64xf32>
}

// -----

// Both carried buffers begin as one; only the first is replaced.
func.func @for_same_init(%n: index, %x: f32) -> (f32, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<64xf32>)
  %m:2 = scf.for %i = %zero to %n step %one iter_args(%p = %init, %q = %init) -> (memref<64xf32>, memref<64xf32>) {
    %fresh = memref.alloc() : memref<64xf32>
    %v = memref.load %p[%one] : memref<64xf32>
    %u = memref.load %q[%one] : memref<64xf32>
    %w = arith.addf %v, %u : f32
    linalg.fill ins(%w : f32) outs(%fresh : memref<64xf32>)
    scf.yield %fresh, %q : memref<64xf32>, memref<64xf32>
  }
  %r = memref.load %m#0[%one] : memref<64xf32>
  %s = memref.load %m#1[%one] : memref<64xf32>
  return %r, %s : f32, f32
}

// -----

// Each iteration hands on what it made as both of the next one's buffers.
func.func @for_yields_twice(%n: index, %x: f32) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %m:2 = scf.for %i = %zero to %n step %one iter_args(%p = %a, %q = %b) -> (memref<64xf32>, memref<64xf32>) {
    %fresh = memref.alloc() : memref<64xf32>
    %v = memref.load %p[%one] : memref<64xf32>
    %u = memref.load %q[%one] : memref<64xf32>
    %w = arith.addf %v, %u : f32
    linalg.fill ins(%w : f32) outs(%fresh : memref<64xf32>)
    scf.yield %fresh, %fresh : memref<64xf32>, memref<64xf32>
  }
  return %m#1 : memref<64xf32>
}

// -----

// Shifts: what was first comes second, as with the last two terms of a series.
func.func @for_shifts(%n: index, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %m:2 = scf.for %i = %zero to %n step %one iter_args(%p = %a, %q = %b) -> (memref<64xf32>, memref<64xf32>) {
    %fresh = memref.alloc() : memref<64xf32>
    %v = memref.load %p[%one] : memref<64xf32>
    %u = memref.load %q[%one] : memref<64xf32>
    %w = arith.addf %v, %u : f32
    linalg.fill ins(%w : f32) outs(%fresh : memref<64xf32>)
    scf.yield %q, %fresh : memref<64xf32>, memref<64xf32>
  }
  return %m#0 : memref<64xf32>
}

// -----

func.func @for_nested(%n: index, %k: index, %a: memref<64xf32>) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %a) -> memref<64xf32> {
    %inner = scf.for %j = %zero to %k step %one iter_args(%c = %b) -> memref<64xf32> {
      %fresh = memref.alloc() : memref<64xf32>
      memref.copy %c, %fresh : memref<64xf32> to memref<64xf32>
      %v = memref.load %c[%i] : memref<64xf32>
      %w = arith.addf %v, %v : f32
      memref.store %w, %fresh[%i] : memref<64xf32>
      scf.yield %fresh : memref<64xf32>
    }
    scf.yield %inner : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

// The inner loop begins each time with a buffer from outside both.
func.func @for_nested_outer_init(%n: index, %k: index, %x: f32) -> (memref<64xf32>, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<64xf32>)
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %init) -> memref<64xf32> {
    %inner = scf.for %j = %zero to %k step %one iter_args(%c = %init) -> memref<64xf32> {
      %fresh = memref.alloc() : memref<64xf32>
      %v = memref.load %b[%one] : memref<64xf32>
      %w = memref.load %c[%one] : memref<64xf32>
      %s = arith.addf %v, %w : f32
      linalg.fill ins(%s : f32) outs(%fresh : memref<64xf32>)
      scf.yield %fresh : memref<64xf32>
    }
    scf.yield %inner : memref<64xf32>
  }
  %r = memref.load %init[%one] : memref<64xf32>
  return %m, %r : memref<64xf32>, f32
}

// -----

// The size changes with each iteration.
func.func @for_grows(%n: index, %x: f32) -> memref<?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc(%one) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<?xf32>)
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %init) -> memref<?xf32> {
    %old = memref.dim %b, %zero : memref<?xf32>
    %new = arith.addi %old, %one : index
    %fresh = memref.alloc(%new) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%fresh : memref<?xf32>)
    %front = memref.subview %fresh[0] [%old] [1] : memref<?xf32> to memref<?xf32, strided<[1]>>
    memref.copy %b, %front : memref<?xf32> to memref<?xf32, strided<[1]>>
    %v = memref.load %b[%i] : memref<?xf32>
    %w = arith.addf %v, %x : f32
    memref.store %w, %fresh[%old] : memref<?xf32>
    scf.yield %fresh : memref<?xf32>
  }
  return %m : memref<?xf32>
}

// -----

// Kept is the buffer of the last number that is greater than the one after it.
func.func @for_selects(%n: index, %a: memref<64xf32>) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %a) -> memref<64xf32> {
    %fresh = memref.alloc() : memref<64xf32>
    %v = memref.load %a[%i] : memref<64xf32>
    linalg.fill ins(%v : f32) outs(%fresh : memref<64xf32>)
    %j = arith.addi %i, %one : index
    %w = memref.load %a[%j] : memref<64xf32>
    %more = arith.cmpf ogt, %v, %w : f32
    %next = arith.select %more, %fresh, %b : memref<64xf32>
    scf.yield %next : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

func.func @while_replaces(%n: index, %a: memref<64xf32>) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %m:2 = scf.while (%b = %a, %i = %zero) : (memref<64xf32>, index) -> (memref<64xf32>, index) {
    %c = arith.cmpi ult, %i, %n : index
    scf.condition(%c) %b, %i : memref<64xf32>, index
  } do {
  ^bb0(%b: memref<64xf32>, %i: index):
    %fresh = memref.alloc() : memref<64xf32>
    memref.copy %b, %fresh : memref<64xf32> to memref<64xf32>
    %v = memref.load %b[%i] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %fresh[%i] : memref<64xf32>
    %next = arith.addi %i, %one : index
    scf.yield %fresh, %next : memref<64xf32>, index
  }
  return %m#0 : memref<64xf32>
}

// -----

// What the loop hands out is made before its condition, and is not what it carries.
func.func @while_allocates_before(%n: index, %x: f32) -> (memref<64xf32>, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<64xf32>)
  %m:2 = scf.while (%b = %init, %i = %zero) : (memref<64xf32>, index) -> (memref<64xf32>, index) {
    %fresh = memref.alloc() : memref<64xf32>
    %v = memref.load %b[%one] : memref<64xf32>
    %w = arith.addf %v, %x : f32
    linalg.fill ins(%w : f32) outs(%fresh : memref<64xf32>)
    %c = arith.cmpi ult, %i, %n : index
    scf.condition(%c) %fresh, %i : memref<64xf32>, index
  } do {
  ^bb0(%b: memref<64xf32>, %i: index):
    %next = arith.addi %i, %one : index
    scf.yield %b, %next : memref<64xf32>, index
  }
  %r = memref.load %init[%one] : memref<64xf32>
  return %m#0, %r : memref<64xf32>, f32
}

// -----

// The results are not in the order of the operands.
func.func @while_swaps(%n: index, %a: memref<64xf32>, %x: f32) -> (f32, memref<64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<64xf32>)
  %m:3 = scf.while (%i = %zero, %p = %init, %q = %a) : (index, memref<64xf32>, memref<64xf32>) -> (memref<64xf32>, index, memref<64xf32>) {
    %c = arith.cmpi ult, %i, %n : index
    scf.condition(%c) %q, %i, %p : memref<64xf32>, index, memref<64xf32>
  } do {
  ^bb0(%p: memref<64xf32>, %i: index, %q: memref<64xf32>):
    %next = arith.addi %i, %one : index
    scf.yield %next, %p, %q : index, memref<64xf32>, memref<64xf32>
  }
  %r = memref.load %m#0[%one] : memref<64xf32>
  return %r, %m#2 : f32, memref<64xf32>
}

// -----

func.func @parallel(%n: index, %a: memref<64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  scf.parallel (%i) = (%zero) to (%n) step (%one) {
    %t = memref.alloc() : memref<1xf32>
    %v = memref.load %a[%i] : memref<64xf32>
    memref.store %v, %t[%zero] : memref<1xf32>
    %u = memref.load %t[%zero] : memref<1xf32>
    %w = arith.addf %u, %u : f32
    memref.store %w, %a[%i] : memref<64xf32>
    scf.reduce
  }
  return
}

// -----

func.func @forall(%n: index, %a: memref<64xf32>, %x: f32) -> f32 {
  %one = arith.constant 1 : index
  %shared = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%shared : memref<64xf32>)
  scf.forall (%i) in (%n) {
    %t = memref.alloc() : memref<64xf32>
    memref.copy %a, %t : memref<64xf32> to memref<64xf32>
    %v = memref.load %t[%i] : memref<64xf32>
    memref.store %v, %shared[%i] : memref<64xf32>
  }
  %r = memref.load %shared[%one] : memref<64xf32>
  return %r : f32
}

// -----

// A buffer and a view of it are carried side by side, and change the buffer together.
func.func @for_carries_base_and_view(%n: index, %x: f64) -> (f64, memref<64xf64>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<64xf64>
  linalg.fill ins(%x : f64) outs(%init : memref<64xf64>)
  %part = memref.subview %init[1] [2] [1] : memref<64xf64> to memref<2xf64, strided<[1], offset: 1>>
  %m:2 = scf.for %i = %zero to %n step %one iter_args(%b = %init, %v = %part) -> (memref<64xf64>, memref<2xf64, strided<[1], offset: 1>>) {
    %fresh = memref.alloc() : memref<64xf64>
    %s = memref.load %b[%one] : memref<64xf64>
    %t = memref.load %v[%one] : memref<2xf64, strided<[1], offset: 1>>
    %u = arith.addf %s, %t : f64
    linalg.fill ins(%u : f64) outs(%fresh : memref<64xf64>)
    %next = memref.subview %fresh[1] [2] [1] : memref<64xf64> to memref<2xf64, strided<[1], offset: 1>>
    scf.yield %fresh, %next : memref<64xf64>, memref<2xf64, strided<[1], offset: 1>>
  }
  %r = memref.load %m#1[%zero] : memref<2xf64, strided<[1], offset: 1>>
  return %r, %m#0 : f64, memref<64xf64>
}

// -----

// Both regions allocate; the buffer of flags is read by the condition.
func.func @while_allocates_in_both(%n: index, %x: f32) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<64xf32>)
  %m:2 = scf.while (%b = %init, %i = %zero) : (memref<64xf32>, index) -> (index, memref<64xf32>) {
    %flag = memref.alloc() : memref<1xi1>
    %c = arith.cmpi ult, %i, %n : index
    memref.store %c, %flag[%zero] : memref<1xi1>
    %more = memref.load %flag[%zero] : memref<1xi1>
    scf.condition(%more) %i, %b : index, memref<64xf32>
  } do {
  ^bb0(%i: index, %b: memref<64xf32>):
    %fresh = memref.alloc() : memref<64xf32>
    %unused = memref.alloc() : memref<8xf32>
    %v = memref.load %b[%i] : memref<64xf32>
    %w = arith.addf %v, %x : f32
    linalg.fill ins(%w : f32) outs(%fresh : memref<64xf32>)
    %next = arith.addi %i, %one : index
    scf.yield %fresh, %next : memref<64xf32>, index
  }
  return %m#1 : memref<64xf32>
}
