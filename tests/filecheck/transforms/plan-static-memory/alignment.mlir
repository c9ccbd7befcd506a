// RUN: xdsl-opt %s -p plan-static-memory --split-input-file | filecheck %s

// Vectors are aligned to their size, also where the allocation does not say so.
// CHECK-LABEL: func.func @vectors(
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 64 : i64} : memref<144xi8>
// CHECK-NEXT:      %[[FIRST:.*]] = arith.constant 0 : index
// CHECK-NEXT:      %[[LAST:.*]] = arith.constant 128 : index
// CHECK-NEXT:      %a = memref.view %arena[%[[LAST]]][] : memref<144xi8> to memref<4xf32>
// CHECK-NEXT:      %b = memref.view %arena[%[[FIRST]]][] : memref<144xi8> to memref<2xvector<16xf32>>
func.func @vectors(%i: index, %x: f32, %v: vector<16xf32>) -> (f32, vector<16xf32>) {
  %a = memref.alloc() : memref<4xf32>
  %b = memref.alloc() : memref<2xvector<16xf32>>
  memref.store %x, %a[%i] : memref<4xf32>
  memref.store %v, %b[%i] : memref<2xvector<16xf32>>
  %y = memref.load %a[%i] : memref<4xf32>
  %w = memref.load %b[%i] : memref<2xvector<16xf32>>
  func.return %y, %w : f32, vector<16xf32>
}

// Only the innermost dimension of a vector is one of the machine's.
// CHECK-LABEL: func.func @dimensions(
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 32 : i64} : memref<80xi8>
func.func @dimensions(%v: vector<2x8xf32>, %i: i32) -> (vector<2x8xf32>, i32) {
  %a = memref.alloc() : memref<4xi32>
  %b = memref.alloc() : memref<vector<2x8xf32>>
  %zero = arith.constant 0 : index
  memref.store %i, %a[%zero] : memref<4xi32>
  memref.store %v, %b[] : memref<vector<2x8xf32>>
  %y = memref.load %a[%zero] : memref<4xi32>
  %w = memref.load %b[] : memref<vector<2x8xf32>>
  func.return %w, %y : vector<2x8xf32>, i32
}

// -----

// A data layout says how large an index is, and how types are aligned.
// CHECK-LABEL: func.func @data_layout(
// CHECK-NEXT:      %arena = memref.alloc() {alignment = 32 : i64} : memref<56xi8>
builtin.module attributes {dlti.dl_spec = #dlti.dl_spec<index = 32 : i64, f64 = dense<256> : vector<1xi64>>} {
  func.func @data_layout(%i: index, %x: f64) -> (f64, index) {
    %a = memref.alloc() : memref<6xindex>
    %b = memref.alloc() : memref<3xf64>
    memref.store %i, %a[%i] : memref<6xindex>
    memref.store %x, %b[%i] : memref<3xf64>
    %y = memref.load %a[%i] : memref<6xindex>
    %z = memref.load %b[%i] : memref<3xf64>
    func.return %z, %y : f64, index
  }
}
