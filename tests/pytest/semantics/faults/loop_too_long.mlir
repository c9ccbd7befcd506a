// A loop runs once too often.
// kind: difference
// message: result 0 at [0]
module @before {
  func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
    %zero = arith.constant 0 : index
    %one = arith.constant 1 : index
    %three = arith.constant 3 : index
    %r = scf.for %i = %zero to %three step %one iter_args(%x = %t) -> (tensor<4xf32>) {
      %y = arith.negf %x : tensor<4xf32>
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
    %four = arith.constant 4 : index
    %a = memref.alloc() : memref<4xf32>
    "memref.copy"(%t, %a) : (memref<4xf32>, memref<4xf32>) -> ()
    scf.for %i = %zero to %four step %one {
      linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%a : memref<4xf32>) outs(%a : memref<4xf32>) { // culprit
      ^bb0(%p: f32, %q: f32):
        %n = arith.negf %p : f32
        linalg.yield %n : f32
      }
    }
    func.return %a : memref<4xf32>
  }
}
