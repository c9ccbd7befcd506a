// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

func.func private @external(tensor<*xf32>)

// The function may write the tensor, which is read afterwards: it gets a copy, made where
// the rank is known.
// CHECK-LABEL: func.func @written_unranked(%t: memref<4xf32>, %i: index) -> f32 {
// CHECK-NEXT:    %0 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%t, %0) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %u = "memref.cast"(%0) : (memref<4xf32>) -> memref<*xf32>
// CHECK-NEXT:    func.call @external(%u) : (memref<*xf32>) -> ()
// CHECK-NEXT:    %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:    func.return %x : f32
func.func @written_unranked(%t: tensor<4xf32>, %i: index) -> f32 {
  %u = tensor.cast %t : tensor<4xf32> to tensor<*xf32>
  func.call @external(%u) : (tensor<*xf32>) -> ()
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %x : f32
}
