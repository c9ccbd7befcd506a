// RUN: xdsl-opt %s -p plan-static-memory | filecheck %s
// RUN: xdsl-opt %s -p 'plan-static-memory{offsets-as-attributes report}' 2>&1 | filecheck %s --check-prefix=ATTRIBUTES

// Memory with gaps is a view of as many bytes as lie between its first and its last element.
// CHECK-LABEL: func.func @strided() {
// CHECK-NEXT:    %arena = memref.alloc() {alignment = 16 : i64} : memref<112xi8>
// CHECK-NEXT:    %[[o:[0-9]+]] = arith.constant 0 : index
// CHECK-NEXT:    %[[p:[0-9]+]] = arith.constant 80 : index
// CHECK-NEXT:    %[[x:[0-9]+]] = memref.view %arena[%{{[0-9]+}}][] : memref<112xi8> to memref<20xf32>
// CHECK-NEXT:    %a = memref.reinterpret_cast %[[x]] to offset: [0], sizes: [3, 4], strides: [8, 1] : memref<20xf32> to memref<3x4xf32, strided<[8, 1]>>
// CHECK-NEXT:    %[[y:[0-9]+]] = memref.view %arena[%{{[0-9]+}}][] : memref<112xi8> to memref<8xf32>
// CHECK-NEXT:    %b = memref.reinterpret_cast %[[y]] to offset: [1], sizes: [4], strides: [2] : memref<8xf32> to memref<4xf32, strided<[2], offset: 1>>
// CHECK-NEXT:    "test.op"(%a, %b)
// ATTRIBUTES:      @strided: 112 bytes for 2 buffers of 112 bytes; 112 bytes are needed at once
// ATTRIBUTES-NEXT:       offset       bytes  life, in numbers of ops
func.func @strided() {
  %a = memref.alloc() : memref<3x4xf32, strided<[8, 1]>>
  %b = memref.alloc() : memref<4xf32, strided<[2], offset: 1>>
  "test.op"(%a, %b) : (memref<3x4xf32, strided<[8, 1]>>, memref<4xf32, strided<[2], offset: 1>>) -> ()
  func.return
}

// No view has the layout of a map that is not linear, but an allocation has. The last tile is
// padded.
// CHECK-LABEL: func.func @tiled() {
// CHECK-NEXT:    %a = memref.alloc() : memref<6x8xi8, affine_map<
// ATTRIBUTES:      @tiled: 64 bytes for 1 buffer of 64 bytes; 64 bytes are needed at once
// ATTRIBUTES:      func.func @tiled() attributes {bufferize.static_memory = {default = 64 : i64}} {
// ATTRIBUTES-NEXT:   %a = memref.alloc() {bufferize.offset = 0 : i64, bufferization.manual_deallocation} : memref<6x8xi8, affine_map<
func.func @tiled() {
  %a = memref.alloc() : memref<6x8xi8, affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 4, d0 mod 4, d1 mod 4)>>
  "test.op"(%a) : (memref<6x8xi8, affine_map<(d0, d1) -> (d0 floordiv 4, d1 floordiv 4, d0 mod 4, d1 mod 4)>>) -> ()
  func.return
}

// The identity, written as strides or as a map.
// CHECK-LABEL: func.func @identity() {
// CHECK-NEXT:    %arena = memref.alloc() {alignment = 16 : i64} : memref<48xi8>
// CHECK-NEXT:    %0 = arith.constant 0 : index
// CHECK-NEXT:    %1 = arith.constant 16 : index
// CHECK-NEXT:    %2 = memref.view %arena[%0][] : memref<48xi8> to memref<4xf32>
// CHECK-NEXT:    %a = "memref.cast"(%2) : (memref<4xf32>) -> memref<4xf32, strided<[1]>>
// CHECK-NEXT:    %3 = memref.view %arena[%1][] : memref<48xi8> to memref<2x4xf32>
// CHECK-NEXT:    %b = "memref.cast"(%3) : (memref<2x4xf32>) -> memref<2x4xf32, affine_map<(d0, d1) -> (d0, d1)>>
func.func private @use(memref<4xf32, strided<[1]>>, memref<2x4xf32, affine_map<(d0, d1) -> (d0, d1)>>)
func.func @identity() {
  %a = memref.alloc() : memref<4xf32, strided<[1]>>
  %b = memref.alloc() : memref<2x4xf32, affine_map<(d0, d1) -> (d0, d1)>>
  func.call @use(%a, %b) : (memref<4xf32, strided<[1]>>, memref<2x4xf32, affine_map<(d0, d1) -> (d0, d1)>>) -> ()
  func.return
}
