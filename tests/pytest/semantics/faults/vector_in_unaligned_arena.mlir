// A vector in an arena that may be anywhere.
// kind: undefined behavior
// message: elements of type 'vector<16xf32>' need addresses that are multiples of 64
module @before {
  func.func @f(%x: f32, %i: i32) -> f32 {
    %zero = arith.constant 0 : index
    %v = vector.broadcast %x : f32 to vector<16xf32>
    %a = memref.alloc() : memref<4xi32>
    %b = memref.alloc() : memref<2xvector<16xf32>>
    memref.store %i, %a[%zero] : memref<4xi32>
    memref.store %v, %b[%zero] : memref<2xvector<16xf32>>
    %w = memref.load %b[%zero] : memref<2xvector<16xf32>>
    %r = vector.extract %w[3] : f32 from vector<16xf32>
    memref.dealloc %a : memref<4xi32>
    memref.dealloc %b : memref<2xvector<16xf32>>
    func.return %r : f32
  }
}
module @after {
  func.func @f(%x: f32, %i: i32) -> f32 {
    %zero = arith.constant 0 : index
    %offset = arith.constant 128 : index
    %v = vector.broadcast %x : f32 to vector<16xf32>
    %arena = memref.alloc() : memref<144xi8>
    %a = memref.view %arena[%offset][] : memref<144xi8> to memref<4xi32>
    %b = memref.view %arena[%zero][] : memref<144xi8> to memref<2xvector<16xf32>> // culprit
    memref.store %i, %a[%zero] : memref<4xi32>
    memref.store %v, %b[%zero] : memref<2xvector<16xf32>>
    %w = memref.load %b[%zero] : memref<2xvector<16xf32>>
    %r = vector.extract %w[3] : f32 from vector<16xf32>
    memref.dealloc %arena : memref<144xi8>
    func.return %r : f32
  }
}
