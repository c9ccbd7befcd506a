// RUN: xdsl-opt %s -p copy-removal | filecheck %s

// The two examples of MLIR's documentation.

// CHECK-LABEL: func.func @dynamic_allocation(%arg0: index, %arg1: index) -> memref<?x?xf32> {
// CHECK-NEXT:    %0 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %0, %c0 : memref<?x?xf32>
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %2 = memref.dim %0, %c1 : memref<?x?xf32>
// CHECK-NEXT:    func.return %0 : memref<?x?xf32>
// CHECK-NEXT:  }
func.func @dynamic_allocation(%arg0: index, %arg1: index) -> memref<?x?xf32> {
  %7 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
  %c0_0 = arith.constant 0 : index
  %8 = memref.dim %7, %c0_0 : memref<?x?xf32>
  %c1_1 = arith.constant 1 : index
  %9 = memref.dim %7, %c1_1 : memref<?x?xf32>
  %10 = memref.alloc(%8, %9) : memref<?x?xf32>
  "memref.copy"(%7, %10) : (memref<?x?xf32>, memref<?x?xf32>) -> ()
  memref.dealloc %7 : memref<?x?xf32>
  func.return %10 : memref<?x?xf32>
}

// CHECK-LABEL: func.func @reuseTarget(%arg0: memref<2xf32>, %result: memref<2xf32>) {
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : memref<2xf32>) outs(%result : memref<2xf32>) {
// CHECK-NEXT:    ^bb0(%gen2_arg0: f32, %gen2_arg1: f32):
// CHECK-NEXT:      %tmp2 = math.exp %gen2_arg0 : f32
// CHECK-NEXT:      linalg.yield %tmp2 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @reuseTarget(%arg0: memref<2xf32>, %result: memref<2xf32>) {
  %temp = memref.alloc() : memref<2xf32>
  linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%arg0 : memref<2xf32>) outs(%temp : memref<2xf32>) {
  ^bb0(%gen2_arg0: f32, %gen2_arg1: f32):
    %tmp2 = math.exp %gen2_arg0 : f32
    linalg.yield %tmp2 : f32
  }
  "linalg.copy"(%temp, %result) <{operandSegmentSizes = array<i32: 1, 1>}> ({
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }) : (memref<2xf32>, memref<2xf32>) -> ()
  memref.dealloc %temp : memref<2xf32>
  func.return
}

// Nothing is freed yet, and nobody can tell the two apart: both are only read.
// CHECK-LABEL: func.func @both_read(%a: memref<4xf32>, %i: index) -> (f32, f32) {
// CHECK-NEXT:    %x = memref.load %a[%i] : memref<4xf32>
// CHECK-NEXT:    %y = memref.load %a[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %x, %y : f32, f32
// CHECK-NEXT:  }
func.func @both_read(%a: memref<4xf32>, %i: index) -> (f32, f32) {
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%a, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  %x = memref.load %a[%i] : memref<4xf32>
  %y = memref.load %t[%i] : memref<4xf32>
  func.return %x, %y : f32, f32
}

// The source is freed before the target is: its memory lives on.
// CHECK-LABEL: func.func @freed_early(%f: f32, %i: index) -> f32 {
// CHECK-NEXT:    %s = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    memref.store %f, %s[%i] : memref<4xf32>
// CHECK-NEXT:    memref.store %f, %s[%i] : memref<4xf32>
// CHECK-NEXT:    %x = memref.load %s[%i] : memref<4xf32>
// CHECK-NEXT:    memref.dealloc %s : memref<4xf32>
// CHECK-NEXT:    func.return %x : f32
// CHECK-NEXT:  }
func.func @freed_early(%f: f32, %i: index) -> f32 {
  %s = memref.alloc() : memref<4xf32>
  memref.store %f, %s[%i] : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%s, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %s : memref<4xf32>
  memref.store %f, %t[%i] : memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  func.return %x : f32
}

// The view is created earlier, and what is written gets its layout.
// CHECK-LABEL: func.func @into_view(%o: memref<8xf32>, %f: f32, %i: index) {
// CHECK-NEXT:    %j = arith.addi %i, %i : index
// CHECK-NEXT:    %s = memref.subview %o[%j] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%s : memref<4xf32, strided<[1], offset: ?>>)
// CHECK-NEXT:    %v = memref.subview %s[2] [2] [1] : memref<4xf32, strided<[1], offset: ?>> to memref<2xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    memref.store %f, %v[%i] : memref<2xf32, strided<[1], offset: ?>>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @into_view(%o: memref<8xf32>, %f: f32, %i: index) {
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%t : memref<4xf32>)
  %v = memref.subview %t[2] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1], offset: 2>>
  memref.store %f, %v[%i] : memref<2xf32, strided<[1], offset: 2>>
  %j = arith.addi %i, %i : index
  %s = memref.subview %o[%j] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  "memref.copy"(%t, %s) : (memref<4xf32>, memref<4xf32, strided<[1], offset: ?>>) -> ()
  memref.dealloc %t : memref<4xf32>
  func.return
}

// Of unknown size, and of a known one.
// CHECK-LABEL: func.func @cast(%o: memref<?xf32>, %f: f32) {
// CHECK-NEXT:    %t = "memref.cast"(%o) : (memref<?xf32>) -> memref<4xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%t : memref<4xf32>)
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @cast(%o: memref<?xf32>, %f: f32) {
  %t = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%t : memref<4xf32>)
  %c = "memref.cast"(%t) : (memref<4xf32>) -> memref<?xf32>
  "memref.copy"(%c, %o) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return
}

// Written in a region, between blocks that are all run.
// CHECK-LABEL: func.func @blocks(%o: memref<4xf32>, %f: f32, %i: index, %c: i1) {
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      memref.store %f, %o[%i] : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    cf.br ^bb2
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @blocks(%o: memref<4xf32>, %f: f32, %i: index, %c: i1) {
  %t = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  scf.if %c {
    memref.store %f, %t[%i] : memref<4xf32>
  }
  cf.br ^bb2
^bb2:
  "memref.copy"(%t, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %t : memref<4xf32>
  func.return
}

// The memory of the last iteration, handed on to the next one.
// CHECK-LABEL: func.func @handed_on(%init: memref<4xf32>, %f: f32, %n: index) -> memref<4xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    %r = scf.for %k = %c0 to %n step %c1 iter_args(%b = %init) -> (memref<4xf32>) {
// CHECK-NEXT:      %s = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
// CHECK-NEXT:      scf.yield %s : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<4xf32>
// CHECK-NEXT:  }
func.func @handed_on(%init: memref<4xf32>, %f: f32, %n: index) -> memref<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%b = %init) -> (memref<4xf32>) {
    %s = memref.alloc() : memref<4xf32>
    linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
    %t = memref.alloc() : memref<4xf32>
    "memref.copy"(%s, %t) : (memref<4xf32>, memref<4xf32>) -> ()
    memref.dealloc %s : memref<4xf32>
    scf.yield %t : memref<4xf32>
  }
  func.return %r : memref<4xf32>
}

// The contents are changed in place instead: the first copy is one to itself then.
// CHECK-LABEL: func.func @there_and_back(%o: memref<4xf32>, %f: f32, %i: index) {
// CHECK-NEXT:    memref.store %f, %o[%i] : memref<4xf32>
// CHECK-NEXT:    func.return
// CHECK-NEXT:  }
func.func @there_and_back(%o: memref<4xf32>, %f: f32, %i: index) {
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%o, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.store %f, %t[%i] : memref<4xf32>
  "memref.copy"(%t, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}

// Two copies, of which the second one is that of the first one's memory.
// CHECK-LABEL: func.func @chain(%f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:    %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %a : memref<4xf32>
// CHECK-NEXT:  }
func.func @chain(%f: f32, %i: index) -> memref<4xf32> {
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %b = memref.alloc() : memref<4xf32>
  "memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  %c = memref.alloc() : memref<4xf32>
  "memref.copy"(%b, %c) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.store %f, %c[%i] : memref<4xf32>
  func.return %c : memref<4xf32>
}

// CHECK-LABEL: func.func @clone(%a: memref<4xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %x = memref.load %a[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %x : f32
// CHECK-NEXT:  }
func.func @clone(%a: memref<4xf32>, %i: index) -> f32 {
  %t = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  memref.dealloc %t : memref<4xf32>
  func.return %x : f32
}

"memref.global"() <{sym_name = "weights", sym_visibility = "private", type = memref<4xf32>, initial_value = dense<1.0> : tensor<4xf32>, constant}> : () -> ()

// CHECK-LABEL: func.func @constant(%i: index, %o: memref<4xf32>, %f: f32) -> f32 {
// CHECK-NEXT:    %g = memref.get_global @weights : memref<4xf32>
// CHECK-NEXT:    memref.store %f, %o[%i] : memref<4xf32>
// CHECK-NEXT:    %x = memref.load %g[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %x : f32
// CHECK-NEXT:  }
func.func @constant(%i: index, %o: memref<4xf32>, %f: f32) -> f32 {
  %g = memref.get_global @weights : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%g, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.store %f, %o[%i] : memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  func.return %x : f32
}

// The target is allocated earlier, as what it takes for that is known.
// CHECK-LABEL: func.func @target_is_allocated_earlier(%f: f32, %n: index) -> memref<?xf32> {
// CHECK-NEXT:    %m = arith.addi %n, %n : index
// CHECK-NEXT:    %t = memref.alloc(%m) : memref<?xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%t : memref<?xf32>)
// CHECK-NEXT:    func.return %t : memref<?xf32>
// CHECK-NEXT:  }
func.func @target_is_allocated_earlier(%f: f32, %n: index) -> memref<?xf32> {
  %s = memref.alloca(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<?xf32>)
  %m = arith.addi %n, %n : index
  %t = memref.alloc(%m) : memref<?xf32>
  "memref.copy"(%s, %t) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return %t : memref<?xf32>
}

// What remains is aligned as well as what goes.
// CHECK-LABEL: func.func @alignment(%f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:      %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %a : memref<4xf32>
func.func @alignment(%f: f32, %i: index) -> memref<4xf32> {
  %a = memref.alloc() {alignment = 16 : i64} : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  "memref.copy"(%a, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return %b : memref<4xf32>
}

// A clone that is overwritten as a whole is not needed.
// CHECK-LABEL: func.func @overwritten_clone(
// CHECK-NOT:     bufferization.clone
// CHECK:         func.return %s
func.func @overwritten_clone(%m: memref<4xf32>, %f: f32, %i: index) -> memref<4xf32> {
  %b = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  %s = memref.alloc() : memref<4xf32>
  memref.store %f, %s[%i] : memref<4xf32>
  "memref.copy"(%s, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return %b : memref<4xf32>
}

// A cast that a removal has made is in the memory of its source: the last copy reads what it
// would write.
// CHECK-LABEL: func.func @part_of_itself(
// CHECK:         "memref.cast"
// CHECK:         %r = memref.alloc
func.func @part_of_itself(%f: f32, %i: index) {
  %m = memref.alloc() : memref<8xf32>
  linalg.fill ins(%f : f32) outs(%m : memref<8xf32>)
  %p = memref.subview %m[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>
  %q = memref.alloc() : memref<4xf32>
  "memref.copy"(%p, %q) : (memref<4xf32, strided<[1]>>, memref<4xf32>) -> ()
  %r = memref.alloc() : memref<8xf32>
  "memref.copy"(%m, %r) : (memref<8xf32>, memref<8xf32>) -> ()
  %s = memref.subview %r[%i] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  "memref.copy"(%q, %s) : (memref<4xf32>, memref<4xf32, strided<[1], offset: ?>>) -> ()
  func.return
}
