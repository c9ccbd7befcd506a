// RUN: xdsl-opt %s -p 'one-shot-bufferize{bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map}' | filecheck %s

// CHECK-LABEL: func.func @in_place(%t: memref<4xf32>, %f: f32, %i: index) -> memref<4xf32> {
// CHECK-NEXT:      %r = scf.execute_region -> (memref<4xf32>) {
// CHECK-NEXT:        memref.store %f, %t[%i] : memref<4xf32>
// CHECK-NEXT:        scf.yield %t : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      func.return %r : memref<4xf32>
func.func @in_place(%t: tensor<4xf32>, %f: f32, %i: index) -> tensor<4xf32> {
  %r = scf.execute_region -> (tensor<4xf32>) {
    %a = tensor.insert %f into %t[%i] : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  func.return %r : tensor<4xf32>
}

// %t is read after the op.
// CHECK-LABEL: func.func @out_of_place(%t: memref<4xf32>, %f: f32, %i: index) -> (memref<4xf32>, f32) {
// CHECK-NEXT:      %r = scf.execute_region -> (memref<4xf32>) {
// CHECK-NEXT:        %a = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:        "memref.copy"(%t, %a) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:        memref.store %f, %a[%i] : memref<4xf32>
// CHECK-NEXT:        scf.yield %a : memref<4xf32>
// CHECK-NEXT:      }
// CHECK-NEXT:      %x = memref.load %t[%i] : memref<4xf32>
// CHECK-NEXT:      func.return %r, %x : memref<4xf32>, f32
func.func @out_of_place(%t: tensor<4xf32>, %f: f32, %i: index) -> (tensor<4xf32>, f32) {
  %r = scf.execute_region -> (tensor<4xf32>) {
    %a = tensor.insert %f into %t[%i] : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  %x = tensor.extract %t[%i] : tensor<4xf32>
  func.return %r, %x : tensor<4xf32>, f32
}
