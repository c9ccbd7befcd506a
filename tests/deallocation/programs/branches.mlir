// Structured branches: which buffer leaves is known at run time, or statically.

func.func @if_alloc_or_argument(%c: i1, %a: memref<64xf32>, %x: f32) -> f32 {
  %i = arith.constant 1 : index
  %m = scf.if %c -> (memref<64xf32>) {
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  } else {
    scf.yield %a : memref<64xf32>
  }
  memref.store %x, %m[%i] : memref<64xf32>
  %r = memref.load %m[%i] : memref<64xf32>
  return %r : f32
}

// -----

// The argument may not be returned as it is: the caller frees what it gets.
func.func @if_alloc_or_argument_returned(%c: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %m = scf.if %c -> (memref<64xf32>) {
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  } else {
    scf.yield %a : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

func.func @if_alloc_on_both_sides(%c: i1, %n: index, %x: f32) -> memref<?xf32> {
  %m = scf.if %c -> (memref<?xf32>) {
    %b = memref.alloc(%n) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
    scf.yield %b : memref<?xf32>
  } else {
    %two = arith.constant 2 : index
    %b = memref.alloc(%two) : memref<?xf32>
    %y = arith.addf %x, %x : f32
    linalg.fill ins(%y : f32) outs(%b : memref<?xf32>)
    scf.yield %b : memref<?xf32>
  }
  return %m : memref<?xf32>
}

// -----

// One side hands on a buffer from outside, which is read afterwards too.
func.func @if_outer_or_inner(%c: i1, %x: f32) -> (f32, f32) {
  %i = arith.constant 1 : index
  %outer = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%outer : memref<64xf32>)
  %m = scf.if %c -> (memref<64xf32>) {
    %inner = memref.alloc() : memref<64xf32>
    %y = arith.addf %x, %x : f32
    linalg.fill ins(%y : f32) outs(%inner : memref<64xf32>)
    scf.yield %inner : memref<64xf32>
  } else {
    scf.yield %outer : memref<64xf32>
  }
  %r = memref.load %m[%i] : memref<64xf32>
  %s = memref.load %outer[%i] : memref<64xf32>
  return %r, %s : f32, f32
}

// -----

// An allocation that only one side uses, and none that leaves.
func.func @if_without_results(%c: i1, %a: memref<64xf32>, %x: f32) {
  scf.if %c {
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    memref.copy %b, %a : memref<64xf32> to memref<64xf32>
  }
  return
}

// -----

func.func @if_nested(%c: i1, %d: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %y = arith.addf %x, %x : f32
  %outer = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%outer : memref<64xf32>)
  %m = scf.if %c -> (memref<64xf32>) {
    %n = scf.if %d -> (memref<64xf32>) {
      %inner = memref.alloc() : memref<64xf32>
      linalg.fill ins(%y : f32) outs(%inner : memref<64xf32>)
      scf.yield %inner : memref<64xf32>
    } else {
      scf.yield %outer : memref<64xf32>
    }
    scf.yield %n : memref<64xf32>
  } else {
    scf.yield %a : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

// Two buffers leave in one order or in the other; one is returned.
func.func @if_swaps(%c: i1, %x: f32) -> memref<64xf32> {
  %y = arith.addf %x, %x : f32
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%y : f32) outs(%b : memref<64xf32>)
  %m:2 = scf.if %c -> (memref<64xf32>, memref<64xf32>) {
    scf.yield %a, %b : memref<64xf32>, memref<64xf32>
  } else {
    scf.yield %b, %a : memref<64xf32>, memref<64xf32>
  }
  %i = arith.constant 1 : index
  memref.store %x, %m#1[%i] : memref<64xf32>
  return %m#0 : memref<64xf32>
}

// -----

// On one side both results are the same buffer.
func.func @if_twice_the_same(%c: i1, %x: f32) -> (memref<64xf32>, f32) {
  %m:2 = scf.if %c -> (memref<64xf32>, memref<64xf32>) {
    %a = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    scf.yield %a, %a : memref<64xf32>, memref<64xf32>
  } else {
    %a = memref.alloc() : memref<64xf32>
    %b = memref.alloc() : memref<64xf32>
    %y = arith.addf %x, %x : f32
    linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
    linalg.fill ins(%y : f32) outs(%b : memref<64xf32>)
    scf.yield %a, %b : memref<64xf32>, memref<64xf32>
  }
  %i = arith.constant 1 : index
  %r = memref.load %m#1[%i] : memref<64xf32>
  return %m#0, %r : memref<64xf32>, f32
}

// -----

func.func @index_switch(%n: index, %a: memref<64xf32>, %x: f32) -> (memref<64xf32>, f32) {
  %i = arith.constant 1 : index
  %outer = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%outer : memref<64xf32>)
  %m = scf.index_switch %n -> memref<64xf32>
  case 0 {
    %b = memref.alloc() : memref<64xf32>
    %y = arith.addf %x, %x : f32
    linalg.fill ins(%y : f32) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  }
  case 2 {
    scf.yield %outer : memref<64xf32>
  }
  default {
    scf.yield %a : memref<64xf32>
  }
  %r = memref.load %outer[%i] : memref<64xf32>
  return %m, %r : memref<64xf32>, f32
}

// -----

func.func @execute_region(%c: i1, %a: memref<64xf32>, %x: f32) -> f32 {
  %m = scf.execute_region -> memref<64xf32> {
    %b = memref.alloc() : memref<64xf32>
    %t = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%t : memref<64xf32>)
    memref.copy %t, %b : memref<64xf32> to memref<64xf32>
    scf.yield %b : memref<64xf32>
  }
  %i = arith.constant 1 : index
  %r = memref.load %m[%i] : memref<64xf32>
  return %r : f32
}

// -----

// Several blocks in the region, from two of which a buffer leaves.
func.func @execute_region_with_blocks(%c: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %m = scf.execute_region -> memref<64xf32> {
    cf.cond_br %c, ^fresh, ^old
  ^fresh:
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  ^old:
    scf.yield %a : memref<64xf32>
  }
  return %m : memref<64xf32>
}

// -----

func.func @select_alloc_or_argument(%c: i1, %a: memref<64xf32>, %x: f32) -> f32 {
  %i = arith.constant 1 : index
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %m = arith.select %c, %b, %a : memref<64xf32>
  memref.store %x, %m[%i] : memref<64xf32>
  %r = memref.load %m[%i] : memref<64xf32>
  return %r : f32
}

// -----

func.func @select_alloc_or_argument_returned(%c: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %m = arith.select %c, %b, %a : memref<64xf32>
  return %m : memref<64xf32>
}

// -----

func.func @select_of_two_allocs(%c: i1, %n: index, %x: f32) -> memref<?xf32> {
  %two = arith.constant 2 : index
  %y = arith.addf %x, %x : f32
  %a = memref.alloc(%n) : memref<?xf32>
  %b = memref.alloc(%two) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  linalg.fill ins(%y : f32) outs(%b : memref<?xf32>)
  %m = arith.select %c, %a, %b : memref<?xf32>
  return %m : memref<?xf32>
}

// -----

// A selected buffer is selected from again, and both leave a branch.
func.func @select_in_if(%c: i1, %d: i1, %a: memref<64xf32>, %x: f32) -> (memref<64xf32>, f32) {
  %i = arith.constant 1 : index
  %y = arith.addf %x, %x : f32
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %s = arith.select %c, %b, %a : memref<64xf32>
  %m = scf.if %d -> (memref<64xf32>) {
    %e = memref.alloc() : memref<64xf32>
    linalg.fill ins(%y : f32) outs(%e : memref<64xf32>)
    %t = arith.select %c, %e, %s : memref<64xf32>
    scf.yield %t : memref<64xf32>
  } else {
    scf.yield %s : memref<64xf32>
  }
  %r = memref.load %m[%i] : memref<64xf32>
  return %s, %r : memref<64xf32>, f32
}
