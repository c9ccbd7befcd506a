// one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},buffer-deallocation-pipeline
// mlir-opt: equal
// mlir-opt --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map": equal
func.func private @g(%t: tensor<?xf32>, %i: index) -> f32 {
  %r = tensor.extract %t[%i] : tensor<?xf32>
  func.return %r : f32
}
func.func @f(%t: tensor<8xf32>, %i: index) -> f32 {
  %c4 = arith.constant 4 : index
  %s = tensor.extract_slice %t[%i][%c4][1] : tensor<8xf32> to tensor<?xf32>
  %r = func.call @g(%s, %i) : (tensor<?xf32>, index) -> f32
  func.return %r : f32
}
