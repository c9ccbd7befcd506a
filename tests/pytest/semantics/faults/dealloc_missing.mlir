// One of two buffers is never freed.
// kind: leak
// message: 1 buffer of 16 bytes
module @before {
  func.func @f(%t: tensor<4xf32>) -> tensor<4xf32> {
    %u = arith.negf %t : tensor<4xf32>
    func.return %u : tensor<4xf32>
  }
}
module @after {
  func.func @f(%t: memref<4xf32>) -> memref<4xf32> {
    %a = memref.alloc() : memref<4xf32>
    %b = memref.alloc() : memref<4xf32> // culprit
    %r = memref.alloc() : memref<4xf32>
    linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%t : memref<4xf32>) outs(%b : memref<4xf32>) {
    ^bb0(%p: f32, %q: f32):
      %n = arith.negf %p : f32
      linalg.yield %n : f32
    }
    "memref.copy"(%b, %r) : (memref<4xf32>, memref<4xf32>) -> ()
    memref.dealloc %a : memref<4xf32>
    func.return %r : memref<4xf32>
  }
}
