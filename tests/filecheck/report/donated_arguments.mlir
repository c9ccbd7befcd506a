// RUN: xdsl-opt %s -t bufferization-report | filecheck %s --match-full-lines
// RUN: xdsl-opt %s -p bufferize -t bufferization-report | filecheck %s --check-prefix BUFFERS --match-full-lines

func.func @in_place(%t: tensor<8xf32> {bufferize.aliasing_result = 0 : i64}, %f: f32, %i: index) -> tensor<8xf32> {
  %r = tensor.insert %f into %t[%i] : tensor<8xf32>
  func.return %r : tensor<8xf32>
}

func.func @moved(%t: tensor<8xf32> {bufferize.aliasing_result = 1 : i64}, %u: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  func.return %t, %u : tensor<8xf32>, tensor<8xf32>
}

// CHECK:      @in_place, {{.*}}donated_arguments.mlir:4:1
// CHECK-NEXT:   tensor operands: 2 in place, 0 out of place
// CHECK-NEXT:   buffers: 0
// CHECK-NEXT:   copies: 0
// CHECK-NEXT:   result 0 is in the memory of %t, as agreed
// CHECK-EMPTY:
// CHECK-NEXT: @moved, {{.*}}donated_arguments.mlir:9:1
// CHECK-NEXT:   peak: 32 bytes at func.return (line 10): %t
// CHECK-NEXT:   tensor operands: 3 in place, 0 out of place
// CHECK-NEXT:   buffers: 1, 32 bytes
// CHECK-NEXT:   copies: 2, 64 bytes, all may be avoidable
// CHECK-NEXT:   result 1 is in the memory of %t, as agreed
// CHECK-EMPTY:
// CHECK-NEXT: copy of %t (line 10), 32 bytes: callers free what func.return gives them, and this memory belongs to
// CHECK-NEXT: the argument %t [B009]
// CHECK-NEXT:   10 |   func.return %t, %u : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:      |               ^^ copied for this
// CHECK-NEXT:   unknown: that memory is donated for the other result.
// CHECK-NEXT:   tried: eliminate-copies has no rewrite that avoids it.
// CHECK-EMPTY:
// CHECK-NEXT: copy of %u (line 10), 32 bytes: func.func returns result #1 in the memory of %t, and it is in other
// CHECK-NEXT: memory [B008]
// CHECK-NEXT:    9 | func.func @moved(%t: tensor<8xf32> {bufferize.aliasing_result = 1 : i64}, %u: tensor<8xf32...
// CHECK-NEXT:      |                  ^^ the argument donated for it
// CHECK-NEXT:   10 |   func.return %t, %u : tensor<8xf32>, tensor<8xf32>
// CHECK-NEXT:      |                   ^^ copied for this
// CHECK-NEXT:   avoidable: Make what func.return hands over from %t, in place, once nothing reads %t any more.
// CHECK-EMPTY:
// CHECK-NEXT:   buffer  type           bytes  made for               output
// CHECK-NEXT:   %t      memref<8xf32>     32  func.return (line 10)  %0

// BUFFERS:      @in_place, line 2 ({{.*}}donated_arguments.mlir:4:1)
// BUFFERS-NEXT:   heap: 0
// BUFFERS-NEXT:   copies: 0
// BUFFERS-NEXT:   result 0 is in the memory of %t, as agreed
// BUFFERS-EMPTY:
// BUFFERS-NEXT: @moved, line 6 ({{.*}}donated_arguments.mlir:9:1)
// BUFFERS-NEXT:   peak: 32 bytes at memref.alloc (line 7): %0
// BUFFERS-NEXT:   heap: 1, 32 bytes
// BUFFERS-NEXT:   copies: 2, 64 bytes
// BUFFERS-NEXT:   result 1 is in the memory of %t, as agreed
// BUFFERS-EMPTY:
// BUFFERS-NEXT:   buffer  type           bytes  where  made    used    end
// BUFFERS-NEXT:   %0      memref<8xf32>     32  heap   line 7  line 8  returned
// BUFFERS-EMPTY:
// BUFFERS-NEXT:   copy of  to  bytes  by
// BUFFERS-NEXT:   %t       %0     32  memref.copy (line 8)
// BUFFERS-NEXT:   %u       %t     32  memref.copy (line 9)
