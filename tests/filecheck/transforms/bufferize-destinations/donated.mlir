// RUN: xdsl-opt %s -p 'bufferize{function-boundary-type-conversion=identity-layout-map}' | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{destinations=false function-boundary-type-conversion=identity-layout-map}' | filecheck %s --check-prefix OFF

// No caller reads its operand after the call, so the function computes there.
//
// CHECK-LABEL: func.func private @relu(%x: memref<8xf32>) {
// CHECK:         linalg.generic {{.*}} ins(%x : memref<8xf32>) outs(%x : memref<8xf32>)
// OFF-LABEL: func.func private @relu(%x: memref<8xf32>) -> memref<8xf32> {
func.func private @relu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @layers(
// CHECK-NEXT:    %[[E:.*]] = memref.alloc
// CHECK-NEXT:    linalg.exp ins(%x : memref<8xf32>) outs(%[[E]] : memref<8xf32>)
// CHECK-NEXT:    func.call @relu(%[[E]])
// CHECK-NEXT:    linalg.log ins(%[[E]] : memref<8xf32>) outs(%[[E]] : memref<8xf32>)
// CHECK-NEXT:    func.call @relu(%[[E]])
// CHECK-NEXT:    func.return %[[E]] : memref<8xf32>
func.func @layers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %0 = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %1 = func.call @relu(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = linalg.log ins(%1 : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %3 = func.call @relu(%2) : (tensor<8xf32>) -> tensor<8xf32>
  func.return %3 : tensor<8xf32>
}

// The size is known at run time: that of the result is that of the argument. An iteration neither
// allocates nor copies.
//
// CHECK-LABEL: func.func private @exp(%x: memref<?xf32>) {
// CHECK-NOT:     memref.alloc
// CHECK:         func.return
func.func private @exp(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %t = linalg.exp ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  func.return %t : tensor<?xf32>
}

// CHECK-LABEL: func.func @repeated(
// CHECK:         scf.for {{.*}} iter_args(%t = %{{.*}}) -> (memref<?xf32>) {
// CHECK-NEXT:      func.call @exp(%t)
// CHECK-NEXT:      scf.yield %t : memref<?xf32>
func.func @repeated(%x: tensor<?xf32>, %k: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %k step %c1 iter_args(%t = %x) -> tensor<?xf32> {
    %u = func.call @exp(%t) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %u : tensor<?xf32>
  }
  func.return %y : tensor<?xf32>
}

// The operand of one call is read after it.
//
// CHECK-LABEL: func.func private @read_after(%x: memref<8xf32>) -> memref<8xf32> {
func.func private @read_after(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// The operand is the argument of a public function, which callers may read again.
//
// CHECK-LABEL: func.func private @of_argument(%x: memref<8xf32>) -> memref<8xf32> {
func.func private @of_argument(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.log ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @callers(
func.func @callers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = func.call @of_argument(%x) : (tensor<8xf32>) -> tensor<8xf32>
  %1 = func.call @read_after(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = func.call @read_after(%1) : (tensor<8xf32>) -> tensor<8xf32>
  %r = linalg.add ins(%1, %2 : tensor<8xf32>, tensor<8xf32>) outs(%2 : tensor<8xf32>) -> tensor<8xf32>
  func.return %r : tensor<8xf32>
}

// The operands are dead, but the function needs both until its end.
//
// CHECK-LABEL: func.func private @needed_to_the_end(
// CHECK-SAME:    -> memref<8x8xf32> {
func.func private @needed_to_the_end(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = linalg.matmul ins(%a, %b : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  func.return %r : tensor<8x8xf32>
}

// CHECK-LABEL: func.func @product(
func.func @product(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = tensor.empty() : tensor<8x8xf32>
  %0 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
  %e2 = tensor.empty() : tensor<8x8xf32>
  %1 = linalg.log ins(%x : tensor<8x8xf32>) outs(%e2 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = func.call @needed_to_the_end(%0, %1) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  func.return %r : tensor<8x8xf32>
}
