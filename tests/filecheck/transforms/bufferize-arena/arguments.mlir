// RUN: xdsl-opt %s -p 'bufferize{arena=argument results=arguments function-boundary-type-conversion=identity-layout-map}' 2>/dev/null | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{arena=argument results=arguments function-boundary-type-conversion=identity-layout-map}' 2>&1 >/dev/null | filecheck %s --check-prefix=REMARK
// RUN: xdsl-opt %s -p 'bufferize{arena=argument function-boundary-type-conversion=identity-layout-map}' 2>/dev/null | filecheck %s --check-prefix=RETURNED
// RUN: xdsl-opt %s -p 'bufferize{arena=argument function-boundary-type-conversion=identity-layout-map}' 2>&1 >/dev/null | filecheck %s --check-prefix=RETURNED-REMARK
// RUN: xdsl-opt %s -p 'bufferize{results=arguments function-boundary-type-conversion=identity-layout-map}' 2>/dev/null | filecheck %s --check-prefix=RESULTS

// Nothing is allocated: callers give the memory of results, and the arena, whose size is that of
// its type.
//
// CHECK-LABEL:    func.func @known(%x: memref<4x4xf32>, %{{[a-z0-9_]+}}: memref<4x4xf32>, %arena: memref<64xi8> {bufferize.arena = 64 : i64}) {
// CHECK-NOT:      memref.alloc
// CHECK-NOT:      memref.copy
// CHECK:          func.return
// RETURNED-LABEL: func.func @known(%x: memref<4x4xf32>, %arena: memref<64xi8> {bufferize.arena = 64 : i64}) -> memref<4x4xf32>
// RETURNED:       memref.alloc()
// RETURNED-REMARK: remark: 'memref.alloc' stays an allocation of its own: it is returned
// RETURNED-REMARK: hint: give the function its memory as an argument; bufferize{results=arguments} does that
// RESULTS-LABEL:  func.func @known(%x: memref<4x4xf32>, %{{[a-z0-9_]+}}: memref<4x4xf32>) {
// RESULTS:        memref.alloc()
// RESULTS-NOT:    memref.alloc
// RESULTS:        func.return
func.func @known(%x: tensor<4x4xf32> {bufferization.writable = false}) -> tensor<4x4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = linalg.matmul ins(%x, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  %r = linalg.matmul ins(%t, %x : tensor<4x4xf32>, tensor<4x4xf32>) outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  func.return %r : tensor<4x4xf32>
}

// A size that is known at run time: a function computes it from the same arguments. Calls in the
// module are of a private function, which needs none.
//
// CHECK-LABEL:    func.func @layer(%x: memref<?x16xf32>, %{{[a-z0-9_]+}}: memref<?x16xf32>, %arena: memref<?xi8> {bufferize.arena = 64 : i64, bufferize.arena_size = @layer_arena_size_0}) {
// CHECK-NOT:      memref.alloc
// CHECK:          func.return
// CHECK-LABEL:    func.func @layer_arena_size_0(%x: memref<?x16xf32>, %{{.*}}: memref<?x16xf32>) -> index {
// CHECK:          %[[N:.*]] = memref.dim %x
// CHECK:          %[[BYTES:.*]] = arith.constant 64 : index
// CHECK:          %[[SIZE:.*]] = arith.muli %[[N]], %[[BYTES]] : index
// CHECK-NEXT:     func.return %[[SIZE]] : index
// CHECK-LABEL:    func.func private @layer_private(
// CHECK-SAME:     %arena: memref<?xi8> {bufferize.arena = 64 : i64}) {
// RETURNED-LABEL: func.func @layer(%x: memref<?x16xf32>, %arena: memref<?xi8> {bufferize.arena = 64 : i64, bufferize.arena_size = @layer_arena_size_0}) -> memref<?x16xf32>
// RETURNED-LABEL: func.func @layer_arena_size_0(%x: memref<?x16xf32>) -> index {
func.func @layer(%x: tensor<?x16xf32> {bufferization.writable = false}) -> tensor<?x16xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x16xf32>
  %w = arith.constant dense<1.0> : tensor<16x16xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<?x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x16xf32>) -> tensor<?x16xf32>
  %t = linalg.matmul ins(%x, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  %r = linalg.matmul ins(%t, %w : tensor<?x16xf32>, tensor<16x16xf32>) outs(%f : tensor<?x16xf32>) -> tensor<?x16xf32>
  func.return %r : tensor<?x16xf32>
}

func.func private @layer_arena_size()

// Two results, and an arena of 1024 bytes and 128 for each row.
//
// CHECK-LABEL:    func.func @two(%x: memref<?x16xf32>, %{{.*}}: memref<?x16xf32>, %{{.*}}: memref<16x16xf32>, %arena: memref<?xi8> {bufferize.arena = 64 : i64, bufferize.arena_size = @two_arena_size}) {
// CHECK-NOT:      memref.alloc
// CHECK:          func.call @layer_private(
// CHECK-NOT:      memref.alloc
// CHECK:          memref.view %arena[%{{.*}}][] : memref<?xi8> to memref<16x16xf32>
// CHECK-NOT:      memref.alloc
// CHECK-LABEL:    func.func @two_arena_size(
func.func @two(%x: tensor<?x16xf32> {bufferization.writable = false}) -> (tensor<?x16xf32>, tensor<16x16xf32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %a = func.call @layer(%x) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %b = func.call @layer(%a) : (tensor<?x16xf32>) -> tensor<?x16xf32>
  %s = linalg.matmul ins(%f, %f : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %t = linalg.matmul ins(%s, %s : tensor<16x16xf32>, tensor<16x16xf32>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  func.return %b, %t : tensor<?x16xf32>, tensor<16x16xf32>
}

// A part of an argument, and one that is an argument on some paths, are copied to the callers' memory.
//
// CHECK-LABEL:    func.func @parts(
// CHECK-SAME:     %x: memref<8xf32>, %c: i1, %[[A:.*]]: memref<2xf32>, %[[B:.*]]: memref<8xf32>, %arena: memref<32xi8> {bufferize.arena = 64 : i64}) {
// CHECK:          "memref.copy"(%{{.*}}, %[[A]])
// CHECK:          "memref.copy"(%{{.*}}, %[[B]])
// CHECK-NEXT:     func.return
func.func @parts(%x: tensor<8xf32> {bufferization.writable = false}, %c: i1) -> (tensor<2xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %y = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %p = tensor.extract_slice %x[4] [2] [1] : tensor<8xf32> to tensor<2xf32>
  %r = scf.if %c -> (tensor<8xf32>) {
    scf.yield %y : tensor<8xf32>
  } else {
    scf.yield %x : tensor<8xf32>
  }
  func.return %p, %r : tensor<2xf32>, tensor<8xf32>
}

// Sizes that do not follow from the arguments: remarks say so, and the function allocates.
//
// REMARK:      remark: 'func.func' still returns memref<?xf32> as result #0: its sizes do not follow from the arguments
// REMARK:      hint: give the function the sizes as arguments
// REMARK:      remark: 'memref.alloc' stays an allocation of its own: its size is known only in a loop
// REMARK:      hint: state that it has at most 1,048,576 bytes, by cf.assert
// REMARK:      remark: 'func.func' allocates an arena in each call: its size depends on more than arguments
// REMARK-NEXT:   at: {{.*}} in @loaded
// REMARK:        it holds: {{.*}} in @loaded
// REMARK:        hint: give the function the size as an argument
// CHECK-LABEL: func.func @loaded(
// CHECK-SAME:    -> memref<?xf32>
// CHECK:       %arena = memref.alloc(
func.func @loaded(%sizes: tensor<4xindex> {bufferization.writable = false}, %v: tensor<?xf32> {bufferization.writable = false}) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %n0 = tensor.extract %sizes[%c0] : tensor<4xindex>
  %n = arith.addi %n0, %c2 : index
  %e = tensor.empty(%n) : tensor<?xf32>
  %a = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %w = tensor.insert %zero into %a[%c1] : tensor<?xf32>
  %b = linalg.exp ins(%w : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %l = scf.for %i = %c0 to %c4 step %c1 iter_args(%s = %zero) -> (f32) {
    %k0 = tensor.extract %sizes[%i] : tensor<4xindex>
    %k = arith.addi %k0, %c2 : index
    %f = tensor.empty(%k) : tensor<?xf32>
    %g = linalg.fill ins(%s : f32) outs(%f : tensor<?xf32>) -> tensor<?xf32>
    %h = tensor.insert %s into %g[%c1] : tensor<?xf32>
    %y = tensor.extract %h[%i] : tensor<?xf32>
    scf.yield %y : f32
  }
  %r = tensor.insert %l into %b[%c1] : tensor<?xf32>
  %q = linalg.add ins(%r, %w : tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  func.return %q : tensor<?xf32>
}

// Each call of a recursive function needs memory of its own.
//
// REMARK:      remark: 'func.func' allocates an arena in each call: it is recursive
// REMARK-NEXT:   at: {{.*}} in @recursive
func.func @recursive(%x: tensor<4xf32> {bufferization.writable = false}, %c: i1) -> f32 {
  %c0 = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %y = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.if %c -> (f32) {
    %no = arith.constant false
    %s = func.call @recursive(%y, %no) : (tensor<4xf32>, i1) -> f32
    scf.yield %s : f32
  } else {
    %s = tensor.extract %y[%c0] : tensor<4xf32>
    scf.yield %s : f32
  }
  func.return %r : f32
}
