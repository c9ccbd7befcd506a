// RUN: xdsl-opt %s -p copy-removal | filecheck %s

// Each of these copies is needed, for the reason given. In most of them little is missing,
// so the types are the same, and all is in one block.

// The source is written before the target is read.
// CHECK-LABEL: func.func @source_is_written(
// CHECK:         "memref.copy"(
func.func @source_is_written(%f: f32, %i: index) -> f32 {
  %s = memref.alloc() : memref<4xf32>
  memref.store %f, %s[%i] : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%s, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.store %f, %s[%i] : memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  %y = memref.load %s[%i] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  func.return %z : f32
}

// The target is written before the source is read, through a view.
// CHECK-LABEL: func.func @target_is_written(
// CHECK:         "memref.copy"(
func.func @target_is_written(%f: f32, %i: index) -> f32 {
  %s = memref.alloc() : memref<4xf32>
  memref.store %f, %s[%i] : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%s, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  %v = "memref.cast"(%t) : (memref<4xf32>) -> memref<?xf32>
  memref.store %f, %v[%i] : memref<?xf32>
  %x = memref.load %s[%i] : memref<4xf32>
  %y = memref.load %t[%i] : memref<4xf32>
  %z = arith.addf %x, %y : f32
  func.return %z : f32
}

// The caller would see what is written.
// CHECK-LABEL: func.func @argument_would_be_written(
// CHECK:         "memref.copy"(
func.func @argument_would_be_written(%a: memref<4xf32>, %f: f32, %i: index) -> f32 {
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%a, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.store %f, %t[%i] : memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  func.return %x : f32
}

// The caller frees what it is returned, but not what it gives.
// CHECK-LABEL: func.func @argument_would_be_returned(
// CHECK:         "memref.copy"(
func.func @argument_would_be_returned(%a: memref<4xf32>) -> memref<4xf32> {
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%a, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return %t : memref<4xf32>
}

"memref.global"() <{sym_name = "weights", sym_visibility = "private", type = memref<4xf32>, initial_value = dense<1.0> : tensor<4xf32>, constant}> : () -> ()

// CHECK-LABEL: func.func @constant_would_be_written(
// CHECK:         "memref.copy"(
func.func @constant_would_be_written(%f: f32, %i: index) -> f32 {
  %g = memref.get_global @weights : memref<4xf32>
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%g, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.store %f, %t[%i] : memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  func.return %x : f32
}

// The arguments may be the same memory.
// CHECK-LABEL: func.func @other_argument_is_written(
// CHECK:         "memref.copy"(
func.func @other_argument_is_written(%a: memref<4xf32>, %b: memref<4xf32>, %f: f32, %i: index) -> f32 {
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%a, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.store %f, %b[%i] : memref<4xf32>
  %x = memref.load %t[%i] : memref<4xf32>
  func.return %x : f32
}

// The arguments may be the same memory, and other elements of it are read later.
// CHECK-LABEL: func.func @not_in_step(
// CHECK:         "memref.copy"(
func.func @not_in_step(%a: memref<4x4xf32>, %o: memref<4x4xf32>) {
  %t = memref.alloc() : memref<4x4xf32>
  linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : memref<4x4xf32>) outs(%t : memref<4x4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  "memref.copy"(%t, %o) : (memref<4x4xf32>, memref<4x4xf32>) -> ()
  func.return
}

// The views may overlap in part.
// CHECK-LABEL: func.func @overlapping(
// CHECK:         "memref.copy"(
func.func @overlapping(%a: memref<4xf32, strided<[1], offset: ?>>, %o: memref<4xf32, strided<[1], offset: ?>>) {
  %t = memref.alloc() : memref<4xf32>
  linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : memref<4xf32, strided<[1], offset: ?>>) outs(%t : memref<4xf32>) {
  ^bb0(%x: f32, %y: f32):
    linalg.yield %x : f32
  }
  "memref.copy"(%t, %o) : (memref<4xf32>, memref<4xf32, strided<[1], offset: ?>>) -> ()
  func.return
}

// The target is read after the first write to the source.
// CHECK-LABEL: func.func @target_is_read(
// CHECK:         "memref.copy"(
func.func @target_is_read(%o: memref<4xf32>, %f: f32, %i: index) -> f32 {
  %s = memref.alloc() : memref<4xf32>
  memref.store %f, %s[%i] : memref<4xf32>
  %x = memref.load %o[%i] : memref<4xf32>
  "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return %x : f32
}

// The target is written after the first write to the source, and before the copy.
// CHECK-LABEL: func.func @target_is_overwritten(
// CHECK:         "memref.copy"(
func.func @target_is_overwritten(%o: memref<4xf32>, %f: f32, %i: index) {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  memref.store %f, %o[%i] : memref<4xf32>
  "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}

func.func private @callee()

// A call may access what the caller knows.
// CHECK-LABEL: func.func @call(
// CHECK:         "memref.copy"(
func.func @call(%o: memref<4xf32>, %f: f32) {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  func.call @callee() : () -> ()
  "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}

// The target keeps its contents if the condition does not hold.
// CHECK-LABEL: func.func @condition(
// CHECK:         "memref.copy"(
func.func @condition(%o: memref<4xf32>, %f: f32, %c: i1) {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  scf.if %c {
    "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  }
  func.return
}

// The target keeps its contents if the loop has no iteration.
// CHECK-LABEL: func.func @loop(
// CHECK:         "memref.copy"(
func.func @loop(%o: memref<4xf32>, %f: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  scf.for %k = %c0 to %n step %c1 {
    "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  }
  func.return
}

// The target keeps its contents on one of the ways.
// CHECK-LABEL: func.func @branch(
// CHECK:         "memref.copy"(
func.func @branch(%o: memref<4xf32>, %f: f32, %c: i1) {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  cf.br ^bb2
^bb2:
  func.return
}

// The next iteration copies the source again.
// CHECK-LABEL: func.func @next_iteration(
// CHECK:         "memref.copy"(
func.func @next_iteration(%f: f32, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %f) -> (f32) {
    %t = memref.alloc() : memref<4xf32>
    "memref.copy"(%s, %t) : (memref<4xf32>, memref<4xf32>) -> ()
    %x = memref.load %t[%i] : memref<4xf32>
    %y = arith.addf %x, %sum : f32
    memref.store %y, %t[%i] : memref<4xf32>
    scf.yield %y : f32
  }
  func.return %r : f32
}

// What an iteration hands over is read when the next one has written the source.
// CHECK-LABEL: func.func @carried(
// CHECK:         "memref.copy"(
func.func @carried(%f: f32, %i: index, %n: index) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  %r, %last = scf.for %k = %c0 to %n step %c1 iter_args(%sum = %f, %b = %s) -> (f32, memref<4xf32>) {
    memref.store %sum, %s[%i] : memref<4xf32>
    %t = memref.alloc() : memref<4xf32>
    "memref.copy"(%s, %t) : (memref<4xf32>, memref<4xf32>) -> ()
    %x = memref.load %b[%i] : memref<4xf32>
    %y = arith.addf %x, %sum : f32
    scf.yield %y, %t : f32, memref<4xf32>
  }
  func.return %r : f32
}

// The source is freed before the target is read, but in the case of a condition only.
// CHECK-LABEL: func.func @freed_in_a_region(
// CHECK:         "memref.copy"(
func.func @freed_in_a_region(%sizes: memref<4xindex>, %n: index, %f: f32, %i: index, %c: i1) -> f32 {
  %s = memref.alloc(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<?xf32>)
  %m = memref.load %sizes[%i] : memref<4xindex>
  %t = memref.alloc(%m) : memref<?xf32>
  "memref.copy"(%s, %t) : (memref<?xf32>, memref<?xf32>) -> ()
  scf.if %c {
    memref.dealloc %s : memref<?xf32>
  }
  %x = memref.load %t[%i] : memref<?xf32>
  memref.dealloc %t : memref<?xf32>
  func.return %x : f32
}

// What is on the stack is not returned.
// CHECK-LABEL: func.func @stack(
// CHECK:         "memref.copy"(
func.func @stack(%sizes: memref<4xindex>, %n: index, %f: f32, %i: index) -> memref<?xf32> {
  %s = memref.alloca(%n) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<?xf32>)
  %m = memref.load %sizes[%i] : memref<4xindex>
  %t = memref.alloc(%m) : memref<?xf32>
  "memref.copy"(%s, %t) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return %t : memref<?xf32>
}

// Both are returned, and each may be freed.
// CHECK-LABEL: func.func @both_returned(
// CHECK:         "memref.copy"(
func.func @both_returned(%f: f32) -> (memref<4xf32>, memref<4xf32>) {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  %t = memref.alloc() : memref<4xf32>
  "memref.copy"(%s, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return %s, %t : memref<4xf32>, memref<4xf32>
}

func.func private @keep(memref<4xf32>)

// Nothing is known of what the callee does with it, now and later.
// CHECK-LABEL: func.func @given_away(
// CHECK:         "memref.copy"(
func.func @given_away(%o: memref<4xf32>, %f: f32) {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  func.call @keep(%s) : (memref<4xf32>) -> ()
  "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}

// Only a part is copied.
// CHECK-LABEL: func.func @part(
// CHECK:         "memref.copy"(
func.func @part(%o: memref<2xf32>, %f: f32, %i: index) {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  %v = memref.subview %s[0] [2] [1] : memref<4xf32> to memref<2xf32, strided<[1]>>
  "memref.copy"(%v, %o) : (memref<2xf32, strided<[1]>>, memref<2xf32>) -> ()
  func.return
}

// Another layout would make other views of it.
// CHECK-LABEL: func.func @layout(
// CHECK:         "memref.copy"(
func.func @layout(%o: memref<8xf32>, %f: f32) {
  %s = memref.alloc() : memref<4xf32>
  %v = memref.expand_shape %s [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  linalg.fill ins(%f : f32) outs(%v : memref<2x2xf32>)
  %w = memref.subview %o[4] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: 4>>
  "memref.copy"(%s, %w) : (memref<4xf32>, memref<4xf32, strided<[1], offset: 4>>) -> ()
  func.return
}

// Where the part is, is only known when the source is written.
// CHECK-LABEL: func.func @place_is_not_known(
// CHECK:         "memref.copy"(
func.func @place_is_not_known(%o: memref<8xf32>, %places: memref<4xindex>, %f: f32, %i: index) {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  %j = memref.load %places[%i] : memref<4xindex>
  %w = memref.subview %o[%j] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  "memref.copy"(%s, %w) : (memref<4xf32>, memref<4xf32, strided<[1], offset: ?>>) -> ()
  func.return
}

// They are in different memory spaces.
// CHECK-LABEL: func.func @spaces(
// CHECK:         "memref.copy"(
func.func @spaces(%o: memref<4xf32, 1>, %f: f32) {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32, 1>) -> ()
  func.return
}

// A tensor is in the memory, too.
// CHECK-LABEL: func.func @tensor(
// CHECK:         "memref.copy"(
func.func @tensor(%o: memref<4xf32>, %f: f32) -> tensor<4xf32> {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  %t = bufferization.to_tensor %s restrict : memref<4xf32> to tensor<4xf32>
  "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return %t : tensor<4xf32>
}

// The target may be written before the copy, as one of two.
// CHECK-LABEL: func.func @one_of_two(
// CHECK:         "memref.copy"(
func.func @one_of_two(%o: memref<4xf32>, %c: i1, %f: f32, %i: index) -> memref<4xf32> {
  %s = memref.alloc() : memref<4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<4xf32>)
  %t = memref.alloc() : memref<4xf32>
  %v = arith.select %c, %t, %o : memref<4xf32>
  memref.store %f, %v[%i] : memref<4xf32>
  "memref.copy"(%s, %t) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %s : memref<4xf32>
  func.return %t : memref<4xf32>
}

// A clone may become its source, which is still to be read, so it is not written earlier.
// CHECK-LABEL: func.func @clone_is_target(
// CHECK:         bufferization.clone
// CHECK:         linalg.add
// CHECK:         "memref.copy"(
func.func @clone_is_target(%f: f32, %i: index) -> (f32, memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  memref.store %f, %a[%i] : memref<4xf32>
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  %s = memref.alloc() : memref<4xf32>
  linalg.add ins(%b, %b : memref<4xf32>, memref<4xf32>) outs(%s : memref<4xf32>)
  %r = memref.load %a[%i] : memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  "memref.copy"(%s, %b) : (memref<4xf32>, memref<4xf32>) -> ()
  memref.dealloc %s : memref<4xf32>
  func.return %r, %b : f32, memref<4xf32>
}

// Nor is the source while the clone is read.
// CHECK-LABEL: func.func @source_of_clone_is_target(
// CHECK:         bufferization.clone
// CHECK:         linalg.fill
// CHECK:         "memref.copy"(
func.func @source_of_clone_is_target(%a: memref<2x4xf32>, %f: f32, %i: index) -> f32 {
  %b = bufferization.clone %a : memref<2x4xf32> to memref<2x4xf32, strided<[8, 1]>>
  %v = memref.expand_shape %b [[0, 1], [2]] output_shape [1, 2, 4] : memref<2x4xf32, strided<[8, 1]>> into memref<1x2x4xf32, strided<[16, 8, 1]>>
  %s = memref.alloc() : memref<2x4xf32>
  linalg.fill ins(%f : f32) outs(%s : memref<2x4xf32>)
  %r = memref.load %v[%i, %i, %i] : memref<1x2x4xf32, strided<[16, 8, 1]>>
  memref.dealloc %b : memref<2x4xf32, strided<[8, 1]>>
  "memref.copy"(%s, %a) : (memref<2x4xf32>, memref<2x4xf32>) -> ()
  memref.dealloc %s : memref<2x4xf32>
  func.return %r : f32
}

// Nor does a clone take the place of a memref that is written.
// CHECK-LABEL: func.func @clone_is_source(
// CHECK:         bufferization.clone
// CHECK:         "memref.copy"(
func.func @clone_is_source(%a: memref<2x4xf32>, %f: f32, %i: index) -> (f32, memref<2x4xf32, strided<[8, 1]>>) {
  %b = bufferization.clone %a : memref<2x4xf32> to memref<2x4xf32, strided<[8, 1]>>
  %v = memref.expand_shape %b [[0, 1], [2]] output_shape [1, 2, 4] : memref<2x4xf32, strided<[8, 1]>> into memref<1x2x4xf32, strided<[16, 8, 1]>>
  %l = memref.load %v[%i, %i, %i] : memref<1x2x4xf32, strided<[16, 8, 1]>>
  %c = memref.alloc() : memref<2x4xf32, strided<[8, 1]>>
  "memref.copy"(%b, %c) : (memref<2x4xf32, strided<[8, 1]>>, memref<2x4xf32, strided<[8, 1]>>) -> ()
  memref.dealloc %b : memref<2x4xf32, strided<[8, 1]>>
  memref.store %l, %c[%i, %i] : memref<2x4xf32, strided<[8, 1]>>
  %r = memref.load %a[%i, %i] : memref<2x4xf32>
  func.return %r, %c : f32, memref<2x4xf32, strided<[8, 1]>>
}

// The clone holds contents, which a copy of it moves on.
// CHECK-LABEL: func.func @clone_is_copied(
// CHECK:         bufferization.clone
// CHECK:         "memref.copy"(
func.func @clone_is_copied(%a: memref<2x4xf32>, %o: memref<2x4xf32>, %i: index) -> f32 {
  %b = bufferization.clone %a : memref<2x4xf32> to memref<2x4xf32, strided<[8, 1]>>
  %v = memref.expand_shape %b [[0, 1], [2]] output_shape [1, 2, 4] : memref<2x4xf32, strided<[8, 1]>> into memref<1x2x4xf32, strided<[16, 8, 1]>>
  "memref.copy"(%b, %o) : (memref<2x4xf32, strided<[8, 1]>>, memref<2x4xf32>) -> ()
  %r = memref.load %v[%i, %i, %i] : memref<1x2x4xf32, strided<[16, 8, 1]>>
  memref.dealloc %b : memref<2x4xf32, strided<[8, 1]>>
  func.return %r : f32
}

// CHECK-LABEL: func.func @clone_of_uninitialised(
// CHECK:         "memref.copy"(
func.func @clone_of_uninitialised(%o: memref<4xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = bufferization.clone %a : memref<4xf32> to memref<4xf32>
  "memref.copy"(%b, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}

// What is at the address of %m is read behind the write to the source.
// CHECK-LABEL: func.func @address
// CHECK:           "memref.copy"(%o, %m)
func.func @address(%o: memref<4xf32>, %x: f32) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  "memref.copy"(%o, %m) : (memref<4xf32>, memref<4xf32>) -> ()
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  linalg.fill ins(%x : f32) outs(%o : memref<4xf32>)
  %i = arith.index_cast %p : index to i64
  %q = "llvm.inttoptr"(%i) : (i64) -> !llvm.ptr
  %v = "llvm.load"(%q) : (!llvm.ptr) -> f32
  func.return %v : f32
}
