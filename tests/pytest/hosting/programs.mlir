func.func @arith(%a: i32, %b: f32, %i: index) -> i32 {
  %c = arith.constant 7 : i32
  %s = arith.addi %a, %c : i32
  %t = arith.cmpi slt, %s, %a : i32
  %r = arith.select %t, %s, %c : i32
  %x = arith.index_cast %i : index to i32
  %u = arith.addi %r, %x : i32
  func.return %u : i32
}
// -----
func.func @affine(%m: memref<8xf32>) {
  affine.for %i = 0 to 8 {
    %v = affine.load %m[%i] : memref<8xf32>
    %d = affine.apply affine_map<(d0) -> (7 - d0)>(%i)
    affine.store %v, %m[%i] : memref<8xf32>
  }
  func.return
}
// -----
func.func @bufferization(%t: tensor<?xf32>, %m: memref<?xf32>, %n: index) -> tensor<?xf32> {
  %unused = bufferization.to_tensor %m restrict : memref<?xf32> to tensor<?xf32>
  %b = bufferization.to_buffer %t : tensor<?xf32> to memref<?xf32>
  %a = bufferization.alloc_tensor(%n) : tensor<?xf32>
  %c = bufferization.clone %b : memref<?xf32> to memref<?xf32>
  %r = bufferization.to_tensor %c restrict writable : memref<?xf32> to tensor<?xf32>
  func.return %r : tensor<?xf32>
}
// -----
func.func @cf(%c: i1, %x: f32) -> f32 {
  cf.cond_br %c, ^a, ^b(%x : f32)
^a:
  cf.br ^b(%x : f32)
^b(%y: f32):
  func.return %y : f32
}
// -----
func.func private @declared(memref<4xf32>) -> f32
func.func @calls(%m: memref<4xf32>) -> f32 {
  %r = func.call @declared(%m) : (memref<4xf32>) -> f32
  func.return %r : f32
}
// -----
func.func @linalg(%a: memref<4x8xf32>, %b: memref<8x2xf32>, %c: memref<4x2xf32>, %x: f32) {
  linalg.fill ins(%x : f32) outs(%c : memref<4x2xf32>)
  linalg.matmul ins(%a, %b : memref<4x8xf32>, memref<8x2xf32>) outs(%c : memref<4x2xf32>)
  linalg.generic {
    indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
    iterator_types = ["parallel", "parallel"]
  } ins(%c : memref<4x2xf32>) outs(%c : memref<4x2xf32>) {
  ^bb0(%u: f32, %v: f32):
    %w = arith.addf %u, %v : f32
    linalg.yield %w : f32
  }
  func.return
}
// -----
func.func @math(%x: f32) -> f32 {
  %e = math.exp %x : f32
  %s = math.sqrt %e : f32
  func.return %s : f32
}
// -----
"memref.global"() <{sym_name = "zeros", type = memref<1024xf32>, sym_visibility = "private",
  initial_value = dense<0.0> : tensor<1024xf32>, constant}> : () -> ()
func.func @memref(%i: index, %n: index) -> f32 {
  %z = memref.get_global @zeros : memref<1024xf32>
  %a = memref.alloc(%n) : memref<?xf32>
  %v = memref.load %z[%i] : memref<1024xf32>
  memref.store %v, %a[%i] : memref<?xf32>
  %s = memref.subview %z[0] [16] [1] : memref<1024xf32> to memref<16xf32>
  memref.dealloc %a : memref<?xf32>
  func.return %v : f32
}
// -----
func.func @scf(%n: index, %c: i1, %x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%s = %x) -> (f32) {
    %t = arith.addf %s, %x : f32
    scf.yield %t : f32
  }
  %q = scf.if %c -> (f32) {
    scf.yield %r : f32
  } else {
    scf.yield %x : f32
  }
  func.return %q : f32
}
// -----
func.func @tensor(%t: tensor<8xf32>, %x: f32, %i: index) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %k = arith.constant dense<[0.0, -0.0]> : tensor<2xf32>
  %s = tensor.extract_slice %t[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %u = tensor.insert_slice %s into %e[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %v = tensor.insert %x into %u[%i] : tensor<8xf32>
  func.return %v : tensor<8xf32>
}
// -----
func.func @vector(%m: memref<8xf32>, %i: index) {
  %v = vector.load %m[%i] : memref<8xf32>, vector<4xf32>
  vector.store %v, %m[%i] : memref<8xf32>, vector<4xf32>
  func.return
}
// -----
ml_program.global private @weights(dense<4.0> : tensor<4xf32>) : tensor<4xf32>
func.func @ml_program() -> tensor<4xf32> {
  %w = ml_program.global_load_const @weights : tensor<4xf32>
  func.return %w : tensor<4xf32>
}
