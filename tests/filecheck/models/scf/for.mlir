// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// The tensor stays in one buffer through all iterations.
// CHECK-LABEL: func.func @in_place(%t: memref<?xf32>, %f: f32, %l: index, %u: index, %s: index) -> memref<?xf32> {
// CHECK-NEXT:    %r = scf.for %i = %l to %u step %s iter_args(%a = %t) -> (memref<?xf32>) {
// CHECK-NEXT:      memref.store %f, %a[%i] : memref<?xf32>
// CHECK-NEXT:      scf.yield %a : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @in_place(%t: tensor<?xf32>, %f: f32, %l: index, %u: index, %s: index) -> tensor<?xf32> {
  %r = scf.for %i = %l to %u step %s iter_args(%a = %t) -> (tensor<?xf32>) {
    %b = tensor.insert %f into %a[%i] : tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// The init is read after the loop.
// CHECK-LABEL: func.func @out_of_place(%t: memref<4xf32>, %f: f32, %l: index, %u: index, %s: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%t, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %r = scf.for %i = %l to %u step %s iter_args(%a = %0) -> (memref<4xf32>) {
// CHECK-NEXT:      memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:      scf.yield %a : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %x = memref.load %t[%l] : memref<4xf32>
// CHECK-NEXT:    func.return %r, %x : memref<4xf32>, f32
func.func @out_of_place(%t: tensor<4xf32>, %f: f32, %l: index, %u: index, %s: index) -> (tensor<4xf32>, f32) {
  %r = scf.for %i = %l to %u step %s iter_args(%a = %t) -> (tensor<4xf32>) {
    %b = tensor.insert %f into %a[%i] : tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  %x = tensor.extract %t[%l] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}

// Each iteration overwrites all that the init contained. But there may be no iteration, and
// then the result is what the init contained.
// CHECK-LABEL: func.func @may_not_run(%t: memref<4xf32>, %f: f32, %l: index, %u: index, %s: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%t, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %r = scf.for %i = %l to %u step %s iter_args(%a = %0) -> (memref<4xf32>) {
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
// CHECK-NEXT:      scf.yield %a : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r, %t : memref<4xf32>, memref<4xf32>
func.func @may_not_run(%t: tensor<4xf32>, %f: f32, %l: index, %u: index, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = scf.for %i = %l to %u step %s iter_args(%a = %t) -> (tensor<4xf32>) {
    %b = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  func.return %r, %t : tensor<4xf32>, tensor<4xf32>
}

// There is at least one iteration, so the new buffer needs no contents.
// CHECK-LABEL: func.func @does_run(%t: memref<4xf32>, %f: f32, %s: index) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %l = arith.constant 0 : index
// CHECK-NEXT:    %u = arith.constant 8 : index
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    %r = scf.for %i = %l to %u step %s iter_args(%a = %0) -> (memref<4xf32>) {
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%a : memref<4xf32>)
// CHECK-NEXT:      scf.yield %a : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r, %t : memref<4xf32>, memref<4xf32>
func.func @does_run(%t: tensor<4xf32>, %f: f32, %s: index) -> (tensor<4xf32>, tensor<4xf32>) {
  %l = arith.constant 0 : index
  %u = arith.constant 8 : index
  %r = scf.for %i = %l to %u step %s iter_args(%a = %t) -> (tensor<4xf32>) {
    %b = linalg.fill ins(%f : f32) outs(%a : tensor<4xf32>) -> tensor<4xf32>
    scf.yield %b : tensor<4xf32>
  }
  func.return %r, %t : tensor<4xf32>, tensor<4xf32>
}

// %t is read again in the next iteration, so each one writes to a copy.
// CHECK-LABEL: func.func @read_in_next_iteration(%t: memref<4xf32>, %f: f32, %l: index, %u: index, %s: index) -> f32 {
// CHECK-NEXT:    %r = scf.for %i = %l to %u step %s iter_args(%sum = %f) -> (f32) {
// CHECK-NEXT:      %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      %b = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %b) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %b[%i] : memref<4xf32>
// CHECK-NEXT:      %y = memref.load %b[%l] : memref<4xf32>
// CHECK-NEXT:      %z = arith.addf %x, %y : f32
// CHECK-NEXT:      scf.yield %z : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : f32
func.func @read_in_next_iteration(%t: tensor<4xf32>, %f: f32, %l: index, %u: index, %s: index) -> f32 {
  %r = scf.for %i = %l to %u step %s iter_args(%sum = %f) -> (f32) {
    %x = tensor.extract %t[%i] : tensor<4xf32>
    %b = tensor.insert %f into %t[%i] : tensor<4xf32>
    %y = tensor.extract %b[%l] : tensor<4xf32>
    %z = arith.addf %x, %y : f32
    scf.yield %z : f32
  }
  func.return %r : f32
}

// Tensors and scalars side by side, and an inner loop.
// CHECK-LABEL: func.func @nested(%t: memref<4xf32>, %f: f32, %l: index, %u: index, %s: index) -> (f32, memref<4xf32>) {
// CHECK-NEXT:    %x, %r = scf.for %i = %l to %u step %s iter_args(%g = %f, %a = %t) -> (f32, memref<4xf32>) {
// CHECK-NEXT:      %b = scf.for %j = %l to %u step %s iter_args(%c = %a) -> (memref<4xf32>) {
// CHECK-NEXT:        memref.store %g, %c[%j] : memref<4xf32>
// CHECK-NEXT:        scf.yield %c : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %h = memref.load %b[%i] : memref<4xf32>
// CHECK-NEXT:      scf.yield %h, %b : f32, memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %x, %r : f32, memref<4xf32>
func.func @nested(%t: tensor<4xf32>, %f: f32, %l: index, %u: index, %s: index) -> (f32, tensor<4xf32>) {
  %x, %r = scf.for %i = %l to %u step %s iter_args(%g = %f, %a = %t) -> (f32, tensor<4xf32>) {
    %b = scf.for %j = %l to %u step %s iter_args(%c = %a) -> (tensor<4xf32>) {
      %d = tensor.insert %g into %c[%j] : tensor<4xf32>
      scf.yield %d : tensor<4xf32>
    }
    %h = tensor.extract %b[%i] : tensor<4xf32>
    scf.yield %h, %b : f32, tensor<4xf32>
  }
  func.return %x, %r : f32, tensor<4xf32>
}

// A tile of the tensor is computed where it is.
// CHECK-LABEL: func.func @tiles(%t: memref<64xf32>, %f: f32, %l: index, %u: index, %s: index) -> memref<64xf32> {
// CHECK-NEXT:    %r = scf.for %i = %l to %u step %s iter_args(%a = %t) -> (memref<64xf32>) {
// CHECK-NEXT:      %b = memref.subview %a[%i] [4] [1] : memref<64xf32> to memref<4xf32, strided<[1], offset: ?>>
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%b : memref<4xf32, strided<[1], offset: ?>>)
// CHECK-NEXT:      scf.yield %a : memref<64xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<64xf32>
func.func @tiles(%t: tensor<64xf32>, %f: f32, %l: index, %u: index, %s: index) -> tensor<64xf32> {
  %r = scf.for %i = %l to %u step %s iter_args(%a = %t) -> (tensor<64xf32>) {
    %b = tensor.extract_slice %a[%i] [4] [1] : tensor<64xf32> to tensor<4xf32>
    %c = linalg.fill ins(%f : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
    %d = tensor.insert_slice %c into %a[%i] [4] [1] : tensor<4xf32> into tensor<64xf32>
    scf.yield %d : tensor<64xf32>
  }
  func.return %r : tensor<64xf32>
}

// Without tensors there is nothing to do.
// CHECK-LABEL: func.func @no_tensors(%f: f32, %l: index, %u: index, %s: index) -> f32 {
// CHECK-NEXT:    %r = scf.for %i = %l to %u step %s iter_args(%g = %f) -> (f32) {
// CHECK-NEXT:      %h = arith.addf %g, %g : f32
// CHECK-NEXT:      scf.yield %h : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : f32
func.func @no_tensors(%f: f32, %l: index, %u: index, %s: index) -> f32 {
  %r = scf.for %i = %l to %u step %s iter_args(%g = %f) -> (f32) {
    %h = arith.addf %g, %g : f32
    scf.yield %h : f32
  }
  func.return %r : f32
}
