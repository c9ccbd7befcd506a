// RUN: xdsl-opt %s -p canonicalize | filecheck %s

// CHECK-LABEL: func.func @static_size(%n: index) -> tensor<?x?xf32> {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor(%n) : tensor<4x?xf32>
// CHECK-NEXT:    %1 = tensor.cast %0 : tensor<4x?xf32> to tensor<?x?xf32>
// CHECK-NEXT:    func.return %1 : tensor<?x?xf32>
func.func @static_size(%n: index) -> tensor<?x?xf32> {
  %c4 = arith.constant 4 : index
  %0 = bufferization.alloc_tensor(%c4, %n) : tensor<?x?xf32>
  func.return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @negative_size() -> tensor<?xf32> {
// CHECK-NEXT:    %c = arith.constant -4 : index
// CHECK-NEXT:    %0 = bufferization.alloc_tensor(%c) : tensor<?xf32>
// CHECK-NEXT:    func.return %0 : tensor<?xf32>
func.func @negative_size() -> tensor<?xf32> {
  %c = arith.constant -4 : index
  %0 = bufferization.alloc_tensor(%c) : tensor<?xf32>
  func.return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @dim_of_alloc_tensor(%m: index, %n: index, %i: index) -> (index, index, index) {
// CHECK-NEXT:    %0 = bufferization.alloc_tensor(%m, %n) : tensor<?x4x?xf32>
// CHECK-NEXT:    %di = tensor.dim %0, %i : tensor<?x4x?xf32>
// CHECK-NEXT:    func.return %m, %n, %di : index, index, index
func.func @dim_of_alloc_tensor(%m: index, %n: index, %i: index) -> (index, index, index) {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %0 = bufferization.alloc_tensor(%m, %n) : tensor<?x4x?xf32>
  %d0 = tensor.dim %0, %c0 : tensor<?x4x?xf32>
  %d2 = tensor.dim %0, %c2 : tensor<?x4x?xf32>
  %di = tensor.dim %0, %i : tensor<?x4x?xf32>
  func.return %d0, %d2, %di : index, index, index
}

// CHECK-LABEL: func.func @materialize_cast(%s: tensor<4xf32>, %d: tensor<4xf32>, %m: memref<?xf32>) -> tensor<?xf32> {
// CHECK-NEXT:    %0 = bufferization.materialize_in_destination %s in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %1 = tensor.cast %0 : tensor<4xf32> to tensor<?xf32>
// CHECK-NEXT:    bufferization.materialize_in_destination %s in restrict writable %m : (tensor<4xf32>, memref<?xf32>) -> ()
// CHECK-NEXT:    func.return %1 : tensor<?xf32>
func.func @materialize_cast(%s: tensor<4xf32>, %d: tensor<4xf32>, %m: memref<?xf32>) -> tensor<?xf32> {
  %cs = tensor.cast %s : tensor<4xf32> to tensor<?xf32>
  %cd = tensor.cast %d : tensor<4xf32> to tensor<?xf32>
  %0 = bufferization.materialize_in_destination %cs in %cd : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  bufferization.materialize_in_destination %cs in restrict writable %m : (tensor<?xf32>, memref<?xf32>) -> ()
  func.return %0 : tensor<?xf32>
}

// CHECK-LABEL: func.func @materialize_cast_that_knows_more(%s: tensor<?xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %cs = tensor.cast %s : tensor<?xf32> to tensor<4xf32>
// CHECK-NEXT:    %0 = bufferization.materialize_in_destination %cs in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    func.return %0 : tensor<4xf32>
func.func @materialize_cast_that_knows_more(%s: tensor<?xf32>, %d: tensor<4xf32>) -> tensor<4xf32> {
  %cs = tensor.cast %s : tensor<?xf32> to tensor<4xf32>
  %0 = bufferization.materialize_in_destination %cs in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @unused_materialize(%s: tensor<4xf32>, %d: tensor<4xf32>) {
// CHECK-NEXT:    func.return
func.func @unused_materialize(%s: tensor<4xf32>, %d: tensor<4xf32>) {
  %0 = bufferization.materialize_in_destination %s in %d : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return
}
