// RUN: xdsl-opt %s -p buffer-hoisting | filecheck %s
// RUN: not xdsl-opt %s -p 'buffer-hoisting{far}' 2>&1 | filecheck %s --check-prefix=OPTION

// OPTION: error: buffer-hoisting has no option 'far'; it has none

// The buffer is one of two that the last block may get, so one deallocation there frees it.
// CHECK-LABEL: func.func @cond_branch(%c: i1, %given: memref<2xf32>, %o: memref<2xf32>, %f: f32, %i: index) {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      cf.br ^bb3(%given : memref<2xf32>)
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      memref.store %f, %m[%i] : memref<2xf32>
// CHECK-NEXT:      cf.br ^bb3(%m : memref<2xf32>)
// CHECK-NEXT:    ^bb3(%x: memref<2xf32>):
// CHECK-NEXT:      "memref.copy"(%x, %o) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:      func.return
func.func @cond_branch(%c: i1, %given: memref<2xf32>, %o: memref<2xf32>, %f: f32, %i: index) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%given : memref<2xf32>)
^bb2:
  %m = memref.alloc() : memref<2xf32>
  memref.store %f, %m[%i] : memref<2xf32>
  cf.br ^bb3(%m : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  "memref.copy"(%x, %o) : (memref<2xf32>, memref<2xf32>) -> ()
  func.return
}

// Its size is known in one block only.
// CHECK-LABEL: func.func @cond_branch_dynamic_type(%c: i1, %given: memref<?xf32>, %o: memref<?xf32>, %n: index) {
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2(%n : index)
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      cf.br ^bb3(%given : memref<?xf32>)
// CHECK-NEXT:    ^bb2(%size: index):
// CHECK-NEXT:      %m = memref.alloc(%size) : memref<?xf32>
// CHECK-NEXT:      cf.br ^bb3(%m : memref<?xf32>)
// CHECK-NEXT:    ^bb3(%x: memref<?xf32>):
// CHECK-NEXT:      "memref.copy"(%x, %o) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:      func.return
func.func @cond_branch_dynamic_type(%c: i1, %given: memref<?xf32>, %o: memref<?xf32>, %n: index) {
  cf.cond_br %c, ^bb1, ^bb2(%n : index)
^bb1:
  cf.br ^bb3(%given : memref<?xf32>)
^bb2(%size: index):
  %m = memref.alloc(%size) : memref<?xf32>
  cf.br ^bb3(%m : memref<?xf32>)
^bb3(%x: memref<?xf32>):
  "memref.copy"(%x, %o) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return
}

// It can be moved as far as its size is known.
// CHECK-LABEL: func.func @below_its_size(%c: i1, %given: memref<?xf32>, %n: index) -> memref<?xf32> {
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      cf.br ^bb5(%given : memref<?xf32>)
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      %size = arith.muli %n, %n : index
// CHECK-NEXT:      %m = memref.alloc(%size) : memref<?xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb3, ^bb4
// CHECK-NEXT:    ^bb3:
// CHECK-NEXT:      cf.br ^bb5(%given : memref<?xf32>)
// CHECK-NEXT:    ^bb4:
// CHECK-NEXT:      cf.br ^bb5(%m : memref<?xf32>)
// CHECK-NEXT:    ^bb5(%x: memref<?xf32>):
// CHECK-NEXT:      func.return %x : memref<?xf32>
func.func @below_its_size(%c: i1, %given: memref<?xf32>, %n: index) -> memref<?xf32> {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  cf.br ^bb5(%given : memref<?xf32>)
^bb2:
  %size = arith.muli %n, %n : index
  cf.cond_br %c, ^bb3, ^bb4
^bb3:
  cf.br ^bb5(%given : memref<?xf32>)
^bb4:
  %m = memref.alloc(%size) : memref<?xf32>
  cf.br ^bb5(%m : memref<?xf32>)
^bb5(%x: memref<?xf32>):
  func.return %x : memref<?xf32>
}

// Out of regions of which at most one runs.
// CHECK-LABEL: func.func @conditional(%c: i1) -> memref<2xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      %m_1 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      %r = scf.if %c -> (memref<2xf32>) {
// CHECK-NEXT:        scf.yield %m : memref<2xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        scf.yield %m_1 : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<2xf32>
func.func @conditional(%c: i1) -> memref<2xf32> {
  %r = scf.if %c -> (memref<2xf32>) {
    %m = memref.alloc() : memref<2xf32>
    scf.yield %m : memref<2xf32>
  } else {
    %m = memref.alloc() : memref<2xf32>
    scf.yield %m : memref<2xf32>
  }
  func.return %r : memref<2xf32>
}

// Through a view, and out of a region with blocks of its own.
// CHECK-LABEL: func.func @execute_region(%c: i1, %given: memref<?xf32>) -> memref<?xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      %r = scf.execute_region -> (memref<?xf32>) {
// CHECK-NEXT:        cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:      ^bb1:
// CHECK-NEXT:        %v = "memref.cast"(%m) : (memref<2xf32>) -> memref<?xf32>
// CHECK-NEXT:        scf.yield %v : memref<?xf32>
// CHECK-NEXT:      ^bb2:
// CHECK-NEXT:        scf.yield %given : memref<?xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<?xf32>
func.func @execute_region(%c: i1, %given: memref<?xf32>) -> memref<?xf32> {
  %r = scf.execute_region -> (memref<?xf32>) {
    cf.cond_br %c, ^bb1, ^bb2
  ^bb1:
    %m = memref.alloc() : memref<2xf32>
    %v = "memref.cast"(%m) : (memref<2xf32>) -> memref<?xf32>
    scf.yield %v : memref<?xf32>
  ^bb2:
    scf.yield %given : memref<?xf32>
  }
  func.return %r : memref<?xf32>
}

// What only its own block uses stays there.
// CHECK-LABEL: func.func @used_here(%c: i1, %f: f32, %i: index) {
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        memref.store %f, %m[%i] : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @used_here(%c: i1, %f: f32, %i: index) {
  scf.if %c {
    %m = memref.alloc() : memref<2xf32>
    memref.store %f, %m[%i] : memref<2xf32>
  }
  func.return
}

// Each run of a loop needs memory of its own: it moves out of the conditional only.
// CHECK-LABEL: func.func @loop(%c: i1, %l: index, %u: index, %s: index, %given: memref<2xf32>) -> memref<2xf32> {
// CHECK-NEXT:      %r = scf.for %i = %l to %u step %s iter_args(%x = %given) -> (memref<2xf32>) {
// CHECK-NEXT:        %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        %y = scf.if %c -> (memref<2xf32>) {
// CHECK-NEXT:          scf.yield %m : memref<2xf32>
// CHECK-NEXT:        } else {
// CHECK-NEXT:          scf.yield %x : memref<2xf32>
// CHECK-NEXT:        }
// CHECK-NEXT:        scf.yield %y : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<2xf32>
func.func @loop(%c: i1, %l: index, %u: index, %s: index, %given: memref<2xf32>) -> memref<2xf32> {
  %r = scf.for %i = %l to %u step %s iter_args(%x = %given) -> (memref<2xf32>) {
    %y = scf.if %c -> (memref<2xf32>) {
      %m = memref.alloc() : memref<2xf32>
      scf.yield %m : memref<2xf32>
    } else {
      scf.yield %x : memref<2xf32>
    }
    scf.yield %y : memref<2xf32>
  }
  func.return %r : memref<2xf32>
}

// The closest block that dominates all is in a loop: the one before is run as often.
// CHECK-LABEL: func.func @not_into_a_loop(%c: i1, %given: memref<2xf32>) -> memref<2xf32> {
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      cf.br ^bb1
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      cf.cond_br %c, ^bb2, ^bb4
// CHECK-NEXT:    ^bb2:
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb3
// CHECK-NEXT:    ^bb3:
// CHECK-NEXT:      cf.br ^bb5(%m : memref<2xf32>)
// CHECK-NEXT:    ^bb4:
// CHECK-NEXT:      cf.br ^bb5(%given : memref<2xf32>)
// CHECK-NEXT:    ^bb5(%x: memref<2xf32>):
// CHECK-NEXT:      func.return %x : memref<2xf32>
func.func @not_into_a_loop(%c: i1, %given: memref<2xf32>) -> memref<2xf32> {
  cf.br ^bb1
^bb1:
  cf.cond_br %c, ^bb2, ^bb4
^bb2:
  cf.cond_br %c, ^bb1, ^bb3
^bb3:
  %m = memref.alloc() : memref<2xf32>
  cf.br ^bb5(%m : memref<2xf32>)
^bb4:
  cf.br ^bb5(%given : memref<2xf32>)
^bb5(%x: memref<2xf32>):
  func.return %x : memref<2xf32>
}

// In a loop that is entered in two places, each run sees the buffer of the one before.
// CHECK-LABEL: func.func @irreducible(%c: i1, %given: memref<2xf32>, %f: f32, %i: index) {
// CHECK-NEXT:      cf.cond_br %c, ^bb1(%given : memref<2xf32>), ^bb2(%given : memref<2xf32>)
// CHECK-NEXT:    ^bb1(%x: memref<2xf32>):
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:      cf.br ^bb2(%m : memref<2xf32>)
// CHECK-NEXT:    ^bb2(%y: memref<2xf32>):
// CHECK-NEXT:      memref.store %f, %y[%i] : memref<2xf32>
// CHECK-NEXT:      cf.cond_br %c, ^bb1(%y : memref<2xf32>), ^bb3
// CHECK-NEXT:    ^bb3:
// CHECK-NEXT:      func.return
func.func @irreducible(%c: i1, %given: memref<2xf32>, %f: f32, %i: index) {
  cf.cond_br %c, ^bb1(%given : memref<2xf32>), ^bb2(%given : memref<2xf32>)
^bb1(%x: memref<2xf32>):
  %m = memref.alloc() : memref<2xf32>
  "memref.copy"(%x, %m) : (memref<2xf32>, memref<2xf32>) -> ()
  cf.br ^bb2(%m : memref<2xf32>)
^bb2(%y: memref<2xf32>):
  memref.store %f, %y[%i] : memref<2xf32>
  cf.cond_br %c, ^bb1(%y : memref<2xf32>), ^bb3
^bb3:
  func.return
}

// Blocks that cannot be reached stay as they are.
// CHECK-LABEL: func.func @unreachable(%f: f32, %i: index) {
// CHECK-NEXT:      func.return
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      cf.br ^bb2(%m : memref<2xf32>)
// CHECK-NEXT:    ^bb2(%x: memref<2xf32>):
// CHECK-NEXT:      memref.store %f, %x[%i] : memref<2xf32>
// CHECK-NEXT:      cf.br ^bb1
func.func @unreachable(%f: f32, %i: index) {
  func.return
^bb1:
  %m = memref.alloc() : memref<2xf32>
  cf.br ^bb2(%m : memref<2xf32>)
^bb2(%x: memref<2xf32>):
  memref.store %f, %x[%i] : memref<2xf32>
  cf.br ^bb1
}

// What the program frees itself would be allocated more often than it is freed.
// CHECK-LABEL: func.func @freed(%c: i1, %given: memref<2xf32>) {
// CHECK-NEXT:      cf.cond_br %c, ^bb1, ^bb2(%given : memref<2xf32>)
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      %m = memref.alloc() : memref<2xf32>
// CHECK-NEXT:      memref.dealloc %m : memref<2xf32>
// CHECK-NEXT:      cf.br ^bb2(%m : memref<2xf32>)
// CHECK-NEXT:    ^bb2(%x: memref<2xf32>):
// CHECK-NEXT:      func.return
func.func @freed(%c: i1, %given: memref<2xf32>) {
  cf.cond_br %c, ^bb1, ^bb3(%given : memref<2xf32>)
^bb1:
  %m = memref.alloc() : memref<2xf32>
  memref.dealloc %m : memref<2xf32>
  cf.br ^bb3(%m : memref<2xf32>)
^bb3(%x: memref<2xf32>):
  func.return
}
