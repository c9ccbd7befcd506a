// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// The init is overwritten where it is; nothing reads what it contained.
// CHECK-LABEL: func.func @init_not_read(%a: memref<?x4xf32>, %o: memref<?x4xf32>) -> memref<?x4xf32> {
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<?x4xf32>) outs(%o : memref<?x4xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      %s = arith.addf %in, %in : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %o : memref<?x4xf32>
func.func @init_not_read(%a: tensor<?x4xf32>, %o: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<?x4xf32>) outs(%o : tensor<?x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<?x4xf32>
  func.return %r : tensor<?x4xf32>
}

// The init is needed afterwards, but its contents are not used: no copy, just a buffer.
// CHECK-LABEL: func.func @new_buffer_without_contents(%a: memref<4xf32>, %o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%r : memref<4xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      linalg.yield %in : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r, %o : memref<4xf32>, memref<4xf32>
func.func @new_buffer_without_contents(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4xf32>
  func.return %r, %o : tensor<4xf32>, tensor<4xf32>
}

// The same with an init that is read: its contents are copied.
// CHECK-LABEL: func.func @new_buffer_with_contents(%a: memref<4xf32>, %o: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%o, %r) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%r : memref<4xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      %s = arith.addf %in, %out : f32
// CHECK-NEXT:      linalg.yield %s : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r, %o : memref<4xf32>, memref<4xf32>
func.func @new_buffer_with_contents(%a: tensor<4xf32>, %o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %out : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  func.return %r, %o : tensor<4xf32>, tensor<4xf32>
}

// Each element is read before it is overwritten: input and init may be one buffer.
// CHECK-LABEL: func.func @elementwise(%a: memref<4xi32>) -> memref<4xi32> {
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xi32>) outs(%a : memref<4xi32>) {
// CHECK-NEXT:    ^bb0(%in: i32, %out: i32):
// CHECK-NEXT:      %s = arith.addi %in, %in : i32
// CHECK-NEXT:      linalg.yield %s : i32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %a : memref<4xi32>
func.func @elementwise(%a: tensor<4xi32>) -> tensor<4xi32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<4xi32>) outs(%a : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %s = arith.addi %in, %in : i32
    linalg.yield %s : i32
  } -> tensor<4xi32>
  func.return %r : tensor<4xi32>
}

// Elements are read after they have been overwritten.
// CHECK-LABEL: func.func @not_elementwise(%a: memref<4x4xf32>) -> memref<4x4xf32> {
// CHECK-NEXT:    %r = memref.alloc() {alignment = 64 : i64} : memref<4x4xf32>
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : memref<4x4xf32>) outs(%r : memref<4x4xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      linalg.yield %in : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %r : memref<4x4xf32>
func.func @not_elementwise(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%a : tensor<4x4xf32>) outs(%a : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// Each result lives in its own init.
// CHECK-LABEL: func.func @several_results(%a: memref<4xf32>, %o: memref<4xf32>, %p: memref<f32>) -> (memref<4xf32>, memref<f32>) {
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%a : memref<4xf32>) outs(%o, %p : memref<4xf32>, memref<f32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32, %sum: f32):
// CHECK-NEXT:      %s = arith.addf %in, %sum : f32
// CHECK-NEXT:      linalg.yield %in, %s : f32, f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %o, %p : memref<4xf32>, memref<f32>
func.func @several_results(%a: tensor<4xf32>, %o: tensor<4xf32>, %p: tensor<f32>) -> (tensor<4xf32>, tensor<f32>) {
  %r, %q = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>],
    iterator_types = ["reduction"]
  } ins(%a : tensor<4xf32>) outs(%o, %p : tensor<4xf32>, tensor<f32>) {
  ^bb0(%in: f32, %out: f32, %sum: f32):
    %s = arith.addf %in, %sum : f32
    linalg.yield %in, %s : f32, f32
  } -> tensor<4xf32>, tensor<f32>
  func.return %r, %q : tensor<4xf32>, tensor<f32>
}

// What the body writes, each run of it writes, so that none may see what another wrote.
// CHECK-LABEL: func.func @body_writes(%a: memref<4xf32>, %o: memref<4xf32>, %t: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %c0 = arith.constant 0 : index
// CHECK-NEXT:    %c1 = arith.constant 1 : index
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%o : memref<4xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      %u = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      "memref.copy"(%t, %u) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:      memref.store %in, %u[%c0] : memref<4xf32>
// CHECK-NEXT:      %x = memref.load %u[%c1] : memref<4xf32>
// CHECK-NEXT:      linalg.yield %x : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %o : memref<4xf32>
func.func @body_writes(%a: tensor<4xf32>, %o: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %u = tensor.insert %in into %t[%c0] : tensor<4xf32>
    %x = tensor.extract %u[%c1] : tensor<4xf32>
    linalg.yield %x : f32
  } -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}

// One run after the other could use the same buffer, but not several runs at once.
// CHECK-LABEL: func.func @each_run_fills(%a: memref<4xf32>, %o: memref<4xf32>, %t: memref<4xf32>, %i: index) -> memref<4xf32> {
// CHECK-NEXT:    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%o : memref<4xf32>) {
// CHECK-NEXT:    ^bb0(%in: f32, %out: f32):
// CHECK-NEXT:      %f = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:      linalg.fill ins(%in : f32) outs(%f : memref<4xf32>)
// CHECK-NEXT:      %x = memref.load %f[%i] : memref<4xf32>
// CHECK-NEXT:      linalg.yield %x : f32
// CHECK-NEXT:    }
// CHECK-NEXT:    func.return %o : memref<4xf32>
func.func @each_run_fills(%a: tensor<4xf32>, %o: tensor<4xf32>, %t: tensor<4xf32>, %i: index) -> tensor<4xf32> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
    iterator_types = ["parallel"]
  } ins(%a : tensor<4xf32>) outs(%o : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %f = linalg.fill ins(%in : f32) outs(%t : tensor<4xf32>) -> tensor<4xf32>
    %x = tensor.extract %f[%i] : tensor<4xf32>
    linalg.yield %x : f32
  } -> tensor<4xf32>
  func.return %r : tensor<4xf32>
}
