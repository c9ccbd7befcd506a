// RUN: xdsl-opt %s -p 'ownership-based-buffer-deallocation{private-function-dynamic-ownership}' | filecheck %s

// Private functions tell what their caller owns.

// CHECK-LABEL: func.func private @external(memref<4xf32>) -> memref<4xf32>
func.func private @external(memref<4xf32>) -> memref<4xf32>
// CHECK-LABEL: func.func private @externals() -> (memref<4xf32>, memref<4xf32>)
func.func private @externals() -> (memref<4xf32>, memref<4xf32>)

// CHECK-LABEL: func.func private @one_of(%c: i1, %a: memref<4xf32>) -> (memref<4xf32>, i1) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %s = arith.select %c, %a, %m : memref<4xf32>
// CHECK-NEXT:      %1 = bufferization.dealloc (%m : memref<4xf32>) if (%0) retain (%s : memref<4xf32>)
// CHECK-NEXT:      func.return %s, %1 : memref<4xf32>, i1
func.func private @one_of(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %s = arith.select %c, %a, %m : memref<4xf32>
  func.return %s : memref<4xf32>
}

// CHECK-LABEL: func.func @caller(%c: i1, %a: memref<4xf32>) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %r, %1 = func.call @one_of(%c, %m) : (i1, memref<4xf32>) -> (memref<4xf32>, i1)
// CHECK-NEXT:      %s = func.call @external(%r) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%s : memref<4xf32>) if (%0)
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%1)
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @caller(%c: i1, %a: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  %r = func.call @one_of(%c, %m) : (i1, memref<4xf32>) -> memref<4xf32>
  %s = func.call @external(%r) : (memref<4xf32>) -> memref<4xf32>
  func.return
}


// CHECK-LABEL: func.func @two_results(%f: f32, %i: index) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %r, %r_1 = func.call @externals() : () -> (memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:      %1 = "memref.extract_aligned_pointer_as_index"(%r_1) : (memref<4xf32>) -> index
// CHECK-NEXT:      %2 = "memref.extract_aligned_pointer_as_index"(%r) : (memref<4xf32>) -> index
// CHECK-NEXT:      %3 = arith.cmpi ne, %1, %2 : index
// CHECK-NEXT:      memref.store %f, %r_1[%i] : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%0)
// CHECK-NEXT:      bufferization.dealloc (%r_1 : memref<4xf32>) if (%3)
// CHECK-NEXT:      func.return
func.func @two_results(%f: f32, %i: index) {
  %r:2 = func.call @externals() : () -> (memref<4xf32>, memref<4xf32>)
  memref.store %f, %r#1[%i] : memref<4xf32>
  func.return
}

// CHECK-LABEL: func.func private @two_allocated() -> (memref<4xf32>, memref<4xf32>, i1, i1) {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      func.return %m, %n, %0, %0 : memref<4xf32>, memref<4xf32>, i1, i1
func.func private @two_allocated() -> (memref<4xf32>, memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  %n = memref.alloc() : memref<4xf32>
  func.return %m, %n : memref<4xf32>, memref<4xf32>
}

// CHECK-LABEL: func.func @known_results(%f: f32, %i: index) {
// CHECK-NEXT:      %r, %r_1, %0, %1 = func.call @two_allocated() : () -> (memref<4xf32>, memref<4xf32>, i1, i1)
// CHECK-NEXT:      memref.store %f, %r_1[%i] : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%r_1 : memref<4xf32>) if (%1)
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @known_results(%f: f32, %i: index) {
  %r:2 = func.call @two_allocated() : () -> (memref<4xf32>, memref<4xf32>)
  memref.store %f, %r#1[%i] : memref<4xf32>
  func.return
}

// Blocks that cannot be reached are erased, so that branches in them need no flags.
// CHECK-LABEL: func.func @not_reached(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
// CHECK-NEXT:      %0 = arith.constant false
// CHECK-NEXT:      %1 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      cf.cond_br %c, ^end(%m, %1 : memref<4xf32>, i1), ^bb1
// CHECK-NEXT:    ^bb1:
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%1)
// CHECK-NEXT:      cf.br ^end(%a, %0 : memref<4xf32>, i1)
// CHECK-NEXT:    ^end(%x: memref<4xf32>, %2: i1):
// CHECK-NEXT:      %3 = scf.if %2 -> (memref<4xf32>) {
// CHECK-NEXT:        scf.yield %x : memref<4xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %4 = bufferization.clone %x : memref<4xf32> to memref<4xf32>
// CHECK-NEXT:        scf.yield %4 : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %3 : memref<4xf32>
// CHECK-NEXT:    }
func.func @not_reached(%a: memref<4xf32>, %c: i1) -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  cf.cond_br %c, ^end(%m : memref<4xf32>), ^end(%a : memref<4xf32>)
^end(%x: memref<4xf32>):
  func.return %x : memref<4xf32>
^dead:
  %r = func.call @one_of(%c, %a) : (i1, memref<4xf32>) -> memref<4xf32>
  cf.br ^end(%r : memref<4xf32>)
}

// Attributes of results stay with them; the flags have none.
// CHECK-LABEL: func.func private @attributes(%m: memref<4xf32>) -> (memref<4xf32> {test.r = 1 : i32}, i1) {
func.func private @attributes(%m: memref<4xf32>) -> (memref<4xf32> {test.r = 1 : i32}) {
  func.return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @calls_with_attributes(%m: memref<4xf32>) {
// CHECK:         func.call @attributes(%m) {res_attrs = [{test.c = 1 : i32}, {}]} : (memref<4xf32>) -> (memref<4xf32>, i1)
func.func @calls_with_attributes(%m: memref<4xf32>) {
  %r = func.call @attributes(%m) {res_attrs = [{test.c = 1 : i32}]} : (memref<4xf32>) -> memref<4xf32>
  func.return
}

// What else than a call uses a function relies on its type.
// CHECK-LABEL: func.func private @address_taken() -> memref<4xf32> {
func.func private @address_taken() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  func.return %m : memref<4xf32>
}

// CHECK-LABEL: func.func @takes_address() {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %f = "func.constant"() <{value = @address_taken}> : () -> (() -> memref<4xf32>)
// CHECK-NEXT:      %r = func.call @address_taken() : () -> memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%r : memref<4xf32>) if (%0)
func.func @takes_address() {
  %f = func.constant @address_taken : () -> memref<4xf32>
  %r = func.call @address_taken() : () -> memref<4xf32>
  func.return
}
