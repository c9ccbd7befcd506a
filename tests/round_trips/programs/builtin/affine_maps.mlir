"test.op"() {map = affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>} : () -> ()
// -----
"test.op"() {map = affine_map<(d0, d1)[s0, s1] -> (d0 * s0 + s1 * d1)>} : () -> ()
// -----
"test.op"() {map = affine_map<(d0)[s0] -> (d0 floordiv s0)>} : () -> ()
// -----
"test.op"() {map = affine_map<(d0)[s0] -> (d0 ceildiv s0, d0 mod s0)>} : () -> ()
// -----
"test.op"() {map = affine_map<(d0)[s0] -> ((d0 + s0) * (s0 + 1))>} : () -> ()
// -----
"test.op"() {map = affine_map<(d0, d1) -> (d0 * 2 + d1 - 3)>} : () -> ()
// -----
"test.op"() {map = affine_map<()[s0] -> (s0 * s0)>} : () -> ()
// -----
"test.op"() {map = affine_map<(d0)[s0] -> (s0 * d0 * 2)>} : () -> ()
// -----
"test.op"() {map = affine_map<() -> ()>} : () -> ()
// -----
"test.op"() {map = affine_map<(d0) -> (-d0)>} : () -> ()
// -----
"test.op"() {map = affine_map<(d0, d1)[s0, s1, s2] -> (s0 + d0 * s1 + d1 * s2)>} : () -> ()
// -----
"test.op"() {map = affine_map<(d0) -> (d0 mod 4, d0 floordiv 4, d0 ceildiv 4)>} : () -> ()
// -----
func.func @f(%m: memref<?x?xf32, affine_map<(d0, d1)[s0] -> (d0 * s0 + d1)>>) {
  return
}
// -----
#map = affine_map<(d0, d1)[s0, s1, s2] -> (s0 + d0 * s1 + d1 * s2)>
func.func @f(%m: memref<?x?xf32, #map>) {
  return
}
// -----
"test.op"() {set = affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 == 0)>} : () -> ()
