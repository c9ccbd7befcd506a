// RUN: xdsl-opt %s -p buffer-deallocation-pipeline | filecheck %s

// What begins at any byte of an allocation cannot be freed in its place.

// CHECK-LABEL: func.func @branch(%c: i1, %f: f32, %i: index, %o: memref<4xf32>) -> f32 {
// CHECK-NEXT:      %arena = memref.alloc() : memref<64xi8>
// CHECK-NEXT:      %c16 = arith.constant 16 : index
// CHECK-NEXT:      %v = memref.view %arena[%c16][] : memref<64xi8> to memref<4xf32>
// CHECK-NEXT:      memref.store %f, %v[%i] : memref<4xf32>
// CHECK-NEXT:      %x = arith.select %c, %v, %o : memref<4xf32>
// CHECK-NEXT:      %r = memref.load %x[%i] : memref<4xf32>
// CHECK-NEXT:      memref.dealloc %arena : memref<64xi8>
// CHECK-NEXT:      func.return %r : f32
func.func @branch(%c: i1, %f: f32, %i: index, %o: memref<4xf32>) -> f32 {
  %arena = memref.alloc() : memref<64xi8>
  %c16 = arith.constant 16 : index
  %v = memref.view %arena[%c16][] : memref<64xi8> to memref<4xf32>
  memref.store %f, %v[%i] : memref<4xf32>
  cf.cond_br %c, ^a(%v : memref<4xf32>), ^a(%o : memref<4xf32>)
^a(%x: memref<4xf32>):
  %r = memref.load %x[%i] : memref<4xf32>
  func.return %r : f32
}
// CHECK-LABEL: func.func @loop(%n: index, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:      %arena = memref.alloc() : memref<64xi8>
// CHECK-NEXT:      %c16 = arith.constant 16 : index
// CHECK-NEXT:      %v = memref.view %arena[%c16][] : memref<64xi8> to memref<4xf32>
// CHECK-NEXT:      %x = scf.for %j = %i to %n step %n iter_args(%y = %v) -> (memref<4xf32>) {
// CHECK-NEXT:        memref.store %f, %y[%i] : memref<4xf32>
// CHECK-NEXT:        scf.yield %y : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %r = memref.load %x[%i] : memref<4xf32>
// CHECK-NEXT:      memref.dealloc %arena : memref<64xi8>
// CHECK-NEXT:      func.return %r : f32
func.func @loop(%n: index, %f: f32, %i: index) -> f32 {
  %arena = memref.alloc() : memref<64xi8>
  %c16 = arith.constant 16 : index
  %v = memref.view %arena[%c16][] : memref<64xi8> to memref<4xf32>
  %x = scf.for %j = %i to %n step %n iter_args(%y = %v) -> (memref<4xf32>) {
    memref.store %f, %y[%i] : memref<4xf32>
    scf.yield %y : memref<4xf32>
  }
  %r = memref.load %x[%i] : memref<4xf32>
  func.return %r : f32
}

// The memory is not used any more where it is freed.
// CHECK-LABEL: func.func @unused_argument(%c: i1, %f: f32, %i: index, %o: memref<4xf32>) {
// CHECK-NEXT:      %arena = memref.alloc() : memref<64xi8>
// CHECK-NEXT:      %c16 = arith.constant 16 : index
// CHECK-NEXT:      %v = memref.view %arena[%c16][] : memref<64xi8> to memref<4xf32>
// CHECK-NEXT:      memref.store %f, %v[%i] : memref<4xf32>
// CHECK-NEXT:      cf.cond_br %c, ^a, ^b(%o : memref<4xf32>)
// CHECK-NEXT:    ^a:
// CHECK-NEXT:      memref.store %f, %o[%i] : memref<4xf32>
// CHECK-NEXT:      cf.br ^b(%v : memref<4xf32>)
// CHECK-NEXT:    ^b(%x: memref<4xf32>):
// CHECK-NEXT:      memref.dealloc %arena : memref<64xi8>
// CHECK-NEXT:      memref.store %f, %o[%i] : memref<4xf32>
// CHECK-NEXT:      func.return
func.func @unused_argument(%c: i1, %f: f32, %i: index, %o: memref<4xf32>) {
  %arena = memref.alloc() : memref<64xi8>
  %c16 = arith.constant 16 : index
  %v = memref.view %arena[%c16][] : memref<64xi8> to memref<4xf32>
  memref.store %f, %v[%i] : memref<4xf32>
  cf.cond_br %c, ^a, ^b(%o : memref<4xf32>)
^a:
  memref.store %f, %o[%i] : memref<4xf32>
  cf.br ^b(%v : memref<4xf32>)
^b(%x: memref<4xf32>):
  memref.store %f, %o[%i] : memref<4xf32>
  func.return
}
