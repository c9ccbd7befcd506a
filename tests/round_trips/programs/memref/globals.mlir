memref.global "private" constant @g : memref<4xf32> = dense<0x7FC00000>
// -----
memref.global "private" constant @h : memref<2xf32> = dense<[0x7FC00000, 0.1]>
// -----
memref.global @g : memref<2x2xi32> = dense<[[1, 2], [3, 4]]>
// -----
memref.global "private" @g : memref<4xf32>
// -----
memref.global @g : memref<4xf32> = uninitialized
// -----
memref.global "private" constant @g : memref<4xf32> = dense<1.0> {alignment = 64 : i64}
// -----
memref.global "nested" @g : memref<4xf32, 3> = dense<1.0> {my.attr = 1}
// -----
memref.global constant @g : memref<f32> = dense<1.0>
// -----
memref.global "private" @g : memref<0xf32> = dense<>
// -----
memref.global "private" constant @g : memref<1000000000xf32> = dense<0xFF800000>
// -----
memref.global "private" @g : memref<4xf32>
func.func @f() -> memref<4xf32> {
  %0 = memref.get_global @g : memref<4xf32>
  return %0 : memref<4xf32>
}
