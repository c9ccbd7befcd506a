// RUN: xdsl-opt -t 'bufferization-report{eliminate-copies=false}' %s | filecheck %s --match-full-lines
// RUN: xdsl-opt -t 'bufferization-report{eliminate-copies=false}' < %s | filecheck %s --check-prefix STDIN

func.func @loop(%t: tensor<8xf32>, %n: index, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.for %i = %c0 to %n step %c1 iter_args(%s = %zero) -> (f32) {
    %set = tensor.insert %x into %t[%i] : tensor<8xf32>
    %r = func.call @first(%set) : (tensor<8xf32>) -> f32
    %q = arith.addf %s, %r : f32
    scf.yield %q : f32
  }
  func.return %sum : f32
}
func.func private @first(%t: tensor<8xf32>) -> f32 {
  %c0 = arith.constant 0 : index
  %v = tensor.extract %t[%c0] : tensor<8xf32>
  func.return %v : f32
}
func.func @square(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
                     outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}
func.func @constant(%x: f32, %i: index) -> tensor<4xf32> {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %r = tensor.insert %x into %c[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func @both(%a: tensor<?xf32>, %x: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {
  %r = tensor.insert %x into %a[%i] : tensor<?xf32>
  func.return %a, %r : tensor<?xf32>, tensor<?xf32>
}
func.func @swap(%a: tensor<8xf32>, %b: tensor<8xf32>, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%p = %a, %q = %b) -> (tensor<8xf32>, tensor<8xf32>) {
    scf.yield %q, %p : tensor<8xf32>, tensor<8xf32>
  }
  func.return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
}
func.func @slice(%a: tensor<8xf32>, %b: tensor<4xf32>, %x: f32) -> (tensor<8xf32>, tensor<4xf32>) {
  %f = linalg.fill ins(%x : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  %r = tensor.insert_slice %f into %a[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
  func.return %r, %f : tensor<8xf32>, tensor<4xf32>
}
func.func @depends(%t: tensor<8xf32>, %i: index, %x: f32) -> f32 {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32>
  %a = tensor.extract %set[%i] : tensor<8xf32>
  %k = arith.fptoui %a : f32 to i32
  %j = arith.index_cast %k : i32 to index
  %v = tensor.extract %t[%j] : tensor<8xf32>
  func.return %v : f32
}
func.func @splat(%x: f32, %i: index) -> tensor<4xf32> {
  %c = arith.constant dense<1.0> : tensor<4xf32>
  %r = tensor.insert %x into %c[%i] : tensor<4xf32>
  func.return %r : tensor<4xf32>
}
func.func @joined(%a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<4xf32> {
  %r = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// CHECK:      @loop, {{.*}}tensors.mlir:4:1
// CHECK-NEXT:   peak: 32 bytes at tensor.insert (line 9): %set
// CHECK-NEXT:   tensor operands: 1 in place, 1 out of place
// CHECK-NEXT:   buffers: 1, 32 bytes
// CHECK-NEXT:   copies: 1, 32 bytes, all may be avoidable; loops of unknown length count once
// CHECK-EMPTY:
// CHECK-NEXT: copy of %t (line 9), 32 bytes, in each run of scf.for (line 8): tensor.insert would write it in
// CHECK-NEXT: place, but reads it again in the next run of scf.for (line 8) [B002]
// CHECK-NEXT:   4 | func.func @loop(%t: tensor<8xf32>, %n: index, %x: f32) -> f32 {
// CHECK-NEXT:     |                 ^^ the contents come from here
// CHECK-NEXT:   . |
// CHECK-NEXT:   9 |     %set = tensor.insert %x into %t[%i] : tensor<8xf32>
// CHECK-NEXT:     |                                  ^^ copied for this
// CHECK-NEXT:   avoidable: If runs of scf.for (line 8) may build on each other, make %t an init of the loop, use
// CHECK-NEXT:             the region's argument in its place, and yield what is written. If each run needs the
// CHECK-NEXT:             contents from before the loop and writes few of them, take these with
// CHECK-NEXT:             tensor.extract_slice, and write the slice.
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type           bytes  made for
// CHECK-NEXT:   %set    memref<8xf32>     32  tensor.insert (line 9)
// CHECK-EMPTY:
// CHECK-NEXT: @first, {{.*}}tensors.mlir:16:1
// CHECK-NEXT:   tensor operands: 1 in place, 0 out of place
// CHECK-NEXT:   buffers: 0
// CHECK-NEXT:   copies: 0
// CHECK-EMPTY:
// CHECK-NEXT: @square, {{.*}}tensors.mlir:21:1
// CHECK-NEXT:   peak: 64 bytes at linalg.matmul (line 22): %r
// CHECK-NEXT:   tensor operands: 3 in place, 1 out of place
// CHECK-NEXT:   buffers: 1, 64 bytes
// CHECK-NEXT:   copies: 1, 64 bytes, at least 64 of them forced
// CHECK-EMPTY:
// CHECK-NEXT: copy of %a (line 23), 64 bytes: linalg.matmul would write it in place while it still reads it as
// CHECK-NEXT: operand #0 [B003]
// CHECK-NEXT:   21 | func.func @square(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
// CHECK-NEXT:      |                   ^^ the contents come from here
// CHECK-NEXT:   22 |   %r = linalg.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>)
// CHECK-NEXT:      |                          ^^ still read here
// CHECK-NEXT:   23 |                      outs(%a : tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NEXT:      |                           ^^ copied for this
// CHECK-NEXT:   forced: linalg.matmul changes it while it still needs it as it was.
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type             bytes  made for
// CHECK-NEXT:   %r      memref<4x4xf32>     64  linalg.matmul (line 23)
// CHECK-EMPTY:
// CHECK-NEXT: @constant, {{.*}}tensors.mlir:26:1
// CHECK-NEXT:   peak: 16 bytes at tensor.insert (line 28): %r
// CHECK-NEXT:   tensor operands: 1 in place, 1 out of place
// CHECK-NEXT:   buffers: 1, 16 bytes
// CHECK-NEXT:   copies: 1, 16 bytes, at least 12 of them forced
// CHECK-EMPTY:
// CHECK-NEXT: copy of %c (line 28), 16 bytes: tensor.insert writes it, and the memory of %c from arith.constant
// CHECK-NEXT: (line 27) must not be written [B004]
// CHECK-NEXT:   27 |   %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
// CHECK-NEXT:      |        ^^^^^^^^^^^^^^ the memory comes from here
// CHECK-NEXT:   28 |   %r = tensor.insert %x into %c[%i] : tensor<4xf32>
// CHECK-NEXT:      |                              ^^ copied for this
// CHECK-NEXT:   forced: tensor.insert changes it, and its memory must not be written.
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type           bytes  made for
// CHECK-NEXT:   %r      memref<4xf32>     16  tensor.insert (line 28)
// CHECK-EMPTY:
// CHECK-NEXT: @both, {{.*}}tensors.mlir:31:1
// CHECK-NEXT:   peak: 8*%a.0 bytes at func.return (line 33)
// CHECK-NEXT:     at the peak   bytes  made by                  needed until
// CHECK-NEXT:     %r           4*%a.0  tensor.insert (line 32)  tensor.insert (line 32), returned
// CHECK-NEXT:     %a           4*%a.0  func.return (line 33)    func.return (line 33), returned
// CHECK-NEXT:     33 |   func.return %a, %r : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:        |   ^^^^^^^^^^^ the peak
// CHECK-NEXT:   help: If callers do not need %a any more, donate it, with the attribute bufferize.aliasing_result
// CHECK-NEXT:         = 0 on that argument: 4*%a.0 bytes less copied, 4*%a.0 bytes less at the peak.
// CHECK-EMPTY:
// CHECK-NEXT:   tensor operands: 2 in place, 1 out of place
// CHECK-NEXT:   buffers: 2, 8*%a.0 bytes
// CHECK-NEXT:   copies: 2, 8*%a.0 bytes
// CHECK-EMPTY:
// CHECK-NEXT: copy of %a (line 32), 4*%a.0 bytes: tensor.insert would write it in place, but func.return (line 33)
// CHECK-NEXT: still reads it [B001]
// CHECK-NEXT:   31 | func.func @both(%a: tensor<?xf32>, %x: f32, %i: index) -> (tensor<?xf32>, tensor<?xf32>) {
// CHECK-NEXT:      |                 ^^ the contents come from here
// CHECK-NEXT:   32 |   %r = tensor.insert %x into %a[%i] : tensor<?xf32>
// CHECK-NEXT:      |                              ^^ copied for this
// CHECK-NEXT:   33 |   func.return %a, %r : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:      |               ^^ still read here
// CHECK-NEXT:   forced: tensor.insert changes it, and func.return needs it as it was, in whatever order.
// CHECK-EMPTY:
// CHECK-NEXT: copy of %a (line 33), 4*%a.0 bytes: callers free what func.return gives them, and this memory
// CHECK-NEXT: belongs to the argument %a [B009]
// CHECK-NEXT:   33 |   func.return %a, %r : tensor<?xf32>, tensor<?xf32>
// CHECK-NEXT:      |               ^^ copied for this
// CHECK-NEXT:   avoidable: a function may return memory that its caller owns, if they agree.
// CHECK-NEXT:   help: If callers do not need %a any more, donate it, with the attribute bufferize.aliasing_result
// CHECK-NEXT:         = 0 on that argument: 4*%a.0 bytes less copied, 4*%a.0 bytes less at the peak.
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type            bytes  made for                 output
// CHECK-NEXT:   %r      memref<?xf32>  4*%a.0  tensor.insert (line 32)  %r
// CHECK-NEXT:   %a      memref<?xf32>  4*%a.0  func.return (line 33)    %4
// CHECK-EMPTY:
// CHECK-NEXT: @swap, {{.*}}tensors.mlir:35:1
// CHECK-NEXT:   peak: 64 bytes at func.return (line 41)
// CHECK-NEXT:     at the peak  bytes  made by                needed until
// CHECK-NEXT:     %r#0            32  func.return (line 41)  func.return (line 41), returned
// CHECK-NEXT:     %r#1            32  func.return (line 41)  func.return (line 41), returned
// CHECK-NEXT:     41 |   func.return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:        |   ^^^^^^^^^^^ the peak
// CHECK-NEXT:   help: If callers do not need %a any more, donate it, with the attribute bufferize.aliasing_result
// CHECK-NEXT:         = 0 on that argument: 32 bytes less at the peak.
// CHECK-EMPTY:
// CHECK-NEXT:   tensor operands: 6 in place, 0 out of place
// CHECK-NEXT:   buffers: 2, 64 bytes
// CHECK-NEXT:   copies: 2, 64 bytes, all may be avoidable
// CHECK-EMPTY:
// CHECK-NEXT: copy of %r#0 (line 41), 32 bytes: callers free what func.return gives them, and this memory may be
// CHECK-NEXT: theirs already, or the program's [B009]
// CHECK-NEXT:   41 |   func.return %r#0, %r#1 : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:      |               ^^^^ copied for this
// CHECK-NEXT:   avoidable: a function may return memory that its caller owns, if they agree.
// CHECK-NEXT:   1 more like this one: %r#1 (line 41)
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type           bytes  made for               output
// CHECK-NEXT:   %r#0    memref<8xf32>     32  func.return (line 41)  %0
// CHECK-NEXT:   %r#1    memref<8xf32>     32  func.return (line 41)  %2
// CHECK-EMPTY:
// CHECK-NEXT: @slice, {{.*}}tensors.mlir:43:1
// CHECK-NEXT:   peak: 48 bytes at func.return (line 46)
// CHECK-NEXT:     at the peak  bytes  made by                needed until
// CHECK-NEXT:     %r              32  func.return (line 46)  func.return (line 46), returned
// CHECK-NEXT:     %f              16  func.return (line 46)  func.return (line 46), returned
// CHECK-NEXT:     46 |   func.return %r, %f : tensor<8xf32>, tensor<4xf32>
// CHECK-NEXT:        |   ^^^^^^^^^^^ the peak
// CHECK-NEXT:   help: If callers do not need %a, %b any more, donate them, with the attribute
// CHECK-NEXT:         bufferize.aliasing_result = 0 on %a, = 1 on %b: 48 bytes less copied, 48 bytes less at the
// CHECK-NEXT:         peak.
// CHECK-EMPTY:
// CHECK-NEXT:   tensor operands: 5 in place, 0 out of place
// CHECK-NEXT:   buffers: 2, 48 bytes
// CHECK-NEXT:   copies: 3, 64 bytes, all may be avoidable
// CHECK-NEXT:     2, 48 bytes: callers free what func.return gives them, and this memory belongs to the argument
// CHECK-NEXT:       %...
// CHECK-NEXT:     1, 16 bytes: tensor.insert_slice puts it into another buffer
// CHECK-EMPTY:
// CHECK-NEXT: copy of %r (line 46), 32 bytes: callers free what func.return gives them, and this memory belongs to
// CHECK-NEXT: the argument %a [B009]
// CHECK-NEXT:   46 |   func.return %r, %f : tensor<8xf32>, tensor<4xf32>
// CHECK-NEXT:      |               ^^ copied for this
// CHECK-NEXT:   avoidable: a function may return memory that its caller owns, if they agree.
// CHECK-NEXT:   help: If callers do not need %a, %b any more, donate them, with the attribute
// CHECK-NEXT:         bufferize.aliasing_result = 0 on %a, = 1 on %b: 48 bytes less copied, 48 bytes less at the
// CHECK-NEXT:         peak.
// CHECK-NEXT:   help: If callers do not need %a any more, donate it, with the attribute bufferize.aliasing_result
// CHECK-NEXT:         = 0 on that argument: 32 bytes less copied, 32 bytes less at the peak.
// CHECK-EMPTY:
// CHECK-NEXT: copy of %f (line 45), 16 bytes: tensor.insert_slice puts it into another buffer [B011]
// CHECK-NEXT:   45 |   %r = tensor.insert_slice %f into %a[2] [4] [1] : tensor<4xf32> into tensor<8xf32>
// CHECK-NEXT:      |                            ^^ copied for this
// CHECK-NEXT:   avoidable: it can be computed where tensor.insert_slice puts it.
// CHECK-NEXT:   help: Set eliminate-copies=true: 16 bytes less copied.
// CHECK-NEXT:   help: Compute the source where it is inserted: give linalg.fill a tensor.extract_slice of the
// CHECK-NEXT:         destination, of the same place and sizes, as its destination.
// CHECK-EMPTY:
// CHECK-NEXT: copy of %f (line 46), 16 bytes: callers free what func.return gives them, and this memory belongs to
// CHECK-NEXT: the argument %b [B009]
// CHECK-NEXT:   46 |   func.return %r, %f : tensor<8xf32>, tensor<4xf32>
// CHECK-NEXT:      |                   ^^ copied for this
// CHECK-NEXT:   avoidable: a function may return memory that its caller owns, if they agree.
// CHECK-NEXT:   help: If callers do not need %a, %b any more, donate them, with the attribute
// CHECK-NEXT:         bufferize.aliasing_result = 0 on %a, = 1 on %b: 48 bytes less copied, 48 bytes less at the
// CHECK-NEXT:         peak.
// CHECK-NEXT:   help: If callers do not need %b any more, donate it, with the attribute bufferize.aliasing_result
// CHECK-NEXT:         = 1 on that argument: 16 bytes less copied, 16 bytes less at the peak.
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type           bytes  made for               output
// CHECK-NEXT:   %r      memref<8xf32>     32  func.return (line 46)  %1
// CHECK-NEXT:   %f      memref<4xf32>     16  func.return (line 46)  %3
// CHECK-EMPTY:
// CHECK-NEXT: @depends, {{.*}}tensors.mlir:48:1
// CHECK-NEXT:   peak: 32 bytes at tensor.insert (line 49): %set
// CHECK-NEXT:   tensor operands: 2 in place, 1 out of place
// CHECK-NEXT:   buffers: 1, 32 bytes
// CHECK-NEXT:   copies: 1, 32 bytes, all may be avoidable
// CHECK-EMPTY:
// CHECK-NEXT: copy of %t (line 49), 32 bytes: tensor.insert would write it in place, but tensor.extract (line 53)
// CHECK-NEXT: still reads it [B001]
// CHECK-NEXT:   48 | func.func @depends(%t: tensor<8xf32>, %i: index, %x: f32) -> f32 {
// CHECK-NEXT:      |                    ^^ the contents come from here
// CHECK-NEXT:   49 |   %set = tensor.insert %x into %t[%i] : tensor<8xf32>
// CHECK-NEXT:      |                                ^^ copied for this
// CHECK-NEXT:   .. |
// CHECK-NEXT:   53 |   %v = tensor.extract %t[%j] : tensor<8xf32>
// CHECK-NEXT:      |                       ^^ still read here
// CHECK-NEXT:   unknown: tensor.extract (line 53) needs the contents that tensor.insert (line 49) overwrites, and
// CHECK-NEXT:            cannot run before it.
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type           bytes  made for
// CHECK-NEXT:   %set    memref<8xf32>     32  tensor.insert (line 49)
// CHECK-EMPTY:
// CHECK-NEXT: @splat, {{.*}}tensors.mlir:56:1
// CHECK-NEXT:   peak: 16 bytes at tensor.insert (line 58): %r
// CHECK-NEXT:   tensor operands: 1 in place, 1 out of place
// CHECK-NEXT:   buffers: 1, 16 bytes
// CHECK-NEXT:   copies: 1, 16 bytes, all may be avoidable
// CHECK-EMPTY:
// CHECK-NEXT: copy of %c (line 58), 16 bytes: tensor.insert writes it, and the memory of %c from arith.constant
// CHECK-NEXT: (line 57) must not be written [B004]
// CHECK-NEXT:   57 |   %c = arith.constant dense<1.0> : tensor<4xf32>
// CHECK-NEXT:      |        ^^^^^^^^^^^^^^ the memory comes from here
// CHECK-NEXT:   58 |   %r = tensor.insert %x into %c[%i] : tensor<4xf32>
// CHECK-NEXT:      |                              ^^ copied for this
// CHECK-NEXT:   avoidable: what arith.constant computes is cheap to compute again.
// CHECK-NEXT:   help: Set eliminate-copies=true: 16 bytes less copied.
// CHECK-NEXT:   help: All elements of %c are the same: start from linalg.fill of tensor.empty, which writes what
// CHECK-NEXT:         the copy would.
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type           bytes  made for
// CHECK-NEXT:   %r      memref<4xf32>     16  tensor.insert (line 58)
// CHECK-EMPTY:
// CHECK-NEXT: @joined, {{.*}}tensors.mlir:61:1
// CHECK-NEXT:   peak: 16 bytes at tensor.concat (line 62): %r
// CHECK-NEXT:   tensor operands: 3 in place, 0 out of place
// CHECK-NEXT:   buffers: 1, 16 bytes
// CHECK-NEXT:   copies: 2, 16 bytes, at least 16 of them forced
// CHECK-EMPTY:
// CHECK-NEXT: copy of %a (line 62), 8 bytes: tensor.concat puts it into another buffer [B011]
// CHECK-NEXT:   62 |   %r = tensor.concat dim(0) %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<4xf32>
// CHECK-NEXT:      |                             ^^ copied for this
// CHECK-NEXT:   forced: tensor.concat needs room around its operand, and the caller's memory has none.
// CHECK-NEXT:   1 more like this one: %b (line 62)
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type           bytes  made for
// CHECK-NEXT:   %r      memref<4xf32>     16  tensor.concat (line 62)

// STDIN:      @loop, stdin:4:1
// STDIN:        9 |     %set = tensor.insert %x into %t[%i] : tensor<8xf32>
