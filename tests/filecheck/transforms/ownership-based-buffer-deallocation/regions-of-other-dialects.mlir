// RUN: xdsl-opt %s -p ownership-based-buffer-deallocation --allow-unregistered-dialect | filecheck %s

// Each thread frees what it allocates; what all of them use is freed behind the launch.
// CHECK-LABEL: func.func @launch(
// CHECK:         "gpu.launch"
// CHECK:           %q = memref.alloc() : memref<4xf32>
// CHECK:           bufferization.dealloc (%q : memref<4xf32>) if
// CHECK-NEXT:      "gpu.terminator"() : () -> ()
// CHECK:         bufferization.dealloc (%m : memref<4xf32>) if
func.func @launch(%n: index, %x: f32) {
  %m = memref.alloc() : memref<4xf32>
  "gpu.launch"(%n, %n, %n, %n, %n, %n) <{operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0>}> ({
  ^bb0(%bx: index, %by: index, %bz: index, %tx: index, %ty: index, %tz: index, %gx: index, %gy: index, %gz: index, %sx: index, %sy: index, %sz: index):
    memref.store %x, %m[%bx] : memref<4xf32>
    %q = memref.alloc() : memref<4xf32>
    memref.store %x, %q[%tx] : memref<4xf32>
    "gpu.terminator"() : () -> ()
  }) {workgroup_attributions = 0 : i64} : (index, index, index, index, index, index) -> ()
  func.return
}

// CHECK-LABEL: func.func @assuming(
// CHECK:         %r = "shape.assuming"(%w) ({
// CHECK-NEXT:      %q = memref.alloc() : memref<4xf32>
// CHECK:           "shape.assuming_yield"(%q) : (memref<4xf32>) -> ()
// CHECK:         bufferization.dealloc (%r : memref<4xf32>) if
func.func @assuming(%w: !shape.witness, %x: f32, %i: index) -> f32 {
  %r = "shape.assuming"(%w) ({
    %q = memref.alloc() : memref<4xf32>
    memref.store %x, %q[%i] : memref<4xf32>
    "shape.assuming_yield"(%q) : (memref<4xf32>) -> ()
  }) : (!shape.witness) -> memref<4xf32>
  %y = memref.load %r[%i] : memref<4xf32>
  func.return %y : f32
}
