// RUN: XDSL_ROUNDTRIP

// CHECK-LABEL: func.func @realloc(%d: memref<?xf32>, %s: memref<4xf32>, %n: index) {
// CHECK-NEXT:    %0 = "memref.realloc"(%d, %n) : (memref<?xf32>, index) -> memref<?xf32>
// CHECK-NEXT:    %1 = "memref.realloc"(%s) : (memref<4xf32>) -> memref<8xf32>
// CHECK-NEXT:    func.return
func.func @realloc(%d: memref<?xf32>, %s: memref<4xf32>, %n: index) {
  %0 = memref.realloc %d(%n) : memref<?xf32> to memref<?xf32>
  %1 = memref.realloc %s : memref<4xf32> to memref<8xf32>
  func.return
}

// CHECK-LABEL: func.func @attributes(%d: memref<?xi8, 1 : i64>, %s: memref<4xf32, strided<[1]>>, %n: index) {
// CHECK-NEXT:    %0 = "memref.realloc"(%d, %n) <{alignment = 64 : i64}> : (memref<?xi8, 1 : i64>, index) -> memref<?xi8, 1 : i64>
// CHECK-NEXT:    %1 = "memref.realloc"(%s) <{alignment = 8 : i64}> {note} : (memref<4xf32, strided<[1]>>) -> memref<2xf32>
// CHECK-NEXT:    func.return
func.func @attributes(%d: memref<?xi8, 1>, %s: memref<4xf32, strided<[1]>>, %n: index) {
  %0 = memref.realloc %d(%n) {alignment = 64} : memref<?xi8, 1> to memref<?xi8, 1>
  %1 = memref.realloc %s {note, alignment = 8} : memref<4xf32, strided<[1]>> to memref<2xf32>
  func.return
}
