// RUN: xdsl-opt %s -p buffer-deallocation | filecheck %s

// A loop of blocks.
// CHECK-LABEL: func.func @blocks(
// CHECK:       ^bb1:
// CHECK-NEXT:    %0 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    memref.dealloc %0 : memref<2xf32>
// CHECK-NEXT:    cf.cond_br %c, ^bb1, ^bb2
func.func @blocks(%c: i1) {
  cf.br ^bb1
^bb1:
  %0 = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1, ^bb2
^bb2:
  func.return
}

// A loop of blocks that forwards memory of its own: the argument of the function is copied once.
// CHECK-LABEL: func.func @carried(
// CHECK-NEXT:    %0 = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    "memref.copy"(%m, %0)
// CHECK-NEXT:    cf.br ^bb1(%0 : memref<2xf32>)
// CHECK-NEXT:  ^bb1(%a: memref<2xf32>):
// CHECK-NEXT:    linalg.fill ins(%f : f32) outs(%a : memref<2xf32>)
// CHECK-NEXT:    memref.dealloc %a
// CHECK-NEXT:    %b = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    cf.cond_br %c, ^bb1(%b : memref<2xf32>), ^bb2
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    memref.dealloc %b
// CHECK-NEXT:    func.return
func.func @carried(%c: i1, %f: f32, %m: memref<2xf32>) {
  cf.br ^bb1(%m : memref<2xf32>)
^bb1(%a: memref<2xf32>):
  linalg.fill ins(%f : f32) outs(%a : memref<2xf32>)
  %b = memref.alloc() : memref<2xf32>
  cf.cond_br %c, ^bb1(%b : memref<2xf32>), ^bb2
^bb2:
  func.return
}
