// Views of buffers, buffers that are not on the heap, empty ones, and `memref.realloc`.

func.func @argument_returned(%a: memref<64xf32>) -> memref<64xf32> {
  return %a : memref<64xf32>
}

// -----

func.func @alloc_returned_twice(%x: f32) -> (memref<64xf32>, memref<64xf32>) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  return %b, %b : memref<64xf32>, memref<64xf32>
}

// -----

func.func @subview_returned(%x: f32) -> memref<2xf32, strided<[2], offset: 1>> {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %v = memref.subview %b[1] [2] [2] : memref<64xf32> to memref<2xf32, strided<[2], offset: 1>>
  return %v : memref<2xf32, strided<[2], offset: 1>>
}

// -----

func.func @cast_returned(%x: f32) -> memref<?xf32> {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %v = memref.cast %b : memref<64xf32> to memref<?xf32>
  return %v : memref<?xf32>
}

// -----

func.func @reinterpret_cast_returned(%x: f32) -> memref<2x2xf32> {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %v = memref.reinterpret_cast %b to offset: [0], sizes: [2, 2], strides: [2, 1] : memref<64xf32> to memref<2x2xf32>
  return %v : memref<2x2xf32>
}

// -----

func.func @view_of_argument_returned(%a: memref<64xf32>) -> memref<2xf32, strided<[2], offset: 1>> {
  %v = memref.subview %a[1] [2] [2] : memref<64xf32> to memref<2xf32, strided<[2], offset: 1>>
  return %v : memref<2xf32, strided<[2], offset: 1>>
}

// -----

func.func @reshaped_returned(%n: index, %x: f32) -> (memref<2x?xf32>, memref<?xf32>) {
  %b = memref.alloc(%n) : memref<?x2xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?x2xf32>)
  %f = memref.collapse_shape %b [[0, 1]] : memref<?x2xf32> into memref<?xf32>
  %e = memref.expand_shape %f [[0, 1]] output_shape [2, %n] : memref<?xf32> into memref<2x?xf32>
  return %e, %f : memref<2x?xf32>, memref<?xf32>
}

// -----

// Views of one buffer that do not begin where it does.
func.func @two_views_returned(%x: f32) -> (memref<2xf32, strided<[1]>>, memref<2xf32, strided<[1], offset: 2>>) {
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %i = arith.constant 2 : index
  %y = arith.addf %x, %x : f32
  memref.store %y, %b[%i] : memref<64xf32>
  %v = memref.subview %b[0] [2] [1] : memref<64xf32> to memref<2xf32, strided<[1]>>
  %w = memref.subview %b[2] [2] [1] : memref<64xf32> to memref<2xf32, strided<[1], offset: 2>>
  return %v, %w : memref<2xf32, strided<[1]>>, memref<2xf32, strided<[1], offset: 2>>
}

// -----

// The base is not used directly any more when its view still is.
func.func @view_outlives_base(%n: index, %a: memref<64xf32>, %x: f32) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %v = memref.subview %b[1] [2] [1] : memref<64xf32> to memref<2xf32, strided<[1], offset: 1>>
  scf.for %i = %zero to %n step %one {
    %t = memref.load %v[%one] : memref<2xf32, strided<[1], offset: 1>>
    %u = arith.addf %t, %x : f32
    memref.store %u, %v[%one] : memref<2xf32, strided<[1], offset: 1>>
    memref.store %u, %a[%i] : memref<64xf32>
  }
  return
}

// -----

// The view of a branch's own buffer leaves the branch.
func.func @view_leaves_branch(%c: i1, %n: index, %a: memref<64xf32>, %x: f32) -> f32 {
  %one = arith.constant 1 : index
  %m = scf.if %c -> (memref<?xf32, strided<[1], offset: ?>>) {
    %b = memref.alloc() : memref<8xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<8xf32>)
    %v = memref.subview %b[%n] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
    %w = memref.cast %v : memref<4xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
    scf.yield %w : memref<?xf32, strided<[1], offset: ?>>
  } else {
    %w = memref.cast %a : memref<64xf32> to memref<?xf32, strided<[1], offset: ?>>
    scf.yield %w : memref<?xf32, strided<[1], offset: ?>>
  }
  %r = memref.load %m[%one] : memref<?xf32, strided<[1], offset: ?>>
  return %r : f32
}

// -----

// Each iteration carries a view of the buffer before, until one makes a new one.
func.func @view_carried(%n: index, %x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc() : memref<8xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<8xf32>)
  %all = memref.cast %init : memref<8xf32> to memref<?xf32, strided<[1], offset: ?>>
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %all) -> memref<?xf32, strided<[1], offset: ?>> {
    %size = memref.dim %b, %zero : memref<?xf32, strided<[1], offset: ?>>
    %less = arith.subi %size, %one : index
    %makes = arith.cmpi eq, %i, %one : index
    %next = scf.if %makes -> (memref<?xf32, strided<[1], offset: ?>>) {
      %fresh = memref.alloc(%size) : memref<?xf32>
      %v = memref.load %b[%one] : memref<?xf32, strided<[1], offset: ?>>
      %w = arith.addf %v, %v : f32
      linalg.fill ins(%w : f32) outs(%fresh : memref<?xf32>)
      %cast = memref.cast %fresh : memref<?xf32> to memref<?xf32, strided<[1], offset: ?>>
      scf.yield %cast : memref<?xf32, strided<[1], offset: ?>>
    } else {
      %rest = memref.subview %b[1] [%less] [1] : memref<?xf32, strided<[1], offset: ?>> to memref<?xf32, strided<[1], offset: ?>>
      scf.yield %rest : memref<?xf32, strided<[1], offset: ?>>
    }
    scf.yield %next : memref<?xf32, strided<[1], offset: ?>>
  }
  %r = memref.load %m[%one] : memref<?xf32, strided<[1], offset: ?>>
  return %r : f32
}

// -----

memref.global "private" constant @numbers : memref<64xf32> = dense<2.0>
func.func @global_returned() -> memref<64xf32> {
  %g = memref.get_global @numbers : memref<64xf32>
  return %g : memref<64xf32>
}

// -----

memref.global "private" constant @numbers : memref<64xf32> = dense<2.0>
func.func @global_carried(%n: index) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %g = memref.get_global @numbers : memref<64xf32>
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %g) -> memref<64xf32> {
    %fresh = memref.alloc() : memref<64xf32>
    %v = memref.load %b[%one] : memref<64xf32>
    %w = arith.addf %v, %v : f32
    linalg.fill ins(%w : f32) outs(%fresh : memref<64xf32>)
    scf.yield %fresh : memref<64xf32>
  }
  %r = memref.load %m[%one] : memref<64xf32>
  return %r : f32
}

// -----

memref.global "private" @state : memref<64xf32> = dense<1.0>
func.func @global_or_alloc(%c: i1, %x: f32) -> memref<64xf32> {
  %i = arith.constant 1 : index
  %g = memref.get_global @state : memref<64xf32>
  memref.store %x, %g[%i] : memref<64xf32>
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %m = arith.select %c, %g, %b : memref<64xf32>
  return %m : memref<64xf32>
}

// -----

func.func @alloca_or_alloc(%c: i1, %x: f32) -> memref<64xf32> {
  %y = arith.addf %x, %x : f32
  %s = memref.alloca() : memref<64xf32>
  linalg.fill ins(%y : f32) outs(%s : memref<64xf32>)
  %m = scf.if %c -> (memref<64xf32>) {
    %b = memref.alloc() : memref<64xf32>
    linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
    scf.yield %b : memref<64xf32>
  } else {
    scf.yield %s : memref<64xf32>
  }
  %r = bufferization.clone %m : memref<64xf32> to memref<64xf32>
  return %r : memref<64xf32>
}

// -----

func.func @alloca_carried(%n: index, %x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %s = memref.alloca() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%s : memref<64xf32>)
  %b = memref.alloc() : memref<64xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<64xf32>)
  %m:2 = scf.for %i = %zero to %n step %one iter_args(%p = %s, %q = %b) -> (memref<64xf32>, memref<64xf32>) {
    %v = memref.load %p[%one] : memref<64xf32>
    %w = arith.addf %v, %x : f32
    memref.store %w, %p[%one] : memref<64xf32>
    scf.yield %q, %p : memref<64xf32>, memref<64xf32>
  }
  %r = memref.load %m#0[%one] : memref<64xf32>
  return %r : f32
}

// -----

// Empty buffers are to be freed as well.
func.func @empty(%c: i1, %a: memref<0xf32>) -> (memref<0xf32>, memref<2x0xf32>) {
  %b = memref.alloc() : memref<0xf32>
  %d = memref.alloc() : memref<2x0xf32>
  %m = arith.select %c, %a, %b : memref<0xf32>
  return %m, %d : memref<0xf32>, memref<2x0xf32>
}

// -----

func.func @zero_rank(%c: i1, %a: memref<f32>, %x: f32) -> (memref<f32>, f32) {
  %b = memref.alloc() : memref<f32>
  memref.store %x, %b[] : memref<f32>
  %m = scf.if %c -> (memref<f32>) {
    scf.yield %b : memref<f32>
  } else {
    %d = memref.alloc() : memref<f32>
    memref.copy %a, %d : memref<f32> to memref<f32>
    scf.yield %d : memref<f32>
  }
  %r = memref.load %b[] : memref<f32>
  return %m, %r : memref<f32>, f32
}

// -----

// A matrix of dynamic sizes, aligned, and its transpose as temporary.
func.func @dynamic_sizes(%n: index, %k: index, %x: f32) -> memref<?x?xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %b = memref.alloc(%n, %k) {alignment = 64 : i64} : memref<?x?xf32>
  %t = memref.alloc(%k, %n) : memref<?x?xf32>
  scf.for %i = %zero to %k step %one {
    scf.for %j = %zero to %n step %one {
      %s = arith.addi %i, %j : index
      %l = arith.index_cast %s : index to i32
      %v = arith.sitofp %l : i32 to f32
      %w = arith.addf %v, %x : f32
      memref.store %w, %t[%i, %j] : memref<?x?xf32>
    }
  }
  %u = memref.transpose %t (i, j) -> (j, i) : memref<?x?xf32> to memref<?x?xf32, strided<[1, ?]>>
  memref.copy %u, %b : memref<?x?xf32, strided<[1, ?]>> to memref<?x?xf32>
  return %b : memref<?x?xf32>
}

// -----

// Longer in some calls, so that the old block is replaced.
func.func @realloc(%n: index, %x: f32) -> memref<?xf32> {
  %two = arith.constant 2 : index
  %b = memref.alloc(%two) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%b : memref<?xf32>)
  %m = memref.realloc %b(%n) : memref<?xf32> to memref<?xf32>
  %y = arith.addf %x, %x : f32
  linalg.fill ins(%y : f32) outs(%m : memref<?xf32>)
  return %m : memref<?xf32>
}

// -----

// Longer in each second iteration, shorter in the others.
func.func @realloc_in_loop(%n: index, %x: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %init = memref.alloc(%one) : memref<?xf32>
  linalg.fill ins(%x : f32) outs(%init : memref<?xf32>)
  %m = scf.for %i = %zero to %n step %one iter_args(%b = %init) -> memref<?xf32> {
    %other = arith.xori %i, %one : index
    %size = arith.addi %other, %one : index
    %next = memref.realloc %b(%size) : memref<?xf32> to memref<?xf32>
    %v = memref.load %next[%zero] : memref<?xf32>
    %w = arith.addf %v, %x : f32
    memref.store %w, %next[%zero] : memref<?xf32>
    scf.yield %next : memref<?xf32>
  }
  %r = memref.load %m[%zero] : memref<?xf32>
  return %r : f32
}

// -----

// Unlike with a static offset, a copy has a type that a new buffer can be cast to.
func.func @view_of_argument_with_layout_returned(%n: index, %a: memref<8xf32>) -> memref<2xf32, strided<[?], offset: ?>> {
  %v = memref.subview %a[%n] [2] [2] : memref<8xf32> to memref<2xf32, strided<[2], offset: ?>>
  %w = memref.cast %v : memref<2xf32, strided<[2], offset: ?>> to memref<2xf32, strided<[?], offset: ?>>
  return %w : memref<2xf32, strided<[?], offset: ?>>
}
