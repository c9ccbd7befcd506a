// Branches and loops of blocks.

func.func @diamond_alloc_or_argument(%c: i1, %a: memref<64xf32>, %x: f32) -> f32 {
  %i = arith.constant 1 : index
  cf.cond_br %c, ^fresh, ^old
^fresh:
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^end(%b : memref<64xf32>)
^old:
  cf.br ^end(%a : memref<64xf32>)
^end(%m: memref<64xf32>):
  memref.store %x, %m[%i] : memref<64xf32>
  %r = memref.load %m[%i] : memref<64xf32>
  return %r : f32
}

// -----

func.func @diamond_returned(%c: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  cf.cond_br %c, ^fresh, ^old
^fresh:
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^end(%b : memref<64xf32>)
^old:
  cf.br ^end(%a : memref<64xf32>)
^end(%m: memref<64xf32>):
  return %m : memref<64xf32>
}

// -----

func.func @diamond_of_allocs(%c: i1, %n: index, %x: f32) -> memref<?xf32> {
  %two = arith.constant 2 : index
  cf.cond_br %c, ^left, ^right
^left:
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  cf.br ^end(%a : memref<?xf32>)
^right:
  %b = memref.alloc(%two) : memref<?xf32>
  %y = arith.addf %x, %x : f32
  linalg.fill ins(%y : f32) outs(%b : memref<?xf32>)
  cf.br ^end(%b : memref<?xf32>)
^end(%m: memref<?xf32>):
  return %m : memref<?xf32>
}

// -----

// A buffer that is made before the branch and used on one side only.
func.func @used_on_one_side(%c: i1, %a: memref<64xf32>, %x: f32) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.cond_br %c, ^use, ^end
^use:
  memref.copy %b, %a : memref<64xf32> to memref<64xf32>
  cf.br ^end
^end:
  return
}

// -----

// One of the edges is critical, and carries another buffer than the other one.
func.func @critical_edge(%c: i1, %x: f32) -> memref<64xf32> {
  %y = arith.addf %x, %x : f32
  %a = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  cf.cond_br %c, ^other, ^end(%a : memref<64xf32>)
^other:
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<64xf32>)
  cf.br ^end(%b : memref<64xf32>)
^end(%m: memref<64xf32>):
  return %m : memref<64xf32>
}

// -----

func.func @same_successor(%c: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.cond_br %c, ^end(%a : memref<64xf32>), ^end(%b : memref<64xf32>)
^end(%m: memref<64xf32>):
  return %m : memref<64xf32>
}

// -----

func.func @same_successor_of_two(%c: i1, %x: f32) -> (memref<64xf32>, f32) {
  %i = arith.constant 1 : index
  %y = arith.addf %x, %x : f32
  %a = memref.alloc() : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%a : memref<64xf32>)
  linalg.fill ins(%y : f32) outs(%b : memref<64xf32>)
  cf.cond_br %c, ^end(%a, %b : memref<64xf32>, memref<64xf32>), ^end(%b, %b : memref<64xf32>, memref<64xf32>)
^end(%m: memref<64xf32>, %n: memref<64xf32>):
  %r = memref.load %n[%i] : memref<64xf32>
  return %m, %r : memref<64xf32>, f32
}

// -----

// Returned from two places.
func.func @two_returns(%c: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.cond_br %c, ^fresh, ^old
^fresh:
  return %b : memref<64xf32>
^old:
  memref.copy %b, %a : memref<64xf32> to memref<64xf32>
  return %a : memref<64xf32>
}

// -----

// Diamonds one after the other; the second may hand on what the first did.
func.func @two_diamonds(%c: i1, %d: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %y = arith.addf %x, %x : f32
  cf.cond_br %c, ^fresh, ^middle(%a : memref<64xf32>)
^fresh:
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.br ^middle(%b : memref<64xf32>)
^middle(%m: memref<64xf32>):
  cf.cond_br %d, ^again, ^end(%m : memref<64xf32>)
^again:
  %e = memref.alloc() : memref<64xf32>
  memref.copy %m, %e : memref<64xf32> to memref<64xf32>
  %i = arith.constant 1 : index
  memref.store %y, %e[%i] : memref<64xf32>
  cf.br ^end(%e : memref<64xf32>)
^end(%n: memref<64xf32>):
  return %n : memref<64xf32>
}

// -----

// Blocks that hold structured branches, whose results leave by a block's argument.
func.func @blocks_around_if(%c: i1, %d: i1, %a: memref<64xf32>, %x: f32) -> f32 {
  %i = arith.constant 1 : index
  cf.cond_br %c, ^branch, ^end(%a : memref<64xf32>)
^branch:
  %m = scf.if %d -> (memref<64xf32>) {
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  } else {
    scf.yield %a : memref<64xf32>
  }
  cf.br ^end(%m : memref<64xf32>)
^end(%n: memref<64xf32>):
  %r = memref.load %n[%i] : memref<64xf32>
  return %r : f32
}

// -----

func.func @switch(%n: index, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %y = arith.addf %x, %x : f32
  %k = arith.index_cast %n : index to i32
  %outer = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%outer : memref<64xf32>)
  cf.switch %k : i32, [
    default: ^end(%a : memref<64xf32>),
    0: ^fresh,
    2: ^end(%outer : memref<64xf32>)
  ]
^fresh:
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<64xf32>)
  cf.br ^end(%b : memref<64xf32>)
^end(%m: memref<64xf32>):
  return %m : memref<64xf32>
}

// -----

func.func @loop_of_blocks(%n: index, %a: memref<64xf32>) -> memref<64xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^header(%a, %zero : memref<64xf32>, index)
^header(%b: memref<64xf32>, %i: index):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %fresh = memref.alloc() : memref<64xf32>
  memref.copy %b, %fresh : memref<64xf32> to memref<64xf32>
  %v = memref.load %b[%i] : memref<64xf32>
  %w = arith.addf %v, %v : f32
  memref.store %w, %fresh[%i] : memref<64xf32>
  %next = arith.addi %i, %one : index
  cf.br ^header(%fresh, %next : memref<64xf32>, index)
^end:
  return %b : memref<64xf32>
}

// -----

// A block that branches to itself; the edge out of it is critical.
func.func @self_loop(%n: index, %x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<64xf32>)
  cf.br ^body(%init, %zero : memref<64xf32>, index)
^body(%b: memref<64xf32>, %i: index):
  %fresh = memref.alloc() : memref<64xf32>
  %v = memref.load %b[%one] : memref<64xf32>
  %w = arith.addf %v, %v : f32
  linalg.fill ins(%w : f32) outs(%fresh : memref<64xf32>)
  %next = arith.addi %i, %one : index
  %more = arith.cmpi ult, %next, %n : index
  cf.cond_br %more, ^body(%fresh, %next : memref<64xf32>, index), ^end(%b : memref<64xf32>)
^end(%m: memref<64xf32>):
  %r = memref.load %m[%one] : memref<64xf32>
  return %r : f32
}

// -----

// What is carried is sometimes replaced, and is used beside a buffer from outside.
func.func @loop_of_blocks_replaces_sometimes(%n: index, %x: f32) -> (memref<64xf32>, f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %two = arith.constant 2 : index
  %init = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<64xf32>)
  cf.br ^header(%init, %zero : memref<64xf32>, index)
^header(%b: memref<64xf32>, %i: index):
  %more = arith.cmpi ult, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %k = arith.remui %i, %two : index
  %odd = arith.cmpi eq, %k, %one : index
  %next = arith.addi %i, %one : index
  cf.cond_br %odd, ^replace, ^header(%b, %next : memref<64xf32>, index)
^replace:
  %fresh = memref.alloc() : memref<64xf32>
  %v = memref.load %b[%one] : memref<64xf32>
  %w = arith.addf %v, %x : f32
  linalg.fill ins(%w : f32) outs(%fresh : memref<64xf32>)
  cf.br ^header(%fresh, %next : memref<64xf32>, index)
^end:
  %r = memref.load %init[%one] : memref<64xf32>
  return %b, %r : memref<64xf32>, f32
}

// -----

// Two loops, the second of which changes the places of what the first made.
func.func @loops_of_blocks(%n: index, %a: memref<64xf32>, %x: f32) -> (f32, memref<64xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  cf.br ^first(%a, %zero : memref<64xf32>, index)
^first(%b: memref<64xf32>, %i: index):
  %fresh = memref.alloc() : memref<64xf32>
  %v = memref.load %b[%one] : memref<64xf32>
  %w = arith.addf %v, %x : f32
  linalg.fill ins(%w : f32) outs(%fresh : memref<64xf32>)
  %next = arith.addi %i, %one : index
  %more = arith.cmpi ult, %next, %n : index
  cf.cond_br %more, ^first(%fresh, %next : memref<64xf32>, index), ^second(%fresh, %b, %zero : memref<64xf32>, memref<64xf32>, index)
^second(%p: memref<64xf32>, %q: memref<64xf32>, %j: index):
  %after = arith.addi %j, %one : index
  %again = arith.cmpi ult, %after, %n : index
  cf.cond_br %again, ^second(%q, %p, %after : memref<64xf32>, memref<64xf32>, index), ^end
^end:
  %r = memref.load %p[%one] : memref<64xf32>
  return %r, %q : f32, memref<64xf32>
}

// -----

// No way leads to the block, which allocates and hands a buffer on.
func.func @unreachable_block(%c: i1, %a: memref<64xf32>, %x: f32) -> memref<64xf32> {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  cf.cond_br %c, ^end(%a : memref<64xf32>), ^end(%b : memref<64xf32>)
^nowhere:
  %e = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%e : memref<64xf32>)
  cf.br ^end(%e : memref<64xf32>)
^end(%m: memref<64xf32>):
  return %m : memref<64xf32>
}
