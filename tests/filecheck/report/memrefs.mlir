// RUN: xdsl-opt -t bufferization-report %s | filecheck %s

func.func @two(%x: f32, %i: index) -> f32 {
  %a = memref.alloc() : memref<64xf32>
  memref.store %x, %a[%i] : memref<64xf32>
  %b = memref.alloc() : memref<32xf32>
  %s = memref.alloca() : memref<4xf32>
  memref.store %x, %s[%i] : memref<4xf32>
  %c = memref.alloc() : memref<64xf32>
  "memref.copy"(%a, %c) : (memref<64xf32>, memref<64xf32>) -> ()
  memref.store %x, %b[%i] : memref<32xf32>
  %v = memref.load %c[%i] : memref<64xf32>
  memref.dealloc %a : memref<64xf32>
  memref.dealloc %b : memref<32xf32>
  memref.dealloc %c : memref<64xf32>
  func.return %v : f32
}
func.func @leaks(%n: index, %x: f32) -> memref<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %a = memref.alloc() : memref<8xf32>
    memref.store %x, %a[%c0] : memref<8xf32>
  }
  %r = memref.alloc(%n) : memref<?xf32>
  func.return %r : memref<?xf32>
}

// CHECK:      @two, {{.*}}memrefs.mlir:3:1
// CHECK-NEXT:   peak: 640 bytes at memref.alloc (line 9)
// CHECK-NEXT:     at the peak  bytes  made by                needed until
// CHECK-NEXT:     %a             256  memref.alloc (line 4)  memref.copy (line 10)
// CHECK-NEXT:     %c             256  memref.alloc (line 9)  memref.load (line 12)
// CHECK-NEXT:     %b             128  memref.alloc (line 6)  memref.store (line 11)
// CHECK-NEXT:     9 |   %c = memref.alloc() : memref<64xf32>
// CHECK-NEXT:       |        ^^^^^^^^^^^^ the peak
// CHECK-NEXT:   help: 512 bytes are enough, 128 less, if each buffer is made before its first use and freed after
// CHECK-NEXT:         its last: plan-static-memory plans an arena like that.
// CHECK-NEXT:   peak of the stack: 16 bytes at memref.alloca (line 7): %s
// CHECK-EMPTY:
// CHECK-NEXT:   heap: 3, 640 bytes
// CHECK-NEXT:   stack: 1, 16 bytes
// CHECK-NEXT:   copies: 1, 256 bytes
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type            bytes  where  made    used      end
// CHECK-NEXT:   %a      memref<64xf32>    256  heap   line 4  5 to 10   freed in line 13
// CHECK-NEXT:   %b      memref<32xf32>    128  heap   line 6  line 11   freed in line 14
// CHECK-NEXT:   %s      memref<4xf32>      16  stack  line 7  line 8    freed with the stack
// CHECK-NEXT:   %c      memref<64xf32>    256  heap   line 9  10 to 12  freed in line 15
// CHECK-EMPTY:
// CHECK-NEXT:   copy of  to  bytes  by
// CHECK-NEXT:   %a       %c    256  memref.copy (line 10)
// CHECK-EMPTY:
// CHECK-NEXT: @leaks, {{.*}}memrefs.mlir:18:1
// CHECK-NEXT:   peak: 4*%n + 32 bytes or more at memref.alloc (line 25)
// CHECK-NEXT:     at the peak  bytes  made by                 needed until
// CHECK-NEXT:     %r            4*%n  memref.alloc (line 25)  returned
// CHECK-NEXT:     %a              32  memref.alloc (line 22)  memref.store (line 23), never freed; not in use at
// CHECK-NEXT:                                                 the peak
// CHECK-NEXT:     25 |   %r = memref.alloc(%n) : memref<?xf32>
// CHECK-NEXT:        |        ^^^^^^^^^^^^ the peak
// CHECK-NEXT:   help: The report on the program before bufferize, if it has tensors there, tries donations,
// CHECK-NEXT:         options and passes.
// CHECK-EMPTY:
// CHECK-NEXT:   heap: 2, 4*%n + 32 bytes
// CHECK-NEXT:   copies: 0
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type           bytes  where  made                       used     end
// CHECK-NEXT:   %a      memref<8xf32>     32  heap   line 22 in scf.for (line   line 23  never freed, one more in
// CHECK-NEXT:                                        21)                                 each run
// CHECK-NEXT:   %r      memref<?xf32>   4*%n  heap   line 25                    never    returned
