// xDSL has no memref.assume_alignment before 0.72.
// REQUIRES: xdsl-0.72
// RUN: xdsl-opt %s -p copy-removal | filecheck %s

// More is known of the one's alignment than of the other one's.
// CHECK-LABEL: func.func @alignment(
// CHECK:         "memref.copy"(
func.func @alignment(%o: memref<4xf32>, %f: f32) {
  %s = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
  %a = "memref.assume_alignment"(%s) <{alignment = 64 : i32}> : (memref<4xf32>) -> memref<4xf32>
  linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
  "memref.copy"(%s, %o) : (memref<4xf32>, memref<4xf32>) -> ()
  func.return
}
