// RUN: xdsl-opt %s -p 'plan-static-memory{remarks=false}' | filecheck %s
// RUN: xdsl-opt %s -p 'plan-static-memory{arena-as-argument allocate-in-public-functions}' | filecheck %s --check-prefix=ARGUMENT

// The batch after a slice in ONNX is computed before the arena from the argument's size. The second
// buffer is live when the first one is not.

// CHECK-LABEL: func.func @clamped
// CHECK:         %[[N:.*]] = memref.dim %x
// CHECK:         %[[A:.*]] = arith.muli %[[N]], %{{.*}} : index
// CHECK:         %[[LOW:.*]] = arith.minsi %[[N]], %{{.*}} : index
// CHECK:         %[[M:.*]] = arith.maxsi %[[LOW]], %{{.*}} : index
// CHECK:         %[[SIZE:.*]] = arith.maxsi %[[A]], %{{.*}} : index
// CHECK:         %arena = memref.alloc(%[[SIZE]])
// CHECK-NOT:     memref.alloc
// CHECK:         %a = memref.view %arena[%[[ZERO:.*]]][%n]
// CHECK:         %b = memref.view %arena[%[[ZERO]]][%m]
func.func @clamped(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %big = arith.constant 1000000000 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?x16xf32>
  "test.op"(%a) : (memref<?x16xf32>) -> ()
  %low = arith.minsi %n, %big : index
  %m = arith.maxsi %low, %c0 : index
  %b = memref.alloc(%m) : memref<?x16xf32>
  "test.op"(%b) : (memref<?x16xf32>) -> ()
  func.return
}

// Quotients of quotients. What is live at the same time is one above the other, so the third buffer
// begins where the second one ends, in the place of the first.

// CHECK-LABEL: func.func @quotients
// CHECK:         arith.floordivsi
// CHECK:         arith.floordivsi
// CHECK:         %arena = memref.alloc(
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func @quotients(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?x16xf32>
  "test.op"(%a) : (memref<?x16xf32>) -> ()
  %half = arith.floordivsi %n, %c2 : index
  %b = memref.alloc(%half) : memref<?x16xf32>
  "test.op"(%a, %b) : (memref<?x16xf32>, memref<?x16xf32>) -> ()
  %quarter = arith.floordivsi %half, %c2 : index
  %c = memref.alloc(%quarter) : memref<?x16xf32>
  "test.op"(%b, %c) : (memref<?x16xf32>, memref<?x16xf32>) -> ()
  func.return
}

// A divisor that may be 0 is not tried before the program does, and the result of an op is known
// after it.

// CHECK-LABEL: func.func @known_late
// CHECK:         %arena = memref.alloc(
// CHECK:         %a = memref.view %arena
// CHECK:         %q = arith.floordivsi %n, %d : index
// CHECK:         %arena_1 = memref.alloc(
// CHECK:         %b = memref.view %arena_1
// CHECK:         %k = "test.op"
// CHECK:         %{{[0-9]+}} = arith.floordivsi %k
// CHECK:         %arena_2 = memref.alloc(
// CHECK:         %h = arith.floordivsi %k
// CHECK:         %c = memref.view %arena_2
func.func @known_late(%x: memref<?xf32>, %d: index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %a = memref.alloc(%n) : memref<?x16xf32>
  "test.op"(%a) : (memref<?x16xf32>) -> ()
  %q = arith.floordivsi %n, %d : index
  %b = memref.alloc(%q) : memref<?x16xf32>
  %k = "test.op"(%b) : (memref<?x16xf32>) -> index
  %h = arith.floordivsi %k, %c2 : index
  %c = memref.alloc(%h) : memref<?x16xf32>
  "test.op"(%c) : (memref<?x16xf32>) -> ()
  func.return
}

// Callers compute them, too, by what they give.

// ARGUMENT-LABEL: func.func private @callee(%x: memref<?xf32>, %arena: memref<?xi8> {bufferize.arena = 16 : i64})
// ARGUMENT-NOT:     memref.alloc
// ARGUMENT-LABEL: func.func @caller
// ARGUMENT:         memref.dim %y
// ARGUMENT:         arith.floordivsi
// ARGUMENT:         memref.alloc(
// ARGUMENT-NOT:     memref.alloc
// ARGUMENT:         scf.for
// ARGUMENT-NOT:     memref.alloc
// ARGUMENT:         func.return
func.func private @callee(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %half = arith.floordivsi %n, %c2 : index
  %a = memref.alloc(%half) : memref<?x16xf32>
  memref.copy %a, %a : memref<?x16xf32> to memref<?x16xf32>
  func.return
}

func.func @caller(%y: memref<?xf32>, %k: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %k step %c1 {
    func.call @callee(%y) : (memref<?xf32>) -> ()
  }
  func.return
}
