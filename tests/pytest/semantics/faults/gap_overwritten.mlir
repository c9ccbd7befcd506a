// All memory of an argument with a layout is written, also between its elements.
// kind: write outside of an argument
// message: argument 0
module @before {
  func.func @f(%t: tensor<2x2xf32>, %x: f32) -> tensor<2x2xf32> {
    %r = linalg.fill ins(%x : f32) outs(%t : tensor<2x2xf32>) -> tensor<2x2xf32>
    func.return %r : tensor<2x2xf32>
  }
}
module @after {
  func.func @f(%t: memref<2x2xf32, strided<[?, ?], offset: ?>>, %x: f32) -> memref<2x2xf32, strided<[?, ?], offset: ?>> { // culprit
    %base, %offset, %sizes:2, %strides:2 = "memref.extract_strided_metadata"(%t) : (memref<2x2xf32, strided<[?, ?], offset: ?>>) -> (memref<f32>, index, index, index, index, index)
    %flat = memref.reinterpret_cast %base to offset: [%offset], sizes: [5], strides: [1] : memref<f32> to memref<5xf32, strided<[1], offset: ?>>
    linalg.fill ins(%x : f32) outs(%flat : memref<5xf32, strided<[1], offset: ?>>)
    linalg.fill ins(%x : f32) outs(%t : memref<2x2xf32, strided<[?, ?], offset: ?>>)
    func.return %t : memref<2x2xf32, strided<[?, ?], offset: ?>>
  }
}
