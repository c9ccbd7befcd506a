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
