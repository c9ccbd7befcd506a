// RUN: xdsl-opt %s --allow-unregistered-dialect -p ownership-based-buffer-deallocation | filecheck %s

// Whichever function is called, it returns memory of its own.
// CHECK-LABEL: func.func @indirect(
// CHECK:         %r = "func.call_indirect"(%f, %m) : ((memref<4xf32>) -> memref<4xf32>, memref<4xf32>) -> memref<4xf32>
// CHECK:         bufferization.dealloc (%r : memref<4xf32>) if (%{{.*}})
func.func @indirect(%f: (memref<4xf32>) -> memref<4xf32>, %m: memref<4xf32>, %i: index) -> f32 {
  %r = "func.call_indirect"(%f, %m) : ((memref<4xf32>) -> memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  %x = memref.load %r[%i] : memref<4xf32>
  func.return %x : f32
}

// CHECK-LABEL: func.func @returns_indirect(
// CHECK-NEXT:    %r = "func.call_indirect"(%f, %m) : ((memref<4xf32>) -> memref<4xf32>, memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:    func.return %r
func.func @returns_indirect(%f: (memref<4xf32>) -> memref<4xf32>, %m: memref<4xf32>) -> memref<4xf32> {
  %r = "func.call_indirect"(%f, %m) : ((memref<4xf32>) -> memref<4xf32>, memref<4xf32>) -> memref<4xf32>
  func.return %r : memref<4xf32>
}
