// RUN: not xdsl-opt %s --split-input-file -t bufferization-header | filecheck %s

// Structs once each, constructors of static types, and the arena.

// CHECK:      #pragma once
// CHECK:      typedef struct {
// CHECK-NEXT:   float *allocated, *aligned;
// CHECK-NEXT:   int64_t offset, sizes[2], strides[2];
// CHECK-NEXT: } memref_2d_f32;
// CHECK:      static inline memref_2d_f32 memref_2x3xf32(float *data) {
// CHECK-NEXT:   memref_2d_f32 memref = {data, data, 0, {2, 3}, {3, 1}};
// CHECK-NOT:  } memref_2d_f32;
// CHECK:      static inline memref_2d_f32 memref_nx3xf32(float *data, int64_t n0) {
// CHECK-NEXT:   memref_2d_f32 memref = {data, data, 0, {n0, 3}, {3, 1}};
// CHECK:      typedef struct {
// CHECK-NEXT:   bool *allocated, *aligned;
// CHECK-NEXT:   int64_t offset;
// CHECK-NEXT: } memref_0d_i1;
// CHECK:      memref_0d_i1 memref = {data, data, 0};
// CHECK:      uint16_t *allocated, *aligned;
// CHECK:      /* @net */
// CHECK-NEXT: #define NET_ARENA_BYTES 192
// CHECK-NEXT: #define NET_ARENA_ALIGNMENT 64
// CHECK-NEXT: #define NET_ARENA4_BYTES 128
// CHECK-NEXT: #define NET_ARENA4_ALIGNMENT 16
// CHECK:      void _mlir_ciface_net(memref_2d_f32 *a /* memref<2x3xf32> */, memref_2d_f32 *b /* memref<?x3xf32> */, memref_0d_i1 *c /* memref<i1> */, memref_1d_i8 *arena /* memref<192xi8> */, memref_1d_i8 *arena4 /* memref<128xi8, 1 : i64> */);
func.func @net(%a: memref<2x3xf32>, %b: memref<?x3xf32>, %c: memref<i1>,
               %d: memref<192xi8> {bufferize.arena = 64 : i64},
               %e: memref<128xi8, 1 : i64> {bufferize.arena = 16 : i64}) {
  func.return
}

// The size of this arena is known at run time: @batch_arena_size is a public function, too.

// CHECK:      /* @batch */
// CHECK-NEXT: #define BATCH_ARENA_ALIGNMENT 64
// CHECK-NOT:  BATCH_ARENA_BYTES
// CHECK:      int64_t _mlir_ciface_batch_arena_size(memref_2d_f32 *a /* memref<?x3xf32> */);
func.func @batch(%a: memref<?x3xf32>, %b: memref<?xi8> {bufferize.arena = 64 : i64, bufferize.arena_size = @batch_arena_size}) {
  func.return
}
func.func @batch_arena_size(%a: memref<?x3xf32>) -> index {
  %c = arith.constant 64 : index
  func.return %c : index
}

// Results: one memref is written to the first argument, several to a struct.

// CHECK:      void _mlir_ciface_one(memref_1d_bf16 *result /* memref<?xbf16> */, memref_1d_bf16 *a /* memref<?xbf16> */);
func.func @one(%a: memref<?xbf16>) -> memref<?xbf16> {
  func.return %a : memref<?xbf16>
}

// CHECK:      typedef struct {
// CHECK-NEXT:   memref_1d_bf16 result0;
// CHECK-NEXT:   double result1;
// CHECK-NEXT: } two_results;
// CHECK:      void _mlir_ciface_two(two_results *results, memref_1d_bf16 *a /* memref<?xbf16> */, double x);
func.func @two(%a: memref<?xbf16>, %x: f64) -> (memref<?xbf16>, f64) {
  func.return %a, %x : memref<?xbf16>, f64
}

// Names that C does not have, or other parameters, are left out.

// CHECK:      void _mlir_ciface_names(double x, double arg1, double arg2, double arg3, double arg4, double arg5, double arg6);
func.func @names(%x: f64, %int: f64, %arg0: f64, %arena: f64, %results: f64, %x.1: f64, %0: f64) {
  func.return
}

// CHECK:      int64_t _mlir_ciface_scalar(void);
func.func @scalar() -> index {
  %0 = arith.constant 0 : index
  func.return %0 : index
}

// C cannot call these.

// CHECK-NOT:  hidden
// CHECK-NOT:  elsewhere
func.func private @hidden() {
  func.return
}
func.func private @elsewhere(tensor<4xf32>)

// RUN: not xdsl-opt %s -p cse --split-input-file -t bufferization-header 2>&1 | filecheck %s --check-prefix=ERROR

// -----
// ERROR:      error: 'func.func' bufferization-header: C has no type for tensor<4xf32>
// ERROR:      hint: take a program after bufferize
func.func @tensors(%t: tensor<4xf32>) {
  func.return
}
