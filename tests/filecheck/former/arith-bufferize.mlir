// RUN: xdsl-opt %s -p arith-bufferize | filecheck %s
// RUN: xdsl-opt %s -p tensor-constant-bufferize | filecheck %s
// RUN: xdsl-opt %s -p 'arith-bufferize{alignment=0}' | filecheck %s --check-prefix=ALIGNMENT

// ALIGNMENT: "memref.global"() <{sym_name = "__constant_2xf32", type = memref<2xf32>, initial_value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, sym_visibility = "private", constant}> : () -> ()
// CHECK: "memref.global"() <{sym_name = "__constant_2xf32", type = memref<2xf32>, initial_value = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>, sym_visibility = "private", constant, alignment = 64 : i64}> : () -> ()
// CHECK-LABEL: func.func @constant(%i: index) -> (tensor<2xf32>, f32) {
// CHECK-NEXT:    %0 = memref.get_global @__constant_2xf32 : memref<2xf32>
// CHECK-NEXT:    %1 = bufferization.to_tensor %0 : memref<2xf32> to tensor<2xf32>
// CHECK-NEXT:    %2 = tensor.extract %1[%i] : tensor<2xf32>
// CHECK-NEXT:    func.return %1, %2 : tensor<2xf32>, f32
func.func @constant(%i: index) -> (tensor<2xf32>, f32) {
  %0 = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = tensor.extract %0[%i] : tensor<2xf32>
  func.return %0, %1 : tensor<2xf32>, f32
}

// CHECK-LABEL: func.func @select(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_buffer %b : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    %1 = bufferization.to_buffer %a : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    %2 = arith.select %c, %1, %0 : memref<4xf32>
// CHECK-NEXT:    %3 = bufferization.to_tensor %2 : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    func.return %3 : tensor<4xf32>
func.func @select(%c: i1, %a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.select %c, %a, %b : tensor<4xf32>
  func.return %0 : tensor<4xf32>
}
