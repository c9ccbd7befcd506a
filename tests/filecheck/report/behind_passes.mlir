// RUN: xdsl-opt %s -p bufferize -t bufferization-report | filecheck %s --match-full-lines
// RUN: xdsl-opt %s -p bufferize -t 'bufferization-report{function=second}' | filecheck %s --match-full-lines --check-prefix=SECOND

// Behind passes, the report shows the program that its lines are of.
// CHECK:      Lines refer to the program as xdsl-opt prints it:
// CHECK-EMPTY:
// CHECK-NEXT:    1 | builtin.module {
// CHECK-NEXT:    2 |   func.func @first(%i: index) -> f32 {
// CHECK-NEXT:    3 |     %zero = arith.constant 0.000000e+00 : f32
// CHECK-NEXT:    4 |     func.return %zero : f32
// CHECK-NEXT:    5 |   }
// CHECK-NEXT:    6 |   func.func @second(%x: f32, %i: index) -> f32 {
// CHECK-NEXT:    7 |     %e = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK:        13 | }
// CHECK-EMPTY:
// CHECK-NEXT: @first, line 2 ({{.*}}behind_passes.mlir:{{.*}}:1)
// CHECK:      @second, line 6 ({{.*}}behind_passes.mlir:{{.*}}:1)
// CHECK:        %e      memref<8xf32>     32  heap   line 7  8 to 9  freed in line 10

// Of one function, if the report is on one.
// SECOND:      Lines refer to the program as xdsl-opt prints it:
// SECOND-EMPTY:
// SECOND-NEXT:    6 |   func.func @second(%x: f32, %i: index) -> f32 {
// SECOND:        12 |   }
// SECOND-EMPTY:
// SECOND-NEXT: @second, line 6 ({{.*}}behind_passes.mlir:{{.*}}:1)

func.func @first(%i: index) -> f32 {
  %zero = arith.constant 0.0 : f32
  func.return %zero : f32
}
func.func @second(%x: f32, %i: index) -> f32 {
  %e = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%x : f32) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %v = tensor.extract %f[%i] : tensor<8xf32>
  func.return %v : f32
}
