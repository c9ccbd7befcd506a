// What is retained is owned, but the function does not hand on the ownership.
// kind: leak
// message: 1 buffer of 16 bytes
module @before {
  func.func @f(%c: i1, %t: tensor<4xf32>) -> f32 {
    %i = arith.constant 1 : index
    %u = arith.negf %t : tensor<4xf32>
    %r = scf.if %c -> (f32) {
      %x = tensor.extract %u[%i] : tensor<4xf32>
      scf.yield %x : f32
    } else {
      %x = tensor.extract %t[%i] : tensor<4xf32>
      scf.yield %x : f32
    }
    func.return %r : f32
  }
}
module @after {
  func.func @f(%c: i1, %t: memref<4xf32>) -> f32 {
    %i = arith.constant 1 : index
    %a = memref.alloc() : memref<4xf32> // culprit
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : memref<4xf32>) outs(%a : memref<4xf32>) {
    ^bb0(%p: f32, %q: f32):
      %n = arith.negf %p : f32
      linalg.yield %n : f32
    }
    %true = arith.constant true
    %m = arith.select %c, %a, %t : memref<4xf32>
    %owned = bufferization.dealloc (%a : memref<4xf32>) if (%true) retain (%m : memref<4xf32>)
    %v = memref.load %m[%i] : memref<4xf32>
    func.return %v : f32
  }
}
