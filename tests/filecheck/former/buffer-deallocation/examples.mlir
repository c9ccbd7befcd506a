// RUN: xdsl-opt %s -p buffer-deallocation | filecheck %s

// The examples of MLIR's documentation of the pass; "use" there is a store or a fill here.

// The block argument owns either buffer. What is allocated before the branch is freed on the path
// that does not use it.
// CHECK-LABEL: func.func @branch(%arg0: i1, %f: f32, %i: index) {
// CHECK-NEXT:    %0 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    memref.dealloc %0 : memref<2xf32>
// CHECK-NEXT:    %1 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.br ^bb3(%1 : memref<2xf32>)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    memref.store %f, %0[%i] : memref<2xf32>
// CHECK-NEXT:    cf.br ^bb3(%0 : memref<2xf32>)
// CHECK-NEXT:  ^bb3(%2: memref<2xf32>):
// CHECK-NEXT:    memref.dealloc %2 : memref<2xf32>
// CHECK-NEXT:    func.return
func.func @branch(%arg0: i1, %f: f32, %i: index) {
  %0 = memref.alloc() : memref<2xf32>
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  %1 = memref.alloc() : memref<2xf32>
  cf.br ^bb3(%1 : memref<2xf32>)
^bb2:
  memref.store %f, %0[%i] : memref<2xf32>
  cf.br ^bb3(%0 : memref<2xf32>)
^bb3(%2: memref<2xf32>):
  func.return
}

// Before buffer-hoisting, the argument is copied; after it, %1 borrows either memory.
// CHECK-LABEL: func.func @condBranch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>, %f: f32) {
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %0 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    "memref.copy"(%arg1, %0) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:    cf.br ^bb3(%0 : memref<2xf32>)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %1 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%1 : memref<2xf32>)
// CHECK-NEXT:    cf.br ^bb3(%1 : memref<2xf32>)
// CHECK-NEXT:  ^bb3(%2: memref<2xf32>):
// CHECK-NEXT:    "memref.copy"(%2, %arg2) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:    memref.dealloc %2 : memref<2xf32>
// CHECK-NEXT:    func.return
func.func @condBranch(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>, %f: f32) {
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%arg1 : memref<2xf32>)
^bb2:
  %0 = memref.alloc() : memref<2xf32>
  linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
  cf.br ^bb3(%0 : memref<2xf32>)
^bb3(%1: memref<2xf32>):
  "memref.copy"(%1, %arg2) : (memref<2xf32>, memref<2xf32>) -> ()
  func.return
}

// CHECK-LABEL: func.func @condBranch_hoisted(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>, %f: f32) {
// CHECK-NEXT:    %0 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    cf.br ^bb3(%arg1 : memref<2xf32>)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
// CHECK-NEXT:    cf.br ^bb3(%0 : memref<2xf32>)
// CHECK-NEXT:  ^bb3(%1: memref<2xf32>):
// CHECK-NEXT:    "memref.copy"(%1, %arg2) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:    memref.dealloc %0 : memref<2xf32>
// CHECK-NEXT:    func.return
func.func @condBranch_hoisted(%arg0: i1, %arg1: memref<2xf32>, %arg2: memref<2xf32>, %f: f32) {
  %0 = memref.alloc() : memref<2xf32>
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  cf.br ^bb3(%arg1 : memref<2xf32>)
^bb2:
  linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
  cf.br ^bb3(%0 : memref<2xf32>)
^bb3(%1: memref<2xf32>):
  "memref.copy"(%1, %arg2) : (memref<2xf32>, memref<2xf32>) -> ()
  func.return
}

// Unknown sizes are those of what is copied.
// CHECK-LABEL: func.func @condBranchDynamicType(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index, %f: f32) {
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2(%arg3 : index)
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %arg1, %0 : memref<?xf32>
// CHECK-NEXT:    %2 = memref.alloc(%1) : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%arg1, %2) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    cf.br ^bb3(%2 : memref<?xf32>)
// CHECK-NEXT:  ^bb2(%3: index):
// CHECK-NEXT:    %4 = memref.alloc(%3) : memref<?xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%4 : memref<?xf32>)
// CHECK-NEXT:    cf.br ^bb3(%4 : memref<?xf32>)
// CHECK-NEXT:  ^bb3(%5: memref<?xf32>):
// CHECK-NEXT:    "memref.copy"(%5, %arg2) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    memref.dealloc %5 : memref<?xf32>
// CHECK-NEXT:    func.return
func.func @condBranchDynamicType(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index, %f: f32) {
  cf.cond_br %arg0, ^bb1, ^bb2(%arg3 : index)
^bb1:
  cf.br ^bb3(%arg1 : memref<?xf32>)
^bb2(%0: index):
  %1 = memref.alloc(%0) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%1 : memref<?xf32>)
  cf.br ^bb3(%1 : memref<?xf32>)
^bb3(%2: memref<?xf32>):
  "memref.copy"(%2, %arg2) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return
}

// Each block argument owns what is forwarded to it.
// CHECK-LABEL: func.func @condBranchDynamicTypeNested(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index, %f: f32) {
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2(%arg3 : index)
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %arg1, %0 : memref<?xf32>
// CHECK-NEXT:    %2 = memref.alloc(%1) : memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%arg1, %2) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    cf.br ^bb6(%2 : memref<?xf32>)
// CHECK-NEXT:  ^bb2(%3: index):
// CHECK-NEXT:    %4 = memref.alloc(%3) : memref<?xf32>
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%4 : memref<?xf32>)
// CHECK-NEXT:    cf.cond_br %arg0, ^bb3, ^bb4
// CHECK-NEXT:  ^bb3:
// CHECK-NEXT:    cf.br ^bb5(%4 : memref<?xf32>)
// CHECK-NEXT:  ^bb4:
// CHECK-NEXT:    cf.br ^bb5(%4 : memref<?xf32>)
// CHECK-NEXT:  ^bb5(%5: memref<?xf32>):
// CHECK-NEXT:    cf.br ^bb6(%5 : memref<?xf32>)
// CHECK-NEXT:  ^bb6(%6: memref<?xf32>):
// CHECK-NEXT:    cf.br ^bb7(%6 : memref<?xf32>)
// CHECK-NEXT:  ^bb7(%7: memref<?xf32>):
// CHECK-NEXT:    "memref.copy"(%7, %arg2) : (memref<?xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    memref.dealloc %7 : memref<?xf32>
// CHECK-NEXT:    func.return
func.func @condBranchDynamicTypeNested(%arg0: i1, %arg1: memref<?xf32>, %arg2: memref<?xf32>, %arg3: index, %f: f32) {
  cf.cond_br %arg0, ^bb1, ^bb2(%arg3 : index)
^bb1:
  cf.br ^bb6(%arg1 : memref<?xf32>)
^bb2(%0: index):
  %1 = memref.alloc(%0) : memref<?xf32>
  linalg.fill ins(%f : f32) outs(%1 : memref<?xf32>)
  cf.cond_br %arg0, ^bb3, ^bb4
^bb3:
  cf.br ^bb5(%1 : memref<?xf32>)
^bb4:
  cf.br ^bb5(%1 : memref<?xf32>)
^bb5(%2: memref<?xf32>):
  cf.br ^bb6(%2 : memref<?xf32>)
^bb6(%3: memref<?xf32>):
  cf.br ^bb7(%3 : memref<?xf32>)
^bb7(%4: memref<?xf32>):
  "memref.copy"(%4, %arg2) : (memref<?xf32>, memref<?xf32>) -> ()
  func.return
}

// What is on the stack frees itself: %2 borrows either memory.
// CHECK-LABEL: func.func @mixedAllocation(%arg0: i1, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:    %0 = memref.alloca() : memref<2xf32>
// CHECK-NEXT:    %1 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.cond_br %arg0, ^bb1, ^bb2
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
// CHECK-NEXT:    cf.br ^bb3(%0 : memref<2xf32>)
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%1 : memref<2xf32>)
// CHECK-NEXT:    cf.br ^bb3(%1 : memref<2xf32>)
// CHECK-NEXT:  ^bb3(%2: memref<2xf32>):
// CHECK-NEXT:    %x = memref.load %2[%i] : memref<2xf32>
// CHECK-NEXT:    memref.dealloc %1 : memref<2xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @mixedAllocation(%arg0: i1, %f: f32, %i: index) -> f32 {
  %0 = memref.alloca() : memref<2xf32>
  %1 = memref.alloc() : memref<2xf32>
  cf.cond_br %arg0, ^bb1, ^bb2
^bb1:
  linalg.fill ins(%f : f32) outs(%0 : memref<2xf32>)
  cf.br ^bb3(%0 : memref<2xf32>)
^bb2:
  linalg.fill ins(%f : f32) outs(%1 : memref<2xf32>)
  cf.br ^bb3(%1 : memref<2xf32>)
^bb3(%2: memref<2xf32>):
  %x = memref.load %2[%i] : memref<2xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @nested_region_control_flow(%arg0: index, %arg1: index, %f: f32) -> memref<?x?xf32> {
// CHECK-NEXT:    %0 = arith.cmpi eq, %arg0, %arg1 : index
// CHECK-NEXT:    %1 = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
// CHECK-NEXT:    %2 = scf.if %0 -> (memref<?x?xf32>) {
// CHECK-NEXT:      scf.yield %1 : memref<?x?xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %3 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%3 : memref<?x?xf32>)
// CHECK-NEXT:      memref.dealloc %3 : memref<?x?xf32>
// CHECK-NEXT:      scf.yield %1 : memref<?x?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %1 : memref<?x?xf32>
func.func @nested_region_control_flow(%arg0: index, %arg1: index, %f: f32) -> memref<?x?xf32> {
  %0 = arith.cmpi eq, %arg0, %arg1 : index
  %1 = memref.alloc(%arg0, %arg0) : memref<?x?xf32>
  %2 = scf.if %0 -> (memref<?x?xf32>) {
    scf.yield %1 : memref<?x?xf32>
  } else {
    %3 = memref.alloc(%arg0, %arg1) : memref<?x?xf32>
    linalg.fill ins(%f : f32) outs(%3 : memref<?x?xf32>)
    scf.yield %1 : memref<?x?xf32>
  }
  func.return %2 : memref<?x?xf32>
}

// Each run of the loop frees what it is given.
// CHECK-LABEL: func.func @loop_nested_if(%lb: index, %ub: index, %step: index, %buf: memref<2xf32>, %res: memref<2xf32>, %f: f32) {
// CHECK-NEXT:    %0 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    "memref.copy"(%buf, %0) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:    %1 = scf.for %i = %lb to %ub step %step iter_args(%iterBuf = %0) -> (memref<2xf32>) {
// CHECK-NEXT:      %2 = arith.cmpi eq, %i, %ub : index
// CHECK-NEXT:      %3 = scf.if %2 -> (memref<2xf32>) {
// CHECK-NEXT:        %4 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        linalg.fill ins(%f : f32) outs(%4 : memref<2xf32>)
// CHECK-NEXT:        scf.yield %4 : memref<2xf32>
// CHECK-NEXT:      } else {
// CHECK-NEXT:        %5 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:        "memref.copy"(%iterBuf, %5) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:        scf.yield %5 : memref<2xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      memref.dealloc %iterBuf : memref<2xf32>
// CHECK-NEXT:      scf.yield %3 : memref<2xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    "memref.copy"(%1, %res) : (memref<2xf32>, memref<2xf32>) -> ()
// CHECK-NEXT:    memref.dealloc %1 : memref<2xf32>
// CHECK-NEXT:    func.return
func.func @loop_nested_if(%lb: index, %ub: index, %step: index, %buf: memref<2xf32>, %res: memref<2xf32>, %f: f32) {
  %0 = scf.for %i = %lb to %ub step %step iter_args(%iterBuf = %buf) -> (memref<2xf32>) {
    %1 = arith.cmpi eq, %i, %ub : index
    %2 = scf.if %1 -> (memref<2xf32>) {
      %3 = memref.alloc() : memref<2xf32>
      linalg.fill ins(%f : f32) outs(%3 : memref<2xf32>)
      scf.yield %3 : memref<2xf32>
    } else {
      scf.yield %iterBuf : memref<2xf32>
    }
    scf.yield %2 : memref<2xf32>
  }
  "memref.copy"(%0, %res) : (memref<2xf32>, memref<2xf32>) -> ()
  func.return
}
