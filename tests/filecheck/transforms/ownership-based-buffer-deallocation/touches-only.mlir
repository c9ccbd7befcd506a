// RUN: xdsl-opt %s -p 'ownership-based-buffer-deallocation{touches-only="third.party","other.*"}' --allow-unregistered-dialect | filecheck %s

// Ops that nothing is known of may say that they neither allocate nor free, or be named.

// CHECK-LABEL: func.func @named() {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      "third.party"(%m) : (memref<4xf32>) -> ()
// CHECK-NEXT:      "other.op"(%m) : (memref<4xf32>) -> ()
// CHECK-NEXT:      "another.op"(%m) {bufferization.touches_only} : (memref<4xf32>) -> ()
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return
func.func @named() {
  %m = memref.alloc() : memref<4xf32>
  "third.party"(%m) : (memref<4xf32>) -> ()
  "other.op"(%m) : (memref<4xf32>) -> ()
  "another.op"(%m) {bufferization.touches_only} : (memref<4xf32>) -> ()
  func.return
}

// What they return may be what they are given.
// CHECK-LABEL: func.func @result(%i: index) -> f32 {
// CHECK-NEXT:      %0 = arith.constant true
// CHECK-NEXT:      %m = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      %n = "third.party"(%m) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:      %f = memref.load %n[%i] : memref<4xf32>
// CHECK-NEXT:      bufferization.dealloc (%m : memref<4xf32>) if (%0)
// CHECK-NEXT:      func.return %f : f32
func.func @result(%i: index) -> f32 {
  %m = memref.alloc() : memref<4xf32>
  %n = "third.party"(%m) : (memref<4xf32>) -> memref<4xf32>
  %f = memref.load %n[%i] : memref<4xf32>
  func.return %f : f32
}
