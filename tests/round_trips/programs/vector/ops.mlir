func.func @f(%f: f32) {
  vector.print %f : f32
  return
}
// -----
func.func @f(%v: vector<4xf32>) {
  vector.print %v : vector<4xf32>
  return
}
// -----
func.func @f() {
  vector.print punctuation <newline>
  return
}
// -----
func.func @f(%f: f32) {
  vector.print %f : f32 punctuation <no_punctuation>
  return
}
// -----
func.func @f() {
  vector.print str "hello"
  return
}
// -----
func.func @f(%i: i32) {
  vector.print %i : i32
  return
}
// -----
func.func @f(%a: vector<2x3xf32>, %b: vector<3x4xf32>, %c: vector<2x4xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d2, d1)>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<maximumf>} %a, %b, %c : vector<2x3xf32>, vector<3x4xf32> into vector<2x4xf32>
  return
}
// -----
func.func @f(%f: f32, %v: vector<4xf32>, %w: vector<4xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} %v, %w, %f : vector<4xf32>, vector<4xf32> into f32
  return
}
// -----
func.func @f(%f: f32, %v: vector<4xf32>, %w: vector<4xf32>) {
  %0 = vector.contract {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], my = 1} %v, %w, %f : vector<4xf32>, vector<4xf32> into f32
  return
}
// -----
func.func @f(%a: vector<2x3xf32>) {
  %0 = vector.shape_cast %a : vector<2x3xf32> to vector<6xf32>
  return
}
// -----
func.func @f(%n: index) {
  %0 = vector.create_mask %n, %n : vector<2x3xi1>
  return
}
// -----
func.func @f(%a: vector<2x3xf32>) {
  %0 = vector.extract_strided_slice %a {offsets = [0, 1], sizes = [2, 2], strides = [1, 1]} : vector<2x3xf32> to vector<2x2xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>, %v2: vector<2xf32>) {
  %0 = vector.insert_strided_slice %v2, %v {offsets = [1], strides = [1]} : vector<2xf32> into vector<4xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>, %m: memref<?x4xf32>, %n: index, %mask: vector<4xi1>) {
  %0 = vector.maskedload %m[%n, %n], %mask, %v : memref<?x4xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>, %m: memref<?x4xf32>, %n: index, %mask: vector<4xi1>) {
  vector.maskedstore %m[%n, %n], %mask, %v : memref<?x4xf32>, vector<4xi1>, vector<4xf32>
  return
}
// -----
func.func @f(%m: memref<?x4xf32>, %n: index) {
  %0 = vector.load %m[%n, %n] : memref<?x4xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>, %m: memref<?x4xf32>, %n: index) {
  vector.store %v, %m[%n, %n] : memref<?x4xf32>, vector<4xf32>
  return
}
// -----
func.func @f() {
  %0 = vector.step : vector<4xindex>
  return
}
// -----
func.func @f(%v: vector<4xf32>) {
  %0 = vector.reduction <add>, %v : vector<4xf32> into f32
  return
}
// -----
func.func @f(%f: f32, %v: vector<4xf32>) {
  %0 = vector.reduction <mul>, %v, %f fastmath<fast> : vector<4xf32> into f32
  return
}
// -----
func.func @f(%f: f32) {
  %0 = vector.broadcast %f : f32 to vector<4xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>, %w: vector<4xf32>) {
  %0 = vector.fma %v, %w, %v : vector<4xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>) {
  %0 = vector.bitcast %v : vector<4xf32> to vector<8xf16>
  return
}
// -----
func.func @f(%a: vector<2x3xf32>) {
  %0 = vector.extract %a[1] : vector<3xf32> from vector<2x3xf32>
  return
}
// -----
func.func @f(%a: vector<2x3xf32>, %n: index) {
  %0 = vector.extract %a[1, %n] : f32 from vector<2x3xf32>
  return
}
// -----
func.func @f(%a: vector<2x3xf32>, %f: f32) {
  %0 = vector.insert %f, %a[1, 2] : f32 into vector<2x3xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>, %w: vector<4xf32>) {
  %0 = vector.shuffle %v, %w [0, 5, 2, 7] : vector<4xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%f: f32, %m: memref<?x4xf32>, %n: index) {
  %0 = vector.transfer_read %m[%n, %n], %f : memref<?x4xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%f: f32, %n: index, %t: tensor<?x4xf32>) {
  %0 = vector.transfer_read %t[%n, %n], %f {in_bounds = [true]} : tensor<?x4xf32>, vector<4xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>, %n: index, %t: tensor<?x4xf32>) {
  %0 = vector.transfer_write %v, %t[%n, %n] : vector<4xf32>, tensor<?x4xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>, %m: memref<?x4xf32>, %n: index, %mask: vector<4xi1>) {
  vector.transfer_write %v, %m[%n, %n], %mask : vector<4xf32>, memref<?x4xf32>
  return
}
// -----
func.func @f(%v: vector<4xf32>, %w: vector<4xf32>) {
  %0 = vector.interleave %v, %w : vector<4xf32> -> vector<8xf32>
  return
}
// -----
func.func @f(%v8: vector<8xf32>) {
  %0, %1 = vector.deinterleave %v8 : vector<8xf32> -> vector<4xf32>
  return
}
// -----
func.func @f(%m4: memref<4xf32>) {
  %0 = vector.type_cast %m4 : memref<4xf32> to memref<vector<4xf32>>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.outerproduct %v4, %v8 : vector<4xf32>, vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.outerproduct %v4, %v8, %v48 {kind = #vector.kind<maxnumf>} : vector<4xf32>, vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.outerproduct %v4, %v8, %v48 {a = 1} : vector<4xf32>, vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.outerproduct %v4, %f : vector<4xf32>, f32
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.outerproduct %v4, %sv : vector<4xf32>, vector<[4]xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.transpose %v48, [1, 0] {a = 1} : vector<4x8xf32> to vector<8x4xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.constant_mask [3, 2] {a = 1} : vector<4x8xi1>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.multi_reduction <add>, %v48, %v4 {a = 1} [1] : vector<4x8xf32> to vector<4xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.multi_reduction <mul>, %v48, %f [0, 1] : vector<4x8xf32> to f32
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.gather %m[%c, %c] [%iv], %mk, %v8 {a = 1} : memref<4x8xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.gather %mi[%c] [%iv], %mk, %v8 {alignment = 4} : memref<8xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.gather %t[%c] [%iv], %mk, %v8 : tensor<8xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  vector.scatter %mi[%c] [%iv], %mk, %v8 {a = 1} : memref<8xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.scatter %t[%c] [%iv], %mk, %v8 : tensor<8xf32>, vector<8xi32>, vector<8xi1>, vector<8xf32> -> tensor<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.expandload %mi[%c], %mk, %v8 {a = 1} : memref<8xf32>, vector<8xi1>, vector<8xf32> into vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  vector.compressstore %mi[%c], %mk, %v8 {a = 1, alignment = 8} : memref<8xf32>, vector<8xi1>, vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.from_elements %f, %f {a = 1} : vector<2xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0:8 = vector.to_elements %v8 {a = 1} : vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.vscale {a = 1}
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.mask %mk { vector.reduction <add>, %v8 : vector<8xf32> into f32 } {a = 1} : vector<8xi1> -> f32
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  vector.mask %mk { vector.transfer_write %v8, %mi[%c] : vector<8xf32>, memref<8xf32> } : vector<8xi1>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.mask %mk, %v8 { vector.transfer_read %mi[%c], %f : memref<8xf32>, vector<8xf32> } : vector<8xi1> -> vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  vector.mask %mk { } : vector<8xi1>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  vector.mask %mk { vector.yield } : vector<8xi1>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.mask %mk { vector.yield %f : f32 } : vector<8xi1> -> f32
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0, %1 = vector.scan <add>, %v48, %v8 {inclusive = true, reduction_dim = 0 : i64, a = 1} : vector<4x8xf32>, vector<8xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.scalable.insert %v8, %sv[0] {a = 1} : vector<8xf32> into vector<[4]xf32>
  return
}
// -----
func.func @v(%m: memref<4x8xf32>, %t: tensor<8xf32>, %v8: vector<8xf32>, %v4: vector<4xf32>, %v48: vector<4x8xf32>, %sv: vector<[4]xf32>, %iv: vector<8xi32>, %mk: vector<8xi1>, %f: f32, %c: index, %mi: memref<8xf32>) {
  %0 = vector.scalable.extract %sv[4] {a = 1} : vector<4xf32> from vector<[4]xf32>
  return
}
// -----
#dot = {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"], my = 1}
func.func @f(%v8: vector<8xf32>, %f: f32) {
  %0 = vector.contract #dot %v8, %v8, %f {fastmath = #arith.fastmath<fast>, kind = #vector.kind<mul>} : vector<8xf32>, vector<8xf32> into f32
  return
}
