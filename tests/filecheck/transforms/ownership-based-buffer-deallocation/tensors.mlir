// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation --allow-unregistered-dialect | filecheck %s
// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation --allow-unregistered-dialect 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK

func.func private @consume(memref<4xf32>)

// Memory is freed behind the last op that uses a tensor of it, or a tensor or a memref that
// is made of such a tensor.
// CHECK-LABEL: func.func @used(
// CHECK:         func.call @consume(%b)
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xf32>) if
// CHECK-NEXT:    func.call @consume(%n)
func.func @used(%n: memref<4xf32>) {
  %m = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %x = math.exp %t : tensor<4xf32>
  %y = "some.op"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %b = bufferization.to_buffer %y : tensor<4xf32> to memref<4xf32>
  func.call @consume(%b) : (memref<4xf32>) -> ()
  func.call @consume(%n) : (memref<4xf32>) -> ()
  func.return
}

// What is returned is the memory, or that of another op, which is copied.
// CHECK-LABEL: func.func @returned(
// CHECK:         %{{.*}} = bufferization.dealloc (%m : memref<4xf32>) if (%{{.*}}) retain (%b : memref<4xf32>)
// CHECK-NEXT:    %{{.*}} = scf.if
// CHECK:           bufferization.clone %b
func.func @returned() -> memref<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %x = "some.op"(%t) : (tensor<4xf32>) -> tensor<4xf32>
  %b = bufferization.to_buffer %x : tensor<4xf32> to memref<4xf32>
  func.return %b : memref<4xf32>
}

// In a loop, the memory of an iteration is freed in it.
// CHECK-LABEL: func.func @loop(
// CHECK:         "some.op"(%t)
// CHECK-NEXT:    bufferization.dealloc (%m : memref<4xf32>) if
// CHECK-NEXT:  }
func.func @loop(%l: index, %u: index, %s: index) {
  scf.for %i = %l to %u step %s {
    %m = memref.alloc() : memref<4xf32>
    %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
    "some.op"(%t) : (tensor<4xf32>) -> ()
  }
  func.return
}

// Memory whose tensors are handed over is left to the program. mlir-opt frees it in front of
// the return.
// CHECK-LABEL: func.func @lost(
// CHECK-NOT:     dealloc
// CHECK:         func.return %t : tensor<4xf32>
// REMARK:      remark: 'memref.alloc' is left to the program: nothing frees it here, because tensors of its memory are handed over
// REMARK-NEXT:   at: {{.*}}: in @lost
// REMARK-NEXT:   {{[0-9]+}} | {{.*}}memref.alloc
// REMARK-NEXT:   |
// REMARK-NEXT:   a tensor goes: {{.*}}: in @lost
// REMARK-NEXT:   {{[0-9]+}} | {{.*}}func.return %t
// REMARK-NEXT:   |
// REMARK-NEXT:   hint: bufferize that op, too, to have the memory freed
func.func @lost() -> tensor<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  func.return %t : tensor<4xf32>
}

// What an op makes of a tensor, and is no tensor, may point to its memory.
// CHECK-LABEL: func.func @pointer(
// CHECK-NOT:     dealloc
// CHECK:         func.return
// REMARK:      remark: 'memref.alloc' is left to the program
// REMARK-NEXT:   at: {{.*}}: in @pointer
// REMARK:        a tensor goes: {{.*}}: in @pointer
// REMARK-NEXT:   {{[0-9]+}} | {{.*}}some.pointer
func.func @pointer() {
  %m = memref.alloc() : memref<4xf32>
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %p = "some.pointer"(%t) : (tensor<4xf32>) -> !some.pointer
  "some.use"(%p) : (!some.pointer) -> ()
  func.return
}

// An argument is not owned, whatever becomes of its tensors.
// CHECK-LABEL: func.func @lost_argument(
// CHECK:         %{{.*}} = bufferization.clone %m
// REMARK-NOT:  remark
func.func @lost_argument(%m: memref<4xf32>, %c: i1, %u: tensor<4xf32>) -> memref<4xf32> {
  %t = bufferization.to_tensor %m : memref<4xf32> to tensor<4xf32>
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %t : tensor<4xf32>
  } else {
    scf.yield %u : tensor<4xf32>
  }
  "some.op"(%r) : (tensor<4xf32>) -> ()
  func.return %m : memref<4xf32>
}
