// RUN: xdsl-opt %s -p convert-bufferization-to-memref | filecheck %s

// CHECK-LABEL: func.func @static(%m: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %c = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    memref.dealloc %m : memref<4xf32>
// CHECK-NEXT:    func.return %c : memref<4xf32>
func.func @static(%m: memref<4xf32>) -> memref<4xf32> {
  %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
  memref.dealloc %m : memref<4xf32>
  func.return %c : memref<4xf32>
}

// CHECK-LABEL: func.func @dynamic(%m: memref<?x4x?xf32>) -> memref<?x4x?xf32> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?x4x?xf32>
// CHECK-NEXT:    %2 = arith.constant 2 : index
// CHECK-NEXT:    %3 = memref.dim %m, %2 : memref<?x4x?xf32>
// CHECK-NEXT:    %c = memref.alloc(%1, %3) : memref<?x4x?xf32>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<?x4x?xf32>, memref<?x4x?xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<?x4x?xf32>
func.func @dynamic(%m: memref<?x4x?xf32>) -> memref<?x4x?xf32> {
  %c = bufferization.clone %m : memref<?x4x?xf32> to memref<?x4x?xf32>
  func.return %c : memref<?x4x?xf32>
}

// CHECK-LABEL: func.func @no_dimensions(%m: memref<f32>) -> memref<f32> {
// CHECK-NEXT:    %c = memref.alloc() : memref<f32>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<f32>, memref<f32>) -> ()
// CHECK-NEXT:    func.return %c : memref<f32>
func.func @no_dimensions(%m: memref<f32>) -> memref<f32> {
  %c = bufferization.clone %m : memref<f32> to memref<f32>
  func.return %c : memref<f32>
}

// CHECK-LABEL: func.func @memory_space(%m: memref<?xf32, 1 : i64>) -> memref<?xf32, 1 : i64> {
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = memref.dim %m, %0 : memref<?xf32, 1 : i64>
// CHECK-NEXT:    %c = memref.alloc(%1) : memref<?xf32, 1 : i64>
// CHECK-NEXT:    "memref.copy"(%m, %c) : (memref<?xf32, 1 : i64>, memref<?xf32, 1 : i64>) -> ()
// CHECK-NEXT:    func.return %c : memref<?xf32, 1 : i64>
func.func @memory_space(%m: memref<?xf32, 1>) -> memref<?xf32, 1> {
  %c = bufferization.clone %m : memref<?xf32, 1> to memref<?xf32, 1>
  func.return %c : memref<?xf32, 1>
}

// What is known of the sizes on either side is known of the new buffer.
// CHECK-LABEL: func.func @forget_size(%m: memref<4xf32>) -> memref<?xf32> {
// CHECK-NEXT:    %0 = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    %c = "memref.cast"(%0) : (memref<4xf32>) -> memref<?xf32>
// CHECK-NEXT:    "memref.copy"(%m, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<?xf32>
func.func @forget_size(%m: memref<4xf32>) -> memref<?xf32> {
  %c = bufferization.clone %m : memref<4xf32> to memref<?xf32>
  func.return %c : memref<?xf32>
}

// CHECK-LABEL: func.func @claim_size(%m: memref<?xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %0 = "memref.cast"(%m) : (memref<?xf32>) -> memref<4xf32>
// CHECK-NEXT:    %c = memref.alloc() : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%0, %c) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<4xf32>
func.func @claim_size(%m: memref<?xf32>) -> memref<4xf32> {
  %c = bufferization.clone %m : memref<?xf32> to memref<4xf32>
  func.return %c : memref<4xf32>
}

// CHECK-LABEL: func.func @forget_and_claim_sizes(%m: memref<?x4xf32>) -> memref<3x?xf32> {
// CHECK-NEXT:    %0 = "memref.cast"(%m) : (memref<?x4xf32>) -> memref<3x4xf32>
// CHECK-NEXT:    %1 = memref.alloc() : memref<3x4xf32>
// CHECK-NEXT:    %c = "memref.cast"(%1) : (memref<3x4xf32>) -> memref<3x?xf32>
// CHECK-NEXT:    "memref.copy"(%0, %1) : (memref<3x4xf32>, memref<3x4xf32>) -> ()
// CHECK-NEXT:    func.return %c : memref<3x?xf32>
func.func @forget_and_claim_sizes(%m: memref<?x4xf32>) -> memref<3x?xf32> {
  %c = bufferization.clone %m : memref<?x4xf32> to memref<3x?xf32>
  func.return %c : memref<3x?xf32>
}

// CHECK-LABEL: func.func @in_a_loop(%m: memref<4xf32>, %lb: index, %ub: index, %step: index) {
// CHECK-NEXT:    scf.for %i = %lb to %ub step %step {
// CHECK-NEXT:      %c = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%m, %c) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      "test.op"(%c) : (memref<4xf32>) -> ()
// CHECK-NEXT:      memref.dealloc %c : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @in_a_loop(%m: memref<4xf32>, %lb: index, %ub: index, %step: index) {
  scf.for %i = %lb to %ub step %step {
    %c = bufferization.clone %m : memref<4xf32> to memref<4xf32>
    "test.op"(%c) : (memref<4xf32>) -> ()
    memref.dealloc %c : memref<4xf32>
  }
  func.return
}
