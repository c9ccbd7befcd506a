// RUN: XDSL_ROUNDTRIP
// RUN: XDSL_GENERIC_ROUNDTRIP

// What the documentation of bufferization, then and now, shows of these ops. Encodings and
// layouts have names there.
// CHECK-LABEL: func.func @alloc_tensor(%d1: index, %d2: index, %noe: index) {
// CHECK-NEXT:    %c = bufferization.alloc_tensor(%d1, %d2) : tensor<?x?xf32, "SparseMatrix">
// CHECK-NEXT:    %h = bufferization.alloc_tensor(%d1, %d2) size_hint = %noe : tensor<?x?xf32, "SparseMatrix">
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "alloc_tensor", function_type = (index, index, index) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%d1: index, %d2: index, %noe: index):
// CHECK-GENERIC-NEXT:    %c = "bufferization.alloc_tensor"(%d1, %d2) <{operandSegmentSizes = array<i32: 2, 0, 0>}> : (index, index) -> tensor<?x?xf32, "SparseMatrix">
// CHECK-GENERIC-NEXT:    %h = "bufferization.alloc_tensor"(%d1, %d2, %noe) <{operandSegmentSizes = array<i32: 2, 0, 1>}> : (index, index, index) -> tensor<?x?xf32, "SparseMatrix">
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @alloc_tensor(%d1: index, %d2: index, %noe: index) {
  %c = bufferization.alloc_tensor(%d1, %d2) : tensor<?x?xf32, "SparseMatrix">
  %h = bufferization.alloc_tensor(%d1, %d2) size_hint = %noe
    : tensor<?x?xf32, "SparseMatrix">
  func.return
}

// CHECK-LABEL: func.func @clone(%arg0: memref<?xf32>) {
// CHECK-NEXT:    %arg1 = bufferization.clone %arg0 : memref<?xf32> to memref<?xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "clone", function_type = (memref<?xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%arg0: memref<?xf32>):
// CHECK-GENERIC-NEXT:    %arg1 = "bufferization.clone"(%arg0) : (memref<?xf32>) -> memref<?xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @clone(%arg0: memref<?xf32>) {
  %arg1 = bufferization.clone %arg0 : memref<?xf32> to memref<?xf32>
  func.return
}

// CHECK-LABEL: func.func @dealloc(%a0: memref<2xf32>, %a1: memref<4xi32>, %cond0: i1, %cond1: i1, %r0: memref<?xf32>, %r1: memref<f64>, %r2: memref<2xi32>) {
// CHECK-NEXT:    %0, %1, %2 = bufferization.dealloc (%a0, %a1 : memref<2xf32>, memref<4xi32>) if (%cond0, %cond1) retain (%r0, %r1, %r2 : memref<?xf32>, memref<f64>, memref<2xi32>)
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "dealloc", function_type = (memref<2xf32>, memref<4xi32>, i1, i1, memref<?xf32>, memref<f64>, memref<2xi32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%a0: memref<2xf32>, %a1: memref<4xi32>, %cond0: i1, %cond1: i1, %r0: memref<?xf32>, %r1: memref<f64>, %r2: memref<2xi32>):
// CHECK-GENERIC-NEXT:    %0, %1, %2 = "bufferization.dealloc"(%a0, %a1, %cond0, %cond1, %r0, %r1, %r2) <{operandSegmentSizes = array<i32: 2, 2, 3>}> : (memref<2xf32>, memref<4xi32>, i1, i1, memref<?xf32>, memref<f64>, memref<2xi32>) -> (i1, i1, i1)
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @dealloc(%a0: memref<2xf32>, %a1: memref<4xi32>, %cond0: i1, %cond1: i1, %r0: memref<?xf32>, %r1: memref<f64>, %r2: memref<2xi32>) {
  %0:3 = bufferization.dealloc (%a0, %a1 : memref<2xf32>, memref<4xi32>)
    if (%cond0, %cond1) retain (%r0, %r1, %r2 : memref<?xf32>, memref<f64>,
    memref<2xi32>)
  func.return
}

// CHECK-LABEL: func.func @dealloc_tensor(%tensor: tensor<1024x1024xf64, "CSR">) {
// CHECK-NEXT:    bufferization.dealloc_tensor %tensor : tensor<1024x1024xf64, "CSR">
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "dealloc_tensor", function_type = (tensor<1024x1024xf64, "CSR">) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%tensor: tensor<1024x1024xf64, "CSR">):
// CHECK-GENERIC-NEXT:    "bufferization.dealloc_tensor"(%tensor) : (tensor<1024x1024xf64, "CSR">) -> ()
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @dealloc_tensor(%tensor: tensor<1024x1024xf64, "CSR">) {
  bufferization.dealloc_tensor %tensor : tensor<1024x1024xf64, "CSR">
  func.return
}

// CHECK-LABEL: func.func @to_memref(%t: tensor<4x?xf32>, %u: tensor<?x?xf32>) {
// CHECK-NEXT:    %m = bufferization.to_memref %t : tensor<4x?xf32> to memref<4x?xf32, affine_map<(d0, d1) -> (d0, d1)>, 0 : i64>
// CHECK-NEXT:    %n = bufferization.to_memref %u : tensor<?x?xf32> to memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "to_memref", function_type = (tensor<4x?xf32>, tensor<?x?xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%t: tensor<4x?xf32>, %u: tensor<?x?xf32>):
// CHECK-GENERIC-NEXT:    %m = "bufferization.to_memref"(%t) : (tensor<4x?xf32>) -> memref<4x?xf32, affine_map<(d0, d1) -> (d0, d1)>, 0 : i64>
// CHECK-GENERIC-NEXT:    %n = "bufferization.to_memref"(%u) : (tensor<?x?xf32>) -> memref<?x?xf32, strided<[?, ?], offset: ?>>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @to_memref(%t: tensor<4x?xf32>, %u: tensor<?x?xf32>) {
  %m = bufferization.to_memref %t : memref<4x?xf32, affine_map<(i, j) -> (i, j)>, 0>
  %n = bufferization.to_memref %u : memref<?x?xf32, strided<[?, ?], offset: ?>>
  func.return
}

// CHECK-LABEL: func.func @to_tensor(%m: memref<4x?xf32, affine_map<(d0, d1) -> (d0, d1)>, 0 : i64>, %n: memref<4xf32>, %f: f32, %idx: index) {
// CHECK-NEXT:    %t = bufferization.to_tensor %m : memref<4x?xf32, affine_map<(d0, d1) -> (d0, d1)>, 0 : i64> to tensor<4x?xf32>
// CHECK-NEXT:    %u = bufferization.to_tensor %n restrict writable : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    %r = tensor.insert %f into %u[%idx] : tensor<4xf32>
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "to_tensor", function_type = (memref<4x?xf32, affine_map<(d0, d1) -> (d0, d1)>, 0 : i64>, memref<4xf32>, f32, index) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%m: memref<4x?xf32, affine_map<(d0, d1) -> (d0, d1)>, 0 : i64>, %n: memref<4xf32>, %f: f32, %idx: index):
// CHECK-GENERIC-NEXT:    %t = "bufferization.to_tensor"(%m) : (memref<4x?xf32, affine_map<(d0, d1) -> (d0, d1)>, 0 : i64>) -> tensor<4x?xf32>
// CHECK-GENERIC-NEXT:    %u = "bufferization.to_tensor"(%n) <{restrict, writable}> : (memref<4xf32>) -> tensor<4xf32>
// CHECK-GENERIC-NEXT:    %r = "tensor.insert"(%f, %u, %idx) : (f32, tensor<4xf32>, index) -> tensor<4xf32>
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @to_tensor(%m: memref<4x?xf32, affine_map<(i, j) -> (i, j)>, 0>, %n: memref<4xf32>, %f: f32, %idx: index) {
  %t = bufferization.to_tensor %m : memref<4x?xf32, affine_map<(i, j) -> (i, j)>, 0>
  %u = bufferization.to_tensor %n restrict writable : memref<4xf32>
  %r = tensor.insert %f into %u[%idx] : tensor<4xf32>
  func.return
}

// CHECK-LABEL: func.func @boundary(%A: memref<1x17x19xf32>, %C: memref<1x17x19xf32>) {
// CHECK-NEXT:    %A_tensor = bufferization.to_tensor %A restrict : memref<1x17x19xf32> to tensor<1x17x19xf32>
// CHECK-NEXT:    bufferization.materialize_in_destination %A_tensor in restrict writable %C : (tensor<1x17x19xf32>, memref<1x17x19xf32>) -> ()
// CHECK-NEXT:    func.return
// CHECK-GENERIC: "func.func"() <{sym_name = "boundary", function_type = (memref<1x17x19xf32>, memref<1x17x19xf32>) -> ()}> ({
// CHECK-GENERIC-NEXT:    ^bb0(%A: memref<1x17x19xf32>, %C: memref<1x17x19xf32>):
// CHECK-GENERIC-NEXT:    %A_tensor = "bufferization.to_tensor"(%A) <{restrict}> : (memref<1x17x19xf32>) -> tensor<1x17x19xf32>
// CHECK-GENERIC-NEXT:    "bufferization.materialize_in_destination"(%A_tensor, %C) <{restrict, writable}> : (tensor<1x17x19xf32>, memref<1x17x19xf32>) -> ()
// CHECK-GENERIC-NEXT:    "func.return"() : () -> ()
func.func @boundary(%A: memref<1x17x19xf32>, %C: memref<1x17x19xf32>) {
  %A_tensor = bufferization.to_tensor %A restrict : memref<1x17x19xf32> to tensor<1x17x19xf32>
  bufferization.materialize_in_destination
    %A_tensor in restrict writable %C
      : (tensor<1x17x19xf32>, memref<1x17x19xf32>) -> ()
  func.return
}
