// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// Only one branch runs, so both may write the buffer.
// CHECK-LABEL: func.func @in_place(%c: i1, %t: memref<?xf32>, %f: f32, %i: index) -> memref<?xf32> {
// CHECK-NEXT:    %r = scf.if %c -> (memref<?xf32>) {
// CHECK-NEXT:      memref.store %f, %t[%i] : memref<?xf32>
// CHECK-NEXT:      scf.yield %t : memref<?xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      linalg.fill ins(%f : f32) outs(%t : memref<?xf32>)
// CHECK-NEXT:      scf.yield %t : memref<?xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<?xf32>
func.func @in_place(%c: i1, %t: tensor<?xf32>, %f: f32, %i: index) -> tensor<?xf32> {
  %r = scf.if %c -> (tensor<?xf32>) {
    %a = tensor.insert %f into %t[%i] : tensor<?xf32>
    scf.yield %a : tensor<?xf32>
  } else {
    %b = linalg.fill ins(%f : f32) outs(%t : tensor<?xf32>) -> tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// %t is read after the write in one of the branches.
// CHECK-LABEL: func.func @out_of_place(%c: i1, %t: memref<4xf32>, %f: f32, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:    %r = scf.if %c -> (memref<4xf32>) {
// CHECK-NEXT:      %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:      scf.yield %a : memref<4xf32>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      scf.yield %t : memref<4xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %r, %x : memref<4xf32>, f32
func.func @out_of_place(%c: i1, %t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = scf.if %c -> (tensor<4xf32>) {
    %a = tensor.insert %f into %t[%i] : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %t : tensor<4xf32>
  }
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}

// What one branch reads, the other may write.
// CHECK-LABEL: func.func @exclusive(%c: i1, %t: memref<4xf32>, %f: f32, %i: index) -> f32 {
// CHECK-NEXT:    %x = scf.if %c -> (f32) {
// CHECK-NEXT:      memref.store %f, %t[%i] : memref<4xf32>
// CHECK-NEXT:      %y = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      scf.yield %y : f32
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %y_1 = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      scf.yield %y_1 : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %x : f32
func.func @exclusive(%c: i1, %t: tensor<4xf32>, %f: f32, %i: index) -> f32 {
  %x = scf.if %c -> (f32) {
    %a = tensor.insert %f into %t[%i] : tensor<4xf32>
    %y = tensor.extract %a[%i] : tensor<4xf32>
    scf.yield %y : f32
  } else {
    %y = tensor.extract %t[%i] : tensor<4xf32>
    scf.yield %y : f32
  }
  func.return %x : f32
}

// The branches yield buffers of different layouts.
// CHECK-LABEL: func.func @layouts(%c: i1, %t: memref<4xf32>, %u: memref<9xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %r = scf.if %c -> (memref<4xf32, strided<[?], offset: ?>>) {
// CHECK-NEXT:      %0 = "memref.cast"(%t) : (memref<4xf32>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      scf.yield %0 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    } else {
// CHECK-NEXT:      %a = memref.subview %u[1] [4] [2] : memref<9xf32> to memref<4xf32, strided<[2], offset: 1>>
// CHECK-NEXT:      %1 = "memref.cast"(%a) : (memref<4xf32, strided<[2], offset: 1>>) -> memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:      scf.yield %1 : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    }
// CHECK-NEXT:    %x = memref.load %r[%i] : memref<4xf32, strided<[?], offset: ?>>
// CHECK-NEXT:    func.return %x : f32
func.func @layouts(%c: i1, %t: tensor<4xf32>, %u: tensor<9xf32>, %i: index) -> f32 {
  %r = scf.if %c -> (tensor<4xf32>) {
    scf.yield %t : tensor<4xf32>
  } else {
    %a = tensor.extract_slice %u[1] [4] [2] : tensor<9xf32> to tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  %x = tensor.extract %r[%i] : tensor<4xf32>
  func.return %x : f32
}

// Without a result.
// CHECK-LABEL: func.func @no_result(%c: i1, %m: memref<4xf32>, %t: memref<4xf32>) {
// CHECK-NEXT:    scf.if %c {
// CHECK-NEXT:      "memref.copy"(%t, %m) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return
func.func @no_result(%c: i1, %m: memref<4xf32>, %t: tensor<4xf32>) {
  scf.if %c {
    bufferization.materialize_in_destination %t in restrict writable %m : (tensor<4xf32>, memref<4xf32>) -> ()
  }
  func.return
}
