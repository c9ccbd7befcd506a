// RUN: xdsl-opt %s -p canonicalize | filecheck %s

// CHECK-LABEL: func.func @duplicate(%a: memref<4xf32>, %b: memref<4xf32>, %x: i1, %y: i1, %z: i1, %r: memref<4xf32>) -> (i1, i1, i1) {
// CHECK-NEXT:    %0 = arith.ori %x, %z : i1
// CHECK-NEXT:    %1, %2 = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%0, %y) retain (%r, %b : memref<4xf32>, memref<4xf32>)
// CHECK-NEXT:    func.return %1, %2, %1 : i1, i1, i1
func.func @duplicate(%a: memref<4xf32>, %b: memref<4xf32>, %x: i1, %y: i1, %z: i1, %r: memref<4xf32>) -> (i1, i1, i1) {
  %0, %1, %2 = bufferization.dealloc (%a, %b, %a : memref<4xf32>, memref<4xf32>, memref<4xf32>) if (%x, %y, %z) retain (%r, %b, %r : memref<4xf32>, memref<4xf32>, memref<4xf32>)
  func.return %0, %1, %2 : i1, i1, i1
}

// CHECK-LABEL: func.func @same_condition(%a: memref<4xf32>, %x: i1) {
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>) if (%x)
// CHECK-NEXT:    func.return
func.func @same_condition(%a: memref<4xf32>, %x: i1) {
  bufferization.dealloc (%a, %a : memref<4xf32>, memref<4xf32>) if (%x, %x)
  func.return
}

// CHECK-LABEL: func.func @empty(%r: memref<4xf32>) -> i1 {
// CHECK-NEXT:    %0 = arith.constant false
// CHECK-NEXT:    func.return %0 : i1
func.func @empty(%r: memref<4xf32>) -> i1 {
  bufferization.dealloc
  %0 = bufferization.dealloc retain (%r : memref<4xf32>)
  func.return %0 : i1
}

// CHECK-LABEL: func.func @never(%a: memref<4xf32>, %b: memref<4xf32>, %x: i1, %r: memref<4xf32>) -> i1 {
// CHECK-NEXT:    %0 = bufferization.dealloc (%b : memref<4xf32>) if (%x) retain (%r : memref<4xf32>)
// CHECK-NEXT:    func.return %0 : i1
func.func @never(%a: memref<4xf32>, %b: memref<4xf32>, %x: i1, %r: memref<4xf32>) -> i1 {
  %false = arith.constant false
  bufferization.dealloc (%a : memref<4xf32>) if (%false)
  %0 = bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%false, %x) retain (%r : memref<4xf32>)
  func.return %0 : i1
}

// CHECK-LABEL: func.func @unused_allocation(%x: i1, %r: memref<4xf32>) -> i1 {
// CHECK-NEXT:    %0 = arith.constant false
// CHECK-NEXT:    func.return %0 : i1
func.func @unused_allocation(%x: i1, %r: memref<4xf32>) -> i1 {
  %a = memref.alloc() : memref<4xf32>
  %0 = bufferization.dealloc (%a : memref<4xf32>) if (%x) retain (%r : memref<4xf32>)
  func.return %0 : i1
}

// CHECK-LABEL: func.func @used_allocation(%x: i1, %i: index) -> f32 {
// CHECK-NEXT:    %a = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %f = memref.load %a[%i] : memref<4xf32>
// CHECK-NEXT:    bufferization.dealloc (%a : memref<4xf32>) if (%x)
// CHECK-NEXT:    func.return %f : f32
func.func @used_allocation(%x: i1, %i: index) -> f32 {
  %a = memref.alloc() : memref<4xf32>
  %f = memref.load %a[%i] : memref<4xf32>
  bufferization.dealloc (%a : memref<4xf32>) if (%x)
  func.return %f : f32
}

// Without unrelated results the base is the allocation; of an argument it stays.
// CHECK-LABEL: func.func @base_buffer(%x: i1, %m: memref<?xf32>, %n: index, %i: index) -> f32 {
// CHECK-NEXT:    %a = memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT:    %f = memref.load %a[%i] : memref<?xf32>
// CHECK-NEXT:    %b1, %o1, %s1, %t1 = memref.extract_strided_metadata %m : memref<?xf32> -> memref<f32>, index, index, index
// CHECK-NEXT:    bufferization.dealloc (%a, %b1 : memref<?xf32>, memref<f32>) if (%x, %x)
// CHECK-NEXT:    func.return %f : f32
func.func @base_buffer(%x: i1, %m: memref<?xf32>, %n: index, %i: index) -> f32 {
  %a = memref.alloc(%n) : memref<?xf32>
  %f = memref.load %a[%i] : memref<?xf32>
  %b, %o, %s, %t = "memref.extract_strided_metadata"(%a) : (memref<?xf32>) -> (memref<f32>, index, index, index)
  %b1, %o1, %s1, %t1 = "memref.extract_strided_metadata"(%m) : (memref<?xf32>) -> (memref<f32>, index, index, index)
  bufferization.dealloc (%b, %b1 : memref<f32>, memref<f32>) if (%x, %x)
  func.return %f : f32
}

// The dealloc frees, used or not.
// CHECK-LABEL: func.func @unused_result(%a: memref<4xf32>, %x: i1, %r: memref<4xf32>) {
// CHECK-NEXT:    %0 = bufferization.dealloc (%a : memref<4xf32>) if (%x) retain (%r : memref<4xf32>)
// CHECK-NEXT:    func.return
func.func @unused_result(%a: memref<4xf32>, %x: i1, %r: memref<4xf32>) {
  %0 = bufferization.dealloc (%a : memref<4xf32>) if (%x) retain (%r : memref<4xf32>)
  func.return
}

// What has no effect at all allocates nothing, so there is something to free.
// CHECK-LABEL: func.func @not_an_allocation(%m: memref<4xf32>, %n: memref<4xf32>, %x: i1) {
// CHECK-NEXT:    %r = arith.select %x, %m, %n : memref<4xf32>
// CHECK-NEXT:    bufferization.dealloc (%r : memref<4xf32>) if (%x)
// CHECK-NEXT:    func.return
func.func @not_an_allocation(%m: memref<4xf32>, %n: memref<4xf32>, %x: i1) {
  %r = arith.select %x, %m, %n : memref<4xf32>
  bufferization.dealloc (%r : memref<4xf32>) if (%x)
  func.return
}

// A condition that is constant decides with the other one, or does not matter.
// CHECK-LABEL: func.func @duplicate_constant
// CHECK-NOT: arith.ori
// CHECK: bufferization.dealloc (%a, %b : memref<4xf32>, memref<4xf32>) if (%true, %y)
func.func @duplicate_constant(%a: memref<4xf32>, %b: memref<4xf32>, %x: i1, %y: i1) -> (i1, i1) {
  %true = arith.constant true
  %false = arith.constant false
  %0, %1 = bufferization.dealloc (%a, %a, %b, %b : memref<4xf32>, memref<4xf32>, memref<4xf32>, memref<4xf32>) if (%x, %true, %y, %false) retain (%a, %b : memref<4xf32>, memref<4xf32>)
  func.return %0, %1 : i1, i1
}
