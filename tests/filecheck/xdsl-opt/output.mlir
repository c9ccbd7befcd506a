// RUN: xdsl-opt %s -p 'bufferize{eliminate-copies=false function-boundary-type-conversion=identity-layout-map}' -o %t && filecheck %s --input-file %t
// RUN: xdsl-opt %s -p 'bufferize{eliminate-copies=false function-boundary-type-conversion=identity-layout-map}' --disable-verify | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{eliminate-copies=false function-boundary-type-conversion=identity-layout-map}' --print-op-generic | xdsl-opt | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{eliminate-copies=false function-boundary-type-conversion=identity-layout-map}' --print-op-generic --print-no-properties | xdsl-opt | filecheck %s
// RUN: xdsl-opt %s -p 'bufferize{eliminate-copies=false function-boundary-type-conversion=identity-layout-map}' --print-debuginfo | filecheck %s --check-prefix=DEBUG
// RUN: xdsl-opt %s -p 'bufferize{eliminate-copies=false function-boundary-type-conversion=identity-layout-map}' --syntax-highlight | filecheck %s --check-prefix=COLOR

// CHECK:       func.func @exchange(%t: memref<8xf32>, %i: index, %x: f32) -> (memref<8xf32>, f32) {
// CHECK-NEXT:    %set = memref.alloc() {alignment = 64 : i64} : memref<8xf32>
// CHECK-NEXT:    "memref.copy"(%t, %set) : (memref<8xf32>, memref<8xf32>) -> ()
// CHECK-NEXT:    memref.store %x, %set[%i] : memref<8xf32>
// CHECK-NEXT:    %old = memref.load %t[%i] : memref<8xf32>
// CHECK-NEXT:    func.return %set, %old : memref<8xf32>, f32

// DEBUG:         %set = memref.alloc() {alignment = 64 : i64} : memref<8xf32> loc("model.py":3:1)
// DEBUG-NEXT:    "memref.copy"(%t, %set) : (memref<8xf32>, memref<8xf32>) -> () loc("model.py":3:1)
// DEBUG-NEXT:    memref.store %x, %set[%i] : memref<8xf32> loc("model.py":3:1)
// DEBUG-NEXT:    %old = memref.load %t[%i] : memref<8xf32> loc("model.py":4:1)

// COLOR:         memref.store {{.\[95m%x.\[0m, .\[95m%set.\[0m}}
func.func @exchange(%t: tensor<8xf32>, %i: index, %x: f32) -> (tensor<8xf32>, f32) {
  %set = tensor.insert %x into %t[%i] : tensor<8xf32> loc("model.py":3:1)
  %old = tensor.extract %t[%i] : tensor<8xf32> loc("model.py":4:1)
  func.return %set, %old : tensor<8xf32>, f32
}
