// RUN: xdsl-opt %s -p 'plan-static-memory{arena-as-argument=true}' | filecheck %s

// CHECK-LABEL: func.func @leaf(%a: memref<4xf32>, %arena: memref<32xi8> {bufferize.arena = 16 : i64}) {
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.constant 16 : index
// CHECK-NEXT:      %x = memref.view %arena[%0][] : memref<32xi8> to memref<4xf32>
// CHECK-NEXT:      %y = memref.view %arena[%1][] : memref<32xi8> to memref<4xf32>
// CHECK-NEXT:      "test.op"(%x, %y, %a) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
func.func @leaf(%a: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  %y = memref.alloc() : memref<4xf32>
  "test.op"(%x, %y, %a) : (memref<4xf32>, memref<4xf32>, memref<4xf32>) -> ()
  func.return
}

// What the two calls need is not needed at the same time.
// CHECK-LABEL: func.func @caller(%c: i1, %a: memref<4xf32>, %arena: memref<48xi8> {bufferize.arena = 16 : i64}) {
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %1 = arith.constant 16 : index
// CHECK-NEXT:      %arena_1 = memref.view %arena[%0][] : memref<48xi8> to memref<32xi8>
// CHECK-NEXT:      func.call @leaf(%a, %arena_1) : (memref<4xf32>, memref<32xi8>) -> ()
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        %z = memref.view %arena[%0][] : memref<48xi8> to memref<4xf32>
// CHECK-NEXT:        %arena_2 = memref.view %arena[%1][] : memref<48xi8> to memref<32xi8>
// CHECK-NEXT:        func.call @leaf(%z, %arena_2) : (memref<4xf32>, memref<32xi8>) -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @caller(%c: i1, %a: memref<4xf32>) {
  func.call @leaf(%a) : (memref<4xf32>) -> ()
  scf.if %c {
    %z = memref.alloc() : memref<4xf32>
    func.call @leaf(%z) : (memref<4xf32>) -> ()
  }
  func.return
}

// CHECK-LABEL: func.func @nothing(%a: memref<4xf32>) {
// CHECK-NEXT:      func.return
func.func @nothing(%a: memref<4xf32>) {
  func.return
}

// It would need an arena in its own.
// CHECK-LABEL: func.func @recursive(%c: i1, %a: memref<4xf32>) {
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 16 : i64} : memref<16xi8>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %x = memref.view %arena[%0][] : memref<16xi8> to memref<4xf32>
// CHECK-NEXT:      "test.op"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      scf.if %c {
// CHECK-NEXT:        func.call @recursive(%c, %x) : (i1, memref<4xf32>) -> ()
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return
func.func @recursive(%c: i1, %a: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  "test.op"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  scf.if %c {
    func.call @recursive(%c, %x) : (i1, memref<4xf32>) -> ()
  }
  func.return
}

// Not all of its callers are known.
// CHECK-LABEL: func.func @named(%a: memref<4xf32>) {
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 16 : i64} : memref<16xi8>
// CHECK-NEXT:      %0 = arith.constant 0 : index
// CHECK-NEXT:      %x = memref.view %arena[%0][] : memref<16xi8> to memref<4xf32>
// CHECK-NEXT:      "test.op"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      func.return
func.func @named(%a: memref<4xf32>) {
  %x = memref.alloc() : memref<4xf32>
  "test.op"(%x, %a) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}
// CHECK-LABEL: func.func @names() {
// CHECK-NEXT:      "test.op"() {callee = @named} : () -> ()
// CHECK-NEXT:      func.return
func.func @names() {
  "test.op"() {callee = @named} : () -> ()
  func.return
}
