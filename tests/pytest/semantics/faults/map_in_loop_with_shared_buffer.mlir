// The buffer of an iteration is hoisted out of the loop, which then reads and writes the same one.
// kind: difference
// message: result 0 at [
module @before {
  func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %r = scf.for %i = %zero to %three step %one iter_args(%x = %t) -> (tensor<4xf32>) {
      %e = tensor.empty() : tensor<4xf32>
      %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 3)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
      ^bb0(%p: f32, %q: f32):
        linalg.yield %p : f32
      } -> tensor<4xf32>
      scf.yield %y : tensor<4xf32>
    }
    func.return %r : tensor<4xf32>
  }
}
module @after {
  func.func @f(%t: memref<4xf32>) -> memref<4xf32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %e = memref.alloc() : memref<4xf32>
    %r = scf.for %i = %zero to %three step %one iter_args(%x = %t) -> (memref<4xf32>) {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (-d0 + 3)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%e : memref<4xf32>) { // culprit
      ^bb0(%p: f32, %q: f32):
        linalg.yield %p : f32
      }
      scf.yield %e : memref<4xf32>
    }
    func.return %r : memref<4xf32>
  }
}
