// RUN: xdsl-opt %s -p 'plan-static-memory{report}' 2>&1 >/dev/null | filecheck %s
// RUN: xdsl-opt %s -p 'plan-static-memory{remarks=false}' | filecheck %s --check-prefix=IR
// RUN: not xdsl-opt %s -p 'plan-static-memory{refuse-others report}' 2>&1 | filecheck %s --check-prefix=STATIC
// RUN: xdsl-opt %s -p 'promote-buffers-to-stack{max-alloc-size-in-bytes=128}' | filecheck %s --check-prefix=STACK

// A tile of 32 elements at most, whose size is known in the loop only.
// CHECK-LABEL: @tile: 128 bytes for 1 buffer of 128 bytes
// IR-LABEL: func.func @tile
// IR-NEXT:    %arena = memref.alloc() {alignment = 16 : i64} : memref<128xi8>
// IR:         scf.for
// IR:         memref.view %arena[%{{.*}}][%t] : memref<128xi8> to memref<?xf32>
// STATIC-LABEL: @tile: 128 bytes for 1 buffer of 128 bytes
func.func @tile(%n: index, %x: f32) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  scf.for %i = %c0 to %n step %c32 {
    %rest = arith.subi %n, %i : index
    %t = arith.minsi %rest, %c32 : index
    %a = memref.alloc(%t) : memref<?xf32>
    linalg.fill ins(%x : f32) outs(%a : memref<?xf32>)
  }
  func.return
}

// What is asserted holds for what follows. A multiple of the size is planned as one, unless nothing
// else may be allocated.
// CHECK-LABEL: @asserted: 8*(%x.0*%x.0 + 2*%x.0) bytes for 1 buffer
// STATIC-LABEL: @asserted: 2,304 bytes for 1 buffer of 2,304 bytes
func.func @asserted(%x: memref<?xf32>, %y: f32) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %ok = arith.cmpi sle, %n, %c16 : index
  cf.assert %ok, "too long"
  %n2 = arith.addi %n, %c2 : index
  %a = memref.alloc(%n, %n2) : memref<?x?x2xf32>
  linalg.fill ins(%y : f32) outs(%a : memref<?x?x2xf32>)
  func.return
}

// A bound of more than a mebibyte is not worth it.
// CHECK-LABEL: @large: 1 buffer left as allocated
func.func @large(%n: index, %k: index, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %most = arith.constant 262145 : index
  scf.for %i = %c0 to %k step %c1 {
    %rest = arith.subi %n, %i : index
    %t = arith.minui %rest, %most : index
    %a = memref.alloc(%t) : memref<?xf32>
    linalg.fill ins(%y : f32) outs(%a : memref<?xf32>)
  }
  func.return
}

// A bound of a sum with a number that may be negative, or of a product that may overflow, is none.
// CHECK-LABEL: @none: 2 buffers left as allocated
func.func @none(%n: index, %k: index, %y: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c64 = arith.constant 64 : index
  %n7 = arith.muli %n, %c7 : index
  %ok = arith.cmpi ule, %n7, %c64 : index
  cf.assert %ok, "too long"
  scf.for %i = %c0 to %k step %c1 {
    %rest = arith.subi %c64, %i : index
    %a = memref.alloc(%rest) : memref<?xf32>
    linalg.fill ins(%y : f32) outs(%a : memref<?xf32>)
    %more = arith.addi %n, %i : index
    %b = memref.alloc(%more) : memref<?xf32>
    linalg.fill ins(%y : f32) outs(%b : memref<?xf32>)
  }
  func.return
}

// What is before it may be larger; the other one fits on the stack.
// STACK-LABEL: func.func @on_stack
// STACK:        memref.alloc(%n)
// STACK:        cf.assert
// STACK-NEXT:   memref.alloca(%n)
func.func @on_stack(%n: index, %m: i32, %y: f32) {
  %b = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%y : f32) outs(%b : memref<?xf32>)
  %c32 = arith.constant 32 : index
  %ok = arith.cmpi ule, %n, %c32 : index
  %c5 = arith.constant 5 : i32
  %small = arith.cmpi sgt, %c5, %m : i32
  %both = arith.andi %ok, %small : i1
  cf.assert %both, "too long"
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%y : f32) outs(%a : memref<?xf32>)
  func.return
}

// A cast that drops bits keeps no bound: -2^64 + 1,000,000 becomes 1,000,000.
// STACK-LABEL: func.func @truncated
// STACK:        memref.alloc(%n)
func.func @truncated(%wide: i128, %y: f32) {
  %c4 = arith.constant 4 : i128
  %ok = arith.cmpi sle, %wide, %c4 : i128
  cf.assert %ok, "too long"
  %n = arith.index_cast %wide : i128 to index
  %a = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%y : f32) outs(%a : memref<?xf32>)
  func.return
}
