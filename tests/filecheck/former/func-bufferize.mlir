// RUN: xdsl-opt %s -p func-bufferize | filecheck %s

// CHECK: func.func private @external(memref<4xf32>, memref<4xf32>) -> memref<4xf32>
"func.func"() <{function_type = (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, sym_name = "external", sym_visibility = "private", arg_attrs = [{bufferization.access = "read"}, {}]}> ({}) : () -> ()

// CHECK-LABEL: func.func @callee(%a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    %1 = "test.op"(%0) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    func.return %2 : memref<4xf32>
func.func @callee(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "test.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  func.return %0 : tensor<4xf32>
}

// Only what the function may write is copied.
// CHECK-LABEL: func.func @caller(%a: memref<4xf32>) -> (memref<4xf32>, memref<4xf32>) {
// CHECK-NEXT:    %0 = func.call @callee(%a) : (memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:    %1 = memref.alloc() {alignment = 64 : i64} : memref<4xf32>
// CHECK-NEXT:    "memref.copy"(%a, %1) : (memref<4xf32>, memref<4xf32>) -> ()
// CHECK-NEXT:    %2 = func.call @external(%a, %1) : (memref<4xf32>, memref<4xf32>) -> memref<4xf32>
// CHECK-NEXT:    func.return %0, %2 : memref<4xf32>, memref<4xf32>
func.func @caller(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = func.call @callee(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @external(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  func.return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @blocks(%c: i1, %a: memref<4xf32>) -> memref<4xf32> {
// CHECK-NEXT:    %0 = bufferization.to_tensor %a : memref<4xf32> to tensor<4xf32>
// CHECK-NEXT:    cf.cond_br %c, ^bb1(%a : memref<4xf32>), ^bb2
// CHECK-NEXT:  ^bb1(%b: memref<4xf32>):
// CHECK-NEXT:    func.return %b : memref<4xf32>
// CHECK-NEXT:  ^bb2:
// CHECK-NEXT:    %1 = "test.op"(%0) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT:    %2 = bufferization.to_buffer %1 : tensor<4xf32> to memref<4xf32>
// CHECK-NEXT:    cf.br ^bb1(%2 : memref<4xf32>)
func.func @blocks(%c: i1, %a: tensor<4xf32>) -> tensor<4xf32> {
  cf.cond_br %c, ^bb1(%a : tensor<4xf32>), ^bb2
^bb1(%b: tensor<4xf32>):
  func.return %b : tensor<4xf32>
^bb2:
  %0 = "test.op"(%a) : (tensor<4xf32>) -> tensor<4xf32>
  cf.br ^bb1(%0 : tensor<4xf32>)
}
